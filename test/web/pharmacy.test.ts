/** A doctor prescribes, and a pharmacist dispenses, takes back, recalls and counts. */
import { listTasks, retryTasks } from '@hms/database';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { platform } from '../platform.ts';
import { type Login, overflow, picture, register, Scene, violations, visit } from '../support/browser.ts';
import { Engines } from '../support/engines.ts';
import { mailsTo } from '../support/mails.ts';
import { until } from '../support/until.ts';

const SOON = new Date(Date.now() + 20 * 86_400_000).toISOString().slice(0, 10);
const LATE = new Date(Date.now() + 500 * 86_400_000).toISOString().slice(0, 10);

let scene: Scene;
let doctor: Page;
let pharmacist: Page;
let pia: Login;
let patientId: string;
let rxNo: string;
let rxPath: string;
let batchPath: string;

beforeAll(async () => {
  scene = await Scene.start("St. Mary's Hospital");
  pia = await scene.hire('Pia', 'Penrose', 'PHARMACIST');
  [doctor, pharmacist] = await Promise.all([scene.loggedIn('DOCTOR'), scene.loggedIn(pia)]);
}, 180_000);
afterAll(() => scene?.stop());

const heading = (page: Page, name: string) => page.getByRole('heading', { name, exact: true });
const stockMails = async () =>
  (await mailsTo(pia.email)).filter(({ subject }) => subject.startsWith('Stock of the pharmacy'));
const type = async (page: Page, ...texts: readonly string[]) => {
  for (const text of texts) {
    await page.keyboard.type(text);
    await page.keyboard.press('Enter');
  }
};

describe('a pharmacist', () => {
  it('writes drugs and an interaction into the catalogue', async () => {
    await pharmacist.getByRole('link', { name: 'Drugs', exact: true }).click();
    await pharmacist.getByText('There are no drugs yet.').waitFor();
    expect(await violations(pharmacist)).toEqual([]);
    for (const [name, code, ingredients, groups] of [
      ['Amoxicillin', 'AMX-500', 'amoxicillin', 'Penicillin'],
      ['Amoxil', 'AML-500', 'amoxicillin', 'Penicillin'],
      ['Warfarin', 'WAR-5', 'warfarin', ''],
    ]) {
      await pharmacist.getByRole('link', { name: 'New drug' }).click();
      await heading(pharmacist, 'New drug').waitFor();
      const strength = name === 'Warfarin' ? '5 mg' : '500 mg';
      await type(
        pharmacist,
        ...[name, code, ingredients, groups, strength, 'Capsule', 'capsule', '6', '', '', '40'].map(String),
      );
      await pharmacist.keyboard.press('Control+Enter');
      await pharmacist.getByRole('link', { name: String(name), exact: true }).waitFor();
    }
    await pharmacist.getByRole('link', { name: 'Interactions' }).click();
    await pharmacist.getByRole('link', { name: 'New interaction' }).click();
    await heading(pharmacist, 'New interaction').waitFor();
    await type(pharmacist, 'warfarin', 'amoxicillin');
    await pharmacist.getByLabel('Severity').selectOption('moderate');
    await pharmacist.getByLabel('What may happen, and what to do').fill('More bleeding. Check the INR');
    expect(await violations(pharmacist)).toEqual([]);
    await pharmacist.keyboard.press('Control+Enter');
    await pharmacist.getByRole('cell', { name: 'Moderate' }).waitFor();
  }, 120_000);

  it('imports interactions from a file, after a look at what would happen', async () => {
    await pharmacist.getByRole('link', { name: 'Import from a file' }).click();
    await heading(pharmacist, 'Import from a file').waitFor();
    const lines = ['Amoxicillin,WARFARIN,minor,Bleeding', 'warfarin,ibuprofen,severe,Bleeding', 'a,b,deadly,X'];
    const buffer = Buffer.from(['substance,other substance,severity,effect', ...lines].join('\r\n'));
    const file = { name: 'pairs.csv', mimeType: 'text/csv', buffer };
    await pharmacist.locator('input[type=file]').setInputFiles(file);
    await pharmacist.getByText('To be imported: 1, existing: 1, wrong: 1. Nothing is stored yet.').waitFor();
    await pharmacist.getByRole('cell', { name: 'deadly' }).waitFor();
    await pharmacist.getByRole('cell', { name: 'the hospital has "moderate"' }).waitFor();
    expect(await violations(pharmacist)).toEqual([]);
    await pharmacist.getByRole('button', { name: 'Import one interaction' }).press('Enter');
    await pharmacist.getByText('Imported: 1, existing: 1, wrong: 1.').waitFor();
    await pharmacist.getByRole('link', { name: 'All interactions' }).click();
    await pharmacist.getByRole('cell', { name: 'Severe' }).waitFor();
    expect(await pharmacist.getByRole('cell', { name: 'Moderate' }).count()).toBe(1);
  }, 120_000);

  it('receives batches one after the other, without a mouse', async () => {
    await pharmacist.goto(`${scene.origin}/stock/receive`);
    for (const [drug, batchNo, day, quantity] of [
      ['AMX', 'B-LATE', LATE, '50'],
      ['AMX', 'B-FIRST', SOON, '12'],
      ['AML', 'B-OTHER', LATE, '30'],
    ] as const) {
      const picker = pharmacist.getByRole('combobox', { name: 'Drug' });
      await picker.pressSequentially(drug);
      await pharmacist.getByRole('option').first().waitFor();
      await picker.press('Enter');
      await pharmacist.getByLabel('Batch').fill(batchNo);
      await pharmacist.getByLabel('Last day').fill(day);
      await pharmacist.getByLabel('Quantity (capsule)').fill(quantity);
      expect(await violations(pharmacist)).toEqual([]);
      await pharmacist.keyboard.press('Control+Enter');
      await pharmacist.getByText(`batch ${batchNo}: ${quantity} capsule received.`).waitFor();
    }
    await pharmacist.getByRole('link', { name: 'To the batches' }).click();
    await pharmacist.getByText('expires soon').waitFor();
    expect(await violations(pharmacist)).toEqual([]);
    await pharmacist.getByRole('link', { name: 'Stock' }).click();
    await pharmacist.getByRole('checkbox', { name: 'Only below the reorder level' }).press('Space');
    // 40 are to be there. Of Amoxil there are 30, of Warfarin none.
    await pharmacist.getByText('Order', { exact: true }).nth(1).waitFor();
    expect(await pharmacist.getByText('Order', { exact: true }).count()).toBe(2);
    await pharmacist.getByRole('checkbox', { name: 'Only below the reorder level' }).press('Space');
    await pharmacist.getByRole('link', { name: 'Amoxicillin' }).waitFor();
    expect(await violations(pharmacist)).toEqual([]);
    await pharmacist.getByRole('link', { name: 'Prescriptions' }).click();
    await pharmacist.getByText('Nothing has to be dispensed.').waitFor();
  }, 120_000);
});

describe('at the next full hour', () => {
  const notice = (page: Page) => page.getByRole('alert').filter({ hasText: 'Stock of the pharmacy' });

  it('pharmacists are told what to order and what expires, by mail and above each page', async () => {
    const engines = new Engines(platform());
    const tasks = await listTasks(engines.db, { hospital: scene.prefix });
    const checks = tasks.filter(({ task }) => task === 'stock-check').map(({ id }) => id);
    await retryTasks(engines.db, checks);
    await engines.close();
    const [mail] = await until(
      'the mail',
      async () => stockMails(),
      ({ length }) => length > 0,
    );
    expect(mail?.html).toContain('Available below the reorder level: 2');
    expect(mail?.html).toContain('Batches that expire soon: 1');
    expect(mail?.html).toContain(`/stock?below=true`);
    await pharmacist.goto(`${scene.origin}/drugs`);
    await notice(pharmacist).waitFor();
    expect(await violations(pharmacist)).toEqual([]);
    await notice(pharmacist).getByRole('link', { name: 'Batches that expire soon: 1' }).click();
    await pharmacist.getByRole('link', { name: 'B-FIRST' }).waitFor();
    expect(await pharmacist.getByRole('link', { name: 'B-LATE' }).count()).toBe(0);
    await notice(pharmacist).getByRole('link', { name: 'Below the reorder level: 2' }).press('Enter');
    await pharmacist.getByRole('link', { name: 'Warfarin' }).waitFor();
    expect(await pharmacist.getByRole('link', { name: 'Amoxicillin' }).count()).toBe(0);
    await doctor.goto(`${scene.origin}/drugs`);
    await doctor.getByRole('link', { name: 'Warfarin' }).waitFor();
    expect(await notice(doctor).count()).toBe(0);
  }, 120_000);

  it('they see it in Arabic on a phone', async () => {
    const phone = await scene.loggedIn(pia, { viewport: { width: 320, height: 640 } });
    await phone.evaluate(`localStorage.setItem('hms-language', 'ar')`);
    await visit(phone, `${scene.origin}/interactions/import`);
    await phone.getByText('تشغيلات تنتهي صلاحيتها قريبًا: 1').waitFor();
    expect([await overflow(phone), await violations(phone)]).toEqual([0, []]);
    await phone.context().close();
  }, 120_000);

  it('they hide it until there is something new', async () => {
    await pharmacist.getByRole('button', { name: 'Hide until there is something new' }).press('Enter');
    await notice(pharmacist).waitFor({ state: 'detached' });
    await pharmacist.goto(`${scene.origin}/prescriptions`);
    await pharmacist.getByText('Nothing has to be dispensed.').waitFor();
    expect(await notice(pharmacist).count()).toBe(0);
    expect(await stockMails()).toHaveLength(1);
  });
});

describe('a doctor', () => {
  it('prescribes in spite of a warning, with a reason', async () => {
    patientId = await register(doctor, scene.origin, { firstName: 'Nora', lastName: 'Quinn' });
    await doctor.getByRole('tab', { name: 'Allergies and alerts' }).click();
    await doctor.getByRole('button', { name: 'Edit' }).click();
    await doctor.getByRole('button', { name: 'Add an allergy' }).click();
    await doctor.getByLabel('Substance').fill('Penicillin');
    await doctor.getByLabel('Severity').selectOption('severe');
    await doctor.keyboard.press('Control+Enter');
    await doctor.getByText('Saved.').waitFor();
    await doctor.getByRole('tab', { name: 'Prescriptions' }).click();
    await doctor.getByText('There are no prescriptions.').waitFor();
    expect(await violations(doctor)).toEqual([]);
    await doctor.getByRole('link', { name: 'Prescribe' }).click();
    await doctor.getByText('Penicillin: severe').waitFor();
    const picker = doctor.getByRole('combobox', { name: 'Add a drug' });
    await picker.pressSequentially('amoxici');
    await doctor.getByRole('option', { name: /AMX-500/ }).waitFor();
    expect(await violations(doctor)).toEqual([]);
    await doctor.keyboard.press('Enter');
    // The cursor is in the dose. Enter moves on.
    await doctor.getByLabel('Dose (capsule)').fill('1');
    await doctor.keyboard.press('Enter');
    await type(doctor, '3');
    await doctor.keyboard.type('7');
    await doctor
      .getByText('Amoxicillin contains Penicillin. The patient is allergic to Penicillin (severe).')
      .waitFor();
    await doctor.keyboard.press('Control+Enter');
    await doctor.getByText('Fill in this field.').waitFor();
    expect(await violations(doctor)).toEqual([]);
    await doctor.getByLabel('Why nevertheless?').fill('Tested: tolerates it');
    await doctor.getByLabel('Times a day').fill('9');
    await doctor.getByText('9 units a day are more than 6.').waitFor();
    await picture(doctor, 'prescribe');
    await doctor.getByLabel('Times a day').fill('3');
    await doctor.getByText('9 units a day are more than 6.').waitFor({ state: 'detached' });
    await doctor.keyboard.press('Control+Enter');
    const link = doctor.getByRole('link', { name: /^RX-\d+$/ });
    rxNo = (await link.textContent()) ?? '';
    rxPath = (await link.getAttribute('href')) ?? '';
    expect(await violations(doctor)).toEqual([]);
  }, 120_000);

  it('opens the PDF', async () => {
    const answer = doctor.waitForResponse((response) => response.url().endsWith('/pdf') && response.status() === 200);
    const [tab] = await Promise.all([
      doctor.waitForEvent('popup'),
      doctor.getByRole('button', { name: `PDF of ${rxNo}` }).click(),
    ]);
    const { data } = await (await answer).json();
    const file = await fetch(data.url);
    expect([file.status, file.headers.get('content-type')]).toEqual([200, 'application/pdf']);
    await tab.close();
  });
});

describe('at the pharmacy', () => {
  it('the prescription appears in the queue, and a scan of its number opens it', async () => {
    await pharmacist.getByRole('link', { name: rxNo }).waitFor();
    await pharmacist.getByText('0 of 21').waitFor();
    expect(await violations(pharmacist)).toEqual([]);
    // The page takes longer than it takes until a search starts.
    await pharmacist.route('**/assets/*', async (route) => {
      await new Promise((resolve) => setTimeout(resolve, 1000));
      await route.continue();
    });
    await pharmacist.getByRole('searchbox').focus();
    await type(pharmacist, rxNo);
    await heading(pharmacist, rxNo).waitFor();
    await pharmacist.unroute('**/assets/*');
    await pharmacist.getByText('Tested: tolerates it').waitFor();
    await pharmacist.getByText('Penicillin: severe').waitFor();
  });

  it('each package is scanned, and a part is dispensed from the batch that expires first', async () => {
    await pharmacist.getByText('12 of batch B-FIRST').waitFor();
    await pharmacist.getByText('9 of batch B-LATE').waitFor();
    await pharmacist.getByLabel(/^Scan the package/).focus();
    await type(pharmacist, 'B-LATE');
    // Both batches are needed, so both are right. Of ten units, only the first one is.
    await pharmacist.getByText('Amoxicillin 500 mg: this is the right one.').waitFor();
    await pharmacist.getByLabel(/^Amoxicillin 500 mg: Quantity/).fill('10');
    await pharmacist.getByText('10 of batch B-FIRST').waitFor();
    // What was checked was for another quantity.
    expect(await pharmacist.getByText('Checked', { exact: true }).count()).toBe(0);
    await pharmacist.getByLabel(/^Scan the package/).focus();
    await type(pharmacist, 'B-LATE');
    await pharmacist.getByText('Batch B-LATE expires later. Take batch B-FIRST first (Pharmacy).').waitFor();
    expect(await violations(pharmacist)).toEqual([]);
    await type(pharmacist, 'WAR-5');
    await pharmacist.getByText('There is no batch and no drug on this prescription with “WAR-5”.').waitFor();
    await type(pharmacist, 'B-FIRST');
    await pharmacist.getByText('Checked', { exact: true }).waitFor();
    await picture(pharmacist, 'dispense');
    await pharmacist.getByLabel(/^Amoxicillin 500 mg: Quantity/).focus();
    await pharmacist.keyboard.press('Control+Enter');
    await pharmacist.getByText(/^DSP-\d+: dispensed$/).waitFor();
    await pharmacist.getByText('It expires first.').first().waitFor();
    await pharmacist.getByText('Partly dispensed', { exact: true }).waitFor();
    await pharmacist.getByText('10 of 21').first().waitFor();
    expect(await violations(pharmacist)).toEqual([]);
  }, 120_000);

  it('another drug is given in its place, with a reason', async () => {
    await pharmacist.getByLabel(/^Scan the package/).focus();
    await type(pharmacist, 'B-OTHER');
    await pharmacist.getByLabel('Why another drug?').fill('The patient prefers it');
    await pharmacist.getByText('11 of batch B-OTHER').waitFor();
    // The doctor has accepted the warning of another drug.
    await pharmacist.getByLabel('Why nevertheless?').fill('The same ingredient');
    expect(await violations(pharmacist)).toEqual([]);
    await pharmacist.getByLabel(/^Amoxicillin 500 mg: Quantity/).fill('5');
    await pharmacist.getByText('5 of batch B-OTHER').waitFor();
    await pharmacist.keyboard.press('Control+Enter');
    await pharmacist.getByText('Given in place of what was prescribed: The patient prefers it').waitFor();
    await pharmacist.getByText('15 of 21').first().waitFor();
  });

  it('what comes back goes into quarantine', async () => {
    await pharmacist.getByRole('button', { name: 'Take back from DSP-000001' }).click();
    await pharmacist.keyboard.press('Control+Enter');
    await pharmacist.getByText('Write a whole number above zero.').waitFor();
    expect(await violations(pharmacist)).toEqual([]);
    await type(pharmacist, '4');
    await pharmacist.keyboard.type('Rash');
    await pharmacist.keyboard.press('Control+Enter');
    await pharmacist.getByRole('cell', { name: '4', exact: true }).waitFor();
    await pharmacist.goto(`${scene.origin}/stock?tab=batches&q=B-FIRST`);
    await pharmacist.getByText('returned by patients').waitFor();
    expect(await violations(pharmacist)).toEqual([]);
  });

  it('a recall shows who received the batch', async () => {
    const usable = pharmacist.getByRole('row').filter({ hasText: 'Usable' });
    await usable.getByRole('link', { name: 'B-FIRST' }).click();
    await heading(pharmacist, 'Batch B-FIRST').waitFor();
    batchPath = new URL(pharmacist.url()).pathname;
    await pharmacist.getByRole('cell', { name: 'Dispensed' }).waitFor();
    await pharmacist.getByRole('button', { name: 'Recall' }).click();
    await pharmacist.getByRole('textbox', { name: 'Reason' }).fill('Contaminated');
    expect(await violations(pharmacist)).toEqual([]);
    await pharmacist.keyboard.press('Control+Enter');
    const row = pharmacist.getByRole('row').filter({ hasText: 'Nora Quinn' });
    await row.getByText('10', { exact: true }).waitFor();
    await row.getByRole('cell', { name: '4', exact: true }).waitFor();
    await row.getByRole('link', { name: /^086 / }).waitFor();
    await pharmacist.getByText('Contaminated').waitFor();
    expect(await violations(pharmacist)).toEqual([]);
    await picture(pharmacist, 'recall');
  }, 120_000);

  it('corrects the last day of a batch, by keyboard', async () => {
    await pharmacist.goto(`${scene.origin}/stock?tab=batches&q=B-LATE`);
    await pharmacist.getByRole('link', { name: 'B-LATE' }).click();
    await heading(pharmacist, 'Batch B-LATE').waitFor();
    await pharmacist.getByRole('tab', { name: 'Movements' }).focus();
    for (const key of ['ArrowRight', 'ArrowRight']) await pharmacist.keyboard.press(key);
    await pharmacist.getByRole('button', { name: 'Edit' }).press('Enter');
    const day = pharmacist.getByLabel('Last day');
    await day.fill('05/06/2031');
    expect(await violations(pharmacist)).toEqual([]);
    await pharmacist.keyboard.press('Control+Enter');
    await pharmacist.getByText('Saved.').waitFor();
    await pharmacist.reload();
    await heading(pharmacist, 'Batch B-LATE').waitFor();
    await pharmacist.getByRole('tabpanel').getByText('5 Jun 2031').waitFor();

    // A recall was by what is written on the batch.
    await pharmacist.goto(`${scene.origin}${batchPath}?tab=details`);
    await pharmacist.getByText('Location', { exact: true }).waitFor();
    expect(await pharmacist.getByRole('button', { name: 'Edit' }).count()).toBe(0);
  }, 120_000);

  it('a count is approved by another person, and corrects the stock', async () => {
    await pharmacist.goto(`${scene.origin}/stock?tab=counts`);
    await pharmacist.getByRole('button', { name: 'Begin a count' }).click();
    await pharmacist.getByLabel(/^Scan a batch/).focus();
    await type(pharmacist, 'B-LATE');
    await pharmacist.getByLabel(/units that are there/).waitFor();
    await type(pharmacist, '48');
    await pharmacist.getByText('Batch B-LATE: 48 recorded.').waitFor();
    expect(await pharmacist.getByText('Difference').count()).toBe(0);
    expect(await violations(pharmacist)).toEqual([]);
    await pharmacist.getByRole('button', { name: 'Submit for approval' }).click();
    await pharmacist.getByText('You counted. Somebody else has to approve it.').waitFor();
    const admin = await scene.loggedIn('ADMIN');
    await admin.goto(pharmacist.url());
    await admin.getByRole('cell', { name: '−2' }).waitFor();
    expect(await violations(admin)).toEqual([]);
    await picture(admin, 'stock-count');
    await admin.getByRole('button', { name: 'Approve, and correct the stock' }).click();
    await admin.getByText('Approved', { exact: true }).waitFor();
    await admin.goto(`${scene.origin}/stock?tab=batches&q=B-LATE`);
    await admin.getByRole('cell', { name: '48 capsule' }).waitFor();
    await admin.context().close();
  }, 120_000);

  it('a doctor cancels what is left, and the pharmacist sees it at once', async () => {
    await pharmacist.goto(`${scene.origin}${rxPath}`);
    await pharmacist.getByRole('button', { name: 'Dispense', exact: true }).waitFor();
    await doctor.goto(`${scene.origin}${rxPath}`);
    // Only a pharmacist dispenses.
    expect(await doctor.getByRole('button', { name: 'Dispense', exact: true }).count()).toBe(0);
    await doctor.getByRole('button', { name: 'Cancel the prescription' }).click();
    await doctor.getByRole('textbox', { name: 'Why is it cancelled?' }).fill('The rash');
    expect(await violations(doctor)).toEqual([]);
    await doctor.keyboard.press('Control+Enter');
    await doctor.getByText('Cancelled: The rash').waitFor();
    await pharmacist.getByText('Cancelled: The rash').waitFor();
    expect(await pharmacist.getByRole('button', { name: 'Dispense', exact: true }).count()).toBe(0);
  }, 120_000);

  it('a doctor repeats it, without the reason for the warning', async () => {
    const repeatPath = await doctor.getByRole('link', { name: `Repeat ${rxNo}` }).getAttribute('href');
    await doctor.getByRole('link', { name: `Repeat ${rxNo}` }).press('Enter');
    await doctor.getByText(`Repeats ${rxNo}`).waitFor();
    await doctor.getByLabel('Why nevertheless?').waitFor();
    const taken = ['Dose (capsule)', 'Times a day', 'Days'].map((label) => doctor.getByLabel(label).inputValue());
    expect(await Promise.all(taken)).toEqual(['1', '3', '7']);
    expect(await doctor.getByLabel('Why nevertheless?').inputValue()).toBe('');
    expect(await violations(doctor)).toEqual([]);
    await doctor.getByLabel('Why nevertheless?').fill('Tolerated it');
    await doctor.keyboard.press('Control+Enter');
    const links = doctor.getByRole('link', { name: /^RX-\d+$/ });
    await links.nth(1).waitFor();
    await links.first().press('Enter');
    await doctor.getByText(`Repeats: ${rxNo}`).waitFor();
    await doctor.getByText('Tolerated it').waitFor();

    await pharmacist.goto(`${scene.origin}/drugs`);
    await pharmacist.getByRole('link', { name: 'Amoxicillin', exact: true }).click();
    await pharmacist.getByRole('button', { name: 'Do not use for now' }).click();
    await pharmacist.getByRole('button', { name: 'Use again' }).waitFor();
    await doctor.goto(`${scene.origin}${repeatPath}`);
    await doctor.getByText('Left out, because the pharmacy no longer has it: Amoxicillin 500 mg.').waitFor();
    expect(await doctor.getByLabel('Dose (capsule)').count()).toBe(0);
    expect(await violations(doctor)).toEqual([]);
    await pharmacist.getByRole('button', { name: 'Use again' }).click();
    await pharmacist.getByRole('button', { name: 'Do not use for now' }).waitFor();
  }, 120_000);

  it('is usable in Arabic on a phone', async () => {
    const options = { viewport: { width: 320, height: 640 } };
    const phone = await scene.loggedIn('DOCTOR', options);
    await phone.evaluate(`localStorage.setItem('hms-language', 'ar')`);
    const look = async (path: string) => {
      await visit(phone, `${scene.origin}${path}`);
      expect(await phone.evaluate('document.documentElement.dir')).toBe('rtl');
      expect([path, await overflow(phone)]).toEqual([path, 0]);
      expect(await violations(phone)).toEqual([]);
    };
    for (const path of ['/stock', '/stock?tab=batches', '/drugs', '/interactions', batchPath]) await look(path);
    await look(rxPath);
    await look(`/patients/${patientId}?tab=prescriptions`);
    await look('/prescriptions?status=all');
    await picture(phone, 'prescriptions-phone-arabic');
    await look(`/prescriptions/new?patient=${patientId}`);
    await phone.getByRole('combobox').pressSequentially('war');
    await phone.getByRole('option').first().waitFor();
    await phone.keyboard.press('Enter');
    await phone.getByText('Warfarin').first().waitFor();
    expect(await overflow(phone)).toBe(0);
    expect(await violations(phone)).toEqual([]);
    await phone.context().close();
  }, 120_000);
});
