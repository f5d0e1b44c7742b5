/** A receptionist's first hour in the portal, with what axe says about each state of a page. */
import { envelopeOf } from '@hms/api-client';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { logIn, overflow, picture, randomPhone, register, Scene, violations, visit } from '../support/browser.ts';
import { api, tokenOf } from '../support/gateway.ts';
import { until } from '../support/until.ts';

const PDF = '%PDF-1.4\n1 0 obj<</Type/Catalog>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF\n';
const NORA = { firstName: 'Nora', lastName: 'Quinn', phone: randomPhone() };

let scene: Scene;
let page: Page;
let noraId: string;

beforeAll(async () => {
  scene = await Scene.start("St. Mary's Hospital");
}, 180_000);
afterAll(() => scene?.stop());

const heading = (name: string) => page.getByRole('heading', { name, exact: true });
/** The element with the focus, as its name. */
const focused = () =>
  page.evaluate(
    "document.activeElement?.labels?.[0]?.textContent.replace(' *', '') ?? document.activeElement?.textContent ?? ''",
  );

describe('the login', () => {
  it('says what is wrong, and leads to the patients', async () => {
    const { email, password } = await scene.person('RECEPTION');
    page = await (await scene.context()).newPage();
    await page.goto(`${scene.origin}/`);
    await page.getByText("St. Mary's Hospital").waitFor();
    expect(await violations(page)).toEqual([]);
    await picture(page, 'login');
    await logIn(page, email, 'wrong');
    await page.getByText('The email address or the password is wrong.').waitFor();
    expect(await violations(page)).toEqual([]);
    await logIn(page, email, password);
    await heading('Patients').waitFor();
    await page.getByText('There are no patients yet.').waitFor();
    expect(await violations(page)).toEqual([]);
    expect(new URL(page.url()).pathname).toBe('/patients');
  });
});

describe('the registration', () => {
  it('works without a mouse: Enter moves on, and Ctrl+Enter saves', async () => {
    await page.getByRole('link', { name: 'Register a patient' }).press('Enter');
    await page.getByLabel('First name').focus();
    await page.keyboard.type('Nora');
    await page.keyboard.press('Enter');
    expect(await focused()).toBe('Last name');
    await page.keyboard.type('Quinn');
    await page.keyboard.press('Control+Enter');
    await page.getByText('Fill in this field. If nobody can tell').first().waitFor();
    expect(await violations(page)).toEqual([]);
    expect(await focused()).toBe('Day of birth');
    await page.getByLabel('Day of birth').fill('1988-02-29');
    await page.getByLabel('Phone').focus();
    await page.keyboard.type('123');
    await page.keyboard.press('Control+Enter');
    await page.getByText('Write the whole number').waitFor();
    await page.getByLabel('Phone').fill(NORA.phone);
    await page.keyboard.press('Control+Enter');
    await page.waitForURL(/\/patients\/[0-9a-f-]{36}/);
    await heading('Nora Quinn').waitFor();
    noraId = page.url().split('/').at(-1) ?? '';
    expect(await violations(page)).toEqual([]);
  });

  it('shows who may be the same person while somebody types, and wants a reason for another one', async () => {
    await page.goto(`${scene.origin}/patients/new`);
    for (const [label, text] of [
      ['First name', NORA.firstName],
      ['Last name', NORA.lastName],
      ['Day of birth', '1988-02-29'],
    ] as const) {
      await page.getByLabel(label).fill(text);
      await page.keyboard.press('Tab');
    }
    const alike = page.getByRole('region', { name: 'Somebody who may be the same person is registered already' });
    await alike.waitFor();
    expect(await alike.locator('mark').allTextContents()).toEqual(['Quinn, Nora', '29 Feb 1988']);
    // Beside the form, and never below what somebody sees.
    const [side, form] = [await alike.boundingBox(), await page.getByLabel('First name').boundingBox()];
    expect((side?.x ?? 0) > (form?.x ?? 0) + (form?.width ?? 0)).toBe(true);
    expect(await violations(page)).toEqual([]);
    await picture(page, 'look-alike');
    await page.getByLabel('Phone').fill(randomPhone());
    await page.keyboard.press('Control+Enter');
    await alike.getByText('Say why, or open the record of this person.').waitFor();
    expect(await focused()).toContain('Why is this another person?');
    await page.keyboard.type('A cousin with the same name');
    await page.keyboard.press('Control+Enter');
    await page.waitForURL(/\/patients\/[0-9a-f-]{36}/);
    expect(page.url()).not.toContain(noraId);
    const owner = api(await tokenOf(scene.prefix, 'OWNER'));
    const { data } = await envelopeOf(owner.GET('/api/auth/audit', { params: { query: { action: 'overrule' } } }));
    expect(data).toMatchObject([{ details: { reason: 'A cousin with the same name', candidates: [{ id: noraId }] } }]);
  });
});

describe('the list', () => {
  it('is searched while typing, with the search in the address', async () => {
    const others = [
      { firstName: 'Seán', lastName: 'Ó Briain', day: '2019-06-01' },
      { firstName: 'ليلى', lastName: 'حداد', day: '1975-11-30' },
      { firstName: 'Aoife', lastName: 'Byrne', day: '1999-01-15' },
      { firstName: 'Tomasz', lastName: 'Kowalski', day: '1961-08-08' },
    ];
    for (const other of others) await register(page, scene.origin, other);
    await page.getByRole('link', { name: 'Patients', exact: true }).click();
    await page.getByText('6 entries').last().waitFor();
    expect(await violations(page)).toEqual([]);
    await page.getByRole('searchbox').pressSequentially('quin', { delay: 60 });
    await page.waitForURL(/q=quin$/);
    await page.getByText('2 entries').last().waitFor();
    await page.getByRole('searchbox').fill('nobody at all');
    await page.getByText('Nothing found for “nobody at all”.').waitFor();
    expect(await violations(page)).toEqual([]);
  });

  it('changes when somebody else registers a patient', async () => {
    await page.goto(`${scene.origin}/patients`);
    await page.getByText('6 entries').last().waitFor();
    const other = await scene.loggedIn('NURSE');
    await register(other, scene.origin, { firstName: 'Emil', lastName: 'Novak', day: '1950-03-03' });
    await page.getByRole('link', { name: 'Novak, Emil' }).waitFor();
    await other.context().close();
  });
});

describe('the record', () => {
  it('takes a document, and gives it back', async () => {
    await page.goto(`${scene.origin}/patients/${noraId}`);
    await page.getByRole('tab', { name: 'Documents' }).click();
    await page.getByText('There are no documents yet.').waitFor();
    const file = { name: 'referral.pdf', mimeType: 'application/pdf', buffer: Buffer.from(PDF) };
    await page.getByRole('tabpanel').locator('input[type=file]').setInputFiles(file);
    await page.getByRole('button', { name: 'Upload', exact: true }).click();
    await page.getByRole('cell', { name: 'referral.pdf' }).waitFor();
    expect(await violations(page)).toEqual([]);
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download referral', exact: true }).click();
    const stream = await (await download).createReadStream();
    expect(Buffer.concat(await stream.toArray()).toString()).toBe(PDF);
    const wrong = { name: 'referral.pdf', mimeType: 'application/pdf', buffer: Buffer.from('no pdf') };
    await page.getByRole('tabpanel').locator('input[type=file]').setInputFiles(wrong);
    await page.getByRole('button', { name: 'Upload', exact: true }).click();
    await page.getByText('Files of this type are not allowed').waitFor();
    expect(await violations(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  });

  it('takes a photo, and shows it above every tab', async () => {
    const buffer = await page.screenshot({ clip: { x: 0, y: 0, width: 200, height: 200 } });
    const chosen = { name: 'nora.png', mimeType: 'image/png', buffer };
    await page.getByRole('main').locator('input[type=file]').first().setInputFiles(chosen);
    const photo = page.getByRole('img', { name: 'Photo of Nora Quinn' });
    await photo.waitFor();
    await until(
      'the photo',
      () => photo.evaluate((shown: { naturalWidth: number }) => shown.naturalWidth),
      (width) => width === 200,
    );
    expect(await violations(page)).toEqual([]);
    await page.reload();
    await photo.waitFor();
  });

  it('takes another member into the family', async () => {
    await page.getByRole('tab', { name: 'Family' }).click();
    await page.getByText('Family Quinn').waitFor();
    await page.getByRole('searchbox').fill('briain');
    await page.getByLabel('Relation').selectOption('child');
    expect(await violations(page)).toEqual([]);
    await page.getByRole('button', { name: 'Add Seán Ó Briain' }).click();
    await page.getByRole('link', { name: 'Ó Briain, Seán' }).waitFor();
  });

  it('shows above it which allergies were recorded, and what nobody has asked yet', async () => {
    const warnings = page.getByRole('region', { name: 'Allergies and alerts' });
    await warnings.getByText('Allergies: not asked yet').waitFor();
    await page.getByRole('tab', { name: 'Allergies and alerts' }).click();
    await page.getByRole('button', { name: 'Edit' }).press('Enter');
    await page.getByRole('button', { name: 'Add an allergy' }).press('Enter');
    expect(await focused()).toBe('Substance');
    await page.keyboard.type('Penicillin');
    await page.keyboard.press('Control+Enter');
    await page.getByText('Fill in this field.').waitFor();
    expect(await violations(page)).toEqual([]);
    await page.getByLabel('Severity').selectOption('severe');
    await page.getByRole('button', { name: 'Add an alert' }).click();
    await page.getByRole('textbox', { name: 'Alert', exact: true }).fill('Risk of falls');
    await page.keyboard.press('Control+Enter');
    await page.getByText('Saved.').waitFor();
    await warnings.getByText('Penicillin: severe').waitFor();
    await warnings.getByText('Risk of falls').waitFor();
    expect(await violations(page)).toEqual([]);
    await picture(page, 'allergies');
    await page.setViewportSize({ width: 320, height: 640 });
    expect(await overflow(page)).toBe(0);
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.getByRole('button', { name: 'Edit' }).click();
    await page.getByRole('button', { name: 'Remove' }).first().click();
    await page.getByLabel('No known allergies').check();
    await page.keyboard.press('Control+Enter');
    await warnings.getByText('No known allergies').waitFor();
  });

  it('is changed, and says so', async () => {
    await page.getByRole('tab', { name: 'Details' }).click();
    await page.getByRole('button', { name: 'Edit' }).click();
    await page.getByLabel('Email address').fill('nora@example.org');
    await page.getByLabel('City').fill('Ennis');
    await page.getByLabel('Country').selectOption({ label: 'Ireland' });
    await page.getByLabel('Gender').selectOption('female');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved.').waitFor();
    expect(await violations(page)).toEqual([]);
  });
});

describe('what is not for a receptionist', () => {
  it('is neither in the menu nor at its address', async () => {
    expect(await page.getByRole('link', { name: 'Audit log' }).count()).toBe(0);
    expect(await page.getByRole('tab', { name: 'History' }).count()).toBe(0);
    await page.goto(`${scene.origin}/audit`);
    await heading('Not for your role').waitFor();
    expect(await violations(page)).toEqual([]);
    await page.goto(`${scene.origin}/nowhere`);
    await heading('Page not found').waitFor();
    expect(await violations(page)).toEqual([]);
  });

  it('is there for an administrator: who looked, and what was done', async () => {
    const admin = await scene.loggedIn('ADMIN');
    await admin.goto(`${scene.origin}/patients/${noraId}?tab=history`);
    await admin.getByRole('cell', { name: 'changed the record of a patient' }).first().waitFor();
    expect(await violations(admin)).toEqual([]);
    await picture(admin, 'history');
    await admin.getByRole('link', { name: 'Audit log' }).click();
    await admin.getByLabel('Action').selectOption('create');
    await admin.waitForURL(/action=create/);
    await admin.getByRole('cell', { name: 'registered a patient' }).first().waitFor();
    expect(await violations(admin)).toEqual([]);
    await admin.getByRole('combobox', { name: 'Patient' }).fill('nora');
    await admin.getByRole('listbox', { name: 'Patient' }).getByRole('option').first().click();
    await admin.waitForURL(/patientId=/);
    // The former lines stay until the others are there.
    const numbers = () => admin.getByRole('row').getByRole('link').allTextContents();
    await until('the lines about one patient', numbers, (all) => new Set(all).size === 1);
    await admin.getByRole('row').getByRole('link').first().click();
    await admin.waitForURL(/\/patients\/[0-9a-f-]{36}$/);
    await admin.goBack();
    await admin.getByRole('button', { name: 'Clear the filters' }).click();
    await admin.getByLabel('Action').selectOption('login');
    await admin.getByRole('cell', { name: 'logged in' }).first().waitFor();
    await admin.context().close();
  });
});

describe('Arabic', () => {
  it('mirrors the pages, without a loss of what is typed', async () => {
    await page.goto(`${scene.origin}/patients/new`);
    await page.getByLabel('First name').fill('ليلى');
    await page.getByRole('button', { name: 'Language: English' }).click();
    await page.getByRole('menuitem', { name: 'العربية' }).click();
    await page.getByRole('heading', { name: 'تسجيل مريض' }).waitFor();
    expect(await page.evaluate('[document.documentElement.dir, document.documentElement.lang]')).toEqual(['rtl', 'ar']);
    expect(await page.getByLabel('الاسم الأول').inputValue()).toBe('ليلى');
    const navigation = await page.getByRole('navigation').boundingBox();
    expect(navigation?.x).toBeGreaterThan(1000);
    expect(await violations(page)).toEqual([]);
    await page.getByLabel('الاسم الأول').fill('');
    await page.getByRole('link', { name: 'المرضى' }).click();
    await page.getByText('7 سجلات').last().waitFor();
    expect(await violations(page)).toEqual([]);
  });
});

describe('paper', () => {
  it('has the hospital, the title and every row, but no menu, button or search field', async () => {
    const nurse = await scene.loggedIn('NURSE');
    await nurse.getByText('7 entries').last().waitFor();
    await nurse.emulateMedia({ media: 'print' });
    for (const shown of [nurse.getByText("St. Mary's Hospital"), nurse.getByRole('heading', { name: 'Patients' })])
      expect(await shown.isVisible()).toBe(true);
    expect(await nurse.locator('tbody tr:visible').count()).toBe(7);
    expect(await nurse.locator('nav:visible, button.mantine-Button-root:visible, [type=search]:visible').count()).toBe(
      0,
    );
    const top = await nurse.getByRole('heading', { name: 'Patients' }).boundingBox();
    expect([top?.x, (top?.y ?? 0) < 120]).toEqual([0, true]);
    const sheets = (await nurse.pdf({ format: 'A4', preferCSSPageSize: true })).toString('latin1');
    expect(sheets.match(/\/Type\s*\/Page\b/g)).toHaveLength(1);
    await nurse.context().close();
  });
});

describe('a phone of 320 pixels', () => {
  it('shows all of it, without scrolling to the side', async () => {
    const phone = await scene.loggedIn('RECEPTION', { viewport: { width: 320, height: 640 }, hasTouch: true });
    await phone.getByRole('link', { name: 'Novak, Emil' }).waitFor();
    expect([await overflow(phone), await violations(phone)]).toEqual([0, []]);
    await phone.getByRole('button', { name: 'Menu' }).click();
    await phone.getByRole('link', { name: 'Patients', exact: true }).waitFor();
    expect(await violations(phone)).toEqual([]);
    for (const path of ['patients/new', `patients/${noraId}`, `patients/${noraId}?tab=family`, 'account']) {
      await visit(phone, `${scene.origin}/${path}`);
      expect([path, await overflow(phone), await violations(phone)]).toEqual([path, 0, []]);
    }
    await phone.context().close();
  }, 90_000);
});

describe('the account', () => {
  it('gets another password, and the old one is refused', async () => {
    const { email, password } = await scene.person('CASHIER');
    const cashier = await scene.loggedIn('CASHIER');
    await cashier.goto(`${scene.origin}/account`);
    const own = (label: string) => cashier.getByLabel(label, { exact: true });
    await own('Current password *').or(own('Current password')).fill(password);
    await own('New password').fill('Another-1-password');
    await own('New password again').fill('different');
    await cashier.getByRole('button', { name: 'Change the password' }).click();
    await cashier.getByText('The two passwords differ.').waitFor();
    expect(await violations(cashier)).toEqual([]);
    await own('New password again').fill('Another-1-password');
    await cashier.getByRole('button', { name: 'Change the password' }).click();
    await cashier.getByText('The password is changed.').waitFor();
    await picture(cashier, 'account');
    await cashier.getByRole('button', { name: 'Account of Demo Cashier' }).click();
    await cashier.getByRole('menuitem', { name: 'Log out' }).click();
    await logIn(cashier, email, password);
    await cashier.getByText('The email address or the password is wrong.').waitFor();
    await logIn(cashier, email, 'Another-1-password');
    await cashier.getByRole('heading', { name: 'Patients', exact: true }).waitFor();
    await cashier.context().close();
  });
});
