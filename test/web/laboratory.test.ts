/** A test from the order to the report: a doctor orders it, a technician enters it, a colleague verifies it. */
import { dataOf, type Schemas } from '@hms/api-client';
import { listTasks, retryTasks } from '@hms/database';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { platform } from '../platform.ts';
import { type Login, logIn, overflow, picture, register, Scene, violations } from '../support/browser.ts';
import { Engines } from '../support/engines.ts';
import { api, tokenOf } from '../support/gateway.ts';
import { mailsTo } from '../support/mails.ts';
import { until } from '../support/until.ts';

const SLOW = 90_000;
const PHONE = { viewport: { width: 360, height: 740 }, hasTouch: true };

let scene: Scene;
/** A doctor, and two technicians. */
let dora: Page;
let tom: Page;
let tess: Page;
let patientId: string;
let doctor: Login;

beforeAll(async () => {
  scene = await Scene.start("St. Mary's Hospital");
  doctor = await scene.hire('Dora', 'Daly', 'DOCTOR');
  const logins = [
    doctor,
    await scene.hire('Tom', 'Tully', 'LAB_TECH'),
    await scene.hire('Tess', 'Tobin', 'LAB_TECH'),
  ] as const;
  [dora, tom, tess] = [
    await scene.loggedIn(logins[0]),
    await scene.loggedIn(logins[1]),
    await scene.loggedIn(logins[2]),
  ];
  patientId = await register(dora, scene.origin, { firstName: 'Nora', lastName: 'Quinn' });
}, 180_000);
afterAll(() => scene?.stop());

const heading = (page: Page, name: string) => page.getByRole('heading', { name, exact: true });
const scanField = (page: Page) => page.getByLabel('Scan a specimen').and(page.getByRole('textbox'));
/** As a scanner does, which types where the cursor is. */
async function scan(page: Page, number: string): Promise<void> {
  await scanField(page).focus();
  await page.keyboard.type(number);
  await page.keyboard.press('Enter');
}
const critical = (mails: Awaited<ReturnType<typeof mailsTo>>) =>
  mails.filter(({ subject }) => subject.startsWith('Critical result'));
/** Half an hour later. */
async function nobodyAnswers(): Promise<void> {
  const engines = new Engines(platform());
  const tasks = await listTasks(engines.db, { hospital: scene.prefix });
  const first = tasks
    .filter(({ task }) => task === 'critical-result')
    .sort((a, b) => Number(a.runAt) - Number(b.runAt));
  await retryTasks(
    engines.db,
    first.slice(0, 1).map(({ id }) => id),
  );
  await engines.close();
}
const hasFocus = (page: Page, name: string | RegExp, role: 'button' | 'textbox' | 'combobox') =>
  page.locator('*:focus').and(page.getByRole(role, { name })).waitFor();
const count = (page: Page, list: string, number: number) =>
  page
    .getByRole('navigation', { name: 'Lists of work' })
    .getByRole('link', { name: new RegExp(`^${list}\\s*${number}$`) })
    .waitFor();

describe('the catalogue', () => {
  it('takes a test without a mouse, and says at the field which ranges overlap', async () => {
    await tom.getByRole('link', { name: 'Lab tests' }).press('Enter');
    await tom.getByText('There are no lab tests yet.').waitFor();
    expect(await violations(tom)).toEqual([]);
    await tom.getByRole('link', { name: 'New lab test' }).press('Enter');
    await heading(tom, 'New lab test').waitFor();
    for (const text of ['Potassium', 'K', 'Serum']) {
      await tom.keyboard.type(text);
      await tom.keyboard.press('Enter');
    }
    await tom.getByRole('textbox', { name: 'Unit' }).fill('mmol/L');
    await tom.getByLabel('Most decimals').selectOption('2');
    await tom.getByRole('button', { name: 'Add a range' }).press('Enter');
    const range = (number: number) => tom.getByRole('group', { name: `Range ${number}` });
    await range(1).getByLabel('Below age').fill('18');
    await range(1).getByLabel('Low limit').fill('3.7');
    await range(1).getByLabel('High limit').fill('5.5');
    await tom.getByRole('button', { name: 'Add a range' }).press('Enter');
    // It begins where the last one ends.
    expect(await range(2).getByLabel('From age').inputValue()).toBe('18');
    await range(2).getByLabel('From age').fill('17');
    await range(2).getByLabel('Low limit').fill('3.5');
    await range(2).getByLabel('High limit').fill('5.1');
    await range(2).getByLabel('Critical below').fill('2.5');
    await range(2).getByLabel('Critical above').fill('6.5');
    await tom.keyboard.press('Control+Enter');
    await range(2).getByText('overlaps with any sex, from 0 to 6574 days').waitFor();
    await hasFocus(tom, 'From age', 'textbox');
    expect(await violations(tom)).toEqual([]);
    await picture(tom, 'lab-test');
    await tom.keyboard.press('Control+A');
    await tom.keyboard.type('18');
    await tom.keyboard.press('Control+Enter');
    await heading(tom, 'Potassium').waitFor();
    await tom.getByRole('row', { name: /Any\s*18 years\s*–\s*3\.5\s*5\.1\s*2\.5\s*6\.5/ }).waitFor();
    await tom.getByRole('button', { name: 'Activate' }).click();
    await tom.getByText('Active', { exact: true }).waitFor();
    expect(await violations(tom)).toEqual([]);
    await tom.getByRole('button', { name: 'Edit' }).press('Enter');
    await tom.locator('input[name=name]:focus').waitFor();
    expect(await tom.getByRole('textbox', { name: 'Unit' }).getAttribute('readonly')).not.toBeNull();
    await tom.getByRole('button', { name: 'Cancel' }).press('Enter');
  });

  it('takes a panel, whose tests are found while somebody types', async () => {
    const client = api(await tokenOf(scene.prefix, 'LAB_TECH'));
    const numeric = { valueType: 'numeric', decimals: 1 } as const;
    const bodies: readonly Schemas['NewLabTest'][] = [
      {
        ...numeric,
        code: 'NA',
        name: 'Sodium',
        specimenType: 'Serum',
        unit: 'mmol/L',
        ranges: [{ low: '135', high: '145' }],
      },
      {
        ...numeric,
        code: 'WBC',
        name: 'Leukocytes',
        specimenType: 'EDTA blood',
        unit: '10⁹/L',
        ranges: [{ low: '4', high: '11' }],
      },
    ];
    for (const body of bodies) {
      const { id } = await dataOf(client.POST('/api/hms/lab-tests', { body }));
      await dataOf(client.POST('/api/hms/lab-tests/{id}/activate', { params: { path: { id } }, body: {} }));
    }
    await tom.getByRole('link', { name: 'Lab panels' }).click();
    await tom.getByRole('link', { name: 'New lab panel' }).click();
    await heading(tom, 'New lab panel').waitFor();
    await tom.keyboard.type('Electrolytes');
    await tom.keyboard.press('Enter');
    await tom.keyboard.type('ELEC');
    await tom.keyboard.press('Enter');
    await tom.keyboard.type('sod');
    await tom.getByRole('option', { name: 'Sodium' }).waitFor();
    await tom.keyboard.press('Enter');
    // One letter is a code.
    await tom.keyboard.type('k');
    await tom.getByRole('option', { name: 'Potassium' }).waitFor();
    expect(await violations(tom)).toEqual([]);
    await tom.keyboard.press('Enter');
    await tom.getByRole('button', { name: 'Remove Potassium' }).waitFor();
    await tom.keyboard.press('Control+Enter');
    await tom.getByRole('link', { name: 'Electrolytes' }).click();
    await tom.getByRole('listitem').filter({ hasText: 'Sodium' }).waitFor();
    expect(await violations(tom)).toEqual([]);
  });
});

describe('an order', () => {
  it(
    'is placed without a mouse on the record of the patient',
    async () => {
      await tom.goto(`${scene.origin}/laboratory?work=collect`);
      await tom.getByText('Nothing is to be collected.').waitFor();
      await dora.goto(`${scene.origin}/patients/${patientId}?tab=laboratory`);
      await dora.getByText('No tests were ordered yet.').waitFor();
      expect(await violations(dora)).toEqual([]);
      await dora.getByRole('link', { name: 'Order tests' }).press('Enter');
      await heading(dora, 'Order tests for Nora Quinn').waitFor();
      await dora.keyboard.press('Control+Enter');
      await dora.getByText('Choose at least one test.').waitFor();
      for (const [text, name] of [
        ['elec', 'Electrolytes'],
        ['leuk', 'Leukocytes'],
      ] as const) {
        await dora.getByLabel('Tests and panels').and(dora.getByRole('combobox')).focus();
        await dora.keyboard.type(text);
        await dora.getByRole('option', { name }).waitFor();
        await dora.keyboard.press('Enter');
        await dora.getByRole('button', { name: `Remove ${name}` }).waitFor();
      }
      await dora.getByLabel('Stat').press('Space');
      await dora.getByLabel('Clinical note').fill('Takes spironolactone');
      expect(await violations(dora)).toEqual([]);
      await picture(dora, 'lab-new-order');
      await dora.keyboard.press('Control+Enter');
      await dora.getByRole('link', { name: 'LAB-000001' }).waitFor();
      // The technician sees it, without a reload.
      await tom.getByRole('link', { name: 'Quinn, Nora' }).waitFor();
      await count(tom, 'To collect', 1);
      expect(await violations(tom)).toEqual([]);
    },
    SLOW,
  );
});

describe('the bench', () => {
  it('takes a scan to what is to be done: collect, then enter', async () => {
    await tom.goto(`${scene.origin}/laboratory`);
    await heading(tom, 'Lab orders').waitFor();
    await hasFocus(tom, 'Scan a specimen', 'textbox');
    await tom.keyboard.type('S-999999');
    await tom.keyboard.press('Enter');
    await tom.getByText('No specimen has this number. Check the label.').waitFor();
    expect(await violations(tom)).toEqual([]);
    await tom.keyboard.press('Control+A');
    await tom.keyboard.type('s-1');
    await tom.keyboard.press('Enter');
    await heading(tom, 'Nora Quinn').waitFor();
    await hasFocus(tom, 'Collect S-000001', 'button');
    expect(await violations(tom)).toEqual([]);
    await tom.keyboard.press('Enter');
    // The cursor is where the next scan goes.
    await hasFocus(tom, 'Scan a specimen', 'textbox');
    await tom.getByRole('region', { name: 'Specimen S-000001' }).getByText('Collected', { exact: true }).waitFor();
    await scan(tom, 'S-000001');
    await hasFocus(tom, 'Sodium (mmol/L)', 'textbox');
  });

  it('flags what is typed, and goes from test to test with Enter', async () => {
    const potassium = tom.getByRole('textbox', { name: 'Potassium (mmol/L)' });
    const sodium = tom.getByRole('textbox', { name: 'Sodium (mmol/L)' });
    await sodium.focus();
    await tom.keyboard.type('14o');
    await tom.getByText('Write a number, like 5.1').waitFor();
    await tom.keyboard.press('Control+A');
    await tom.keyboard.type('140');
    await tom.getByText('normal', { exact: true }).waitFor();
    await tom.keyboard.press('Enter');
    await hasFocus(tom, 'Potassium (mmol/L)', 'textbox');
    expect(await potassium.getAttribute('inputmode')).toBe('decimal');
    await tom.keyboard.type('6.8');
    await tom.getByText('critically high').waitFor();
    expect(await violations(tom)).toEqual([]);
    await picture(tom, 'lab-order');
    await tom.keyboard.press('Enter');
    await hasFocus(tom, 'Save the results', 'button');
    await tom.keyboard.press('Enter');
    await tom.getByText('You entered these results, so a colleague has to verify them.').waitFor();
    await hasFocus(tom, 'Scan a specimen', 'textbox');
    expect(await tom.getByRole('button', { name: /^Verify/ }).count()).toBe(0);
    await tom.getByText('Critical: waits for a doctor').waitFor();
    expect(await violations(tom)).toEqual([]);
  });

  it('shows a critical result to doctors at once, until one acknowledges it', async () => {
    await dora.getByRole('link', { name: 'Lab orders', exact: true }).click();
    await heading(dora, 'Lab orders').waitFor();
    await dora.getByRole('row', { name: /Quinn, Nora.*Potassium.*6\.8.*critically high/ }).waitFor();
    await count(dora, 'Critical', 1);
    expect(await violations(dora)).toEqual([]);
    await picture(dora, 'lab-critical');
    await nobodyAnswers();
    const [first] = await until(
      'a mail',
      () => mailsTo(doctor.email).then(critical),
      (mails) => mails.length === 1,
    );
    expect(first).toMatchObject({ subject: 'Critical result: LAB-000001' });
    expect(first?.html).toContain(`${scene.origin}/laboratory/`);
    expect(first?.html).not.toMatch(/Nora|Quinn|6\.8/);
    await dora.getByText(/nobody has answered, the doctor got a mail/).waitFor();
    await dora.goto(`${scene.origin}/patients`);
    await dora.getByText('Critical results that nobody has answered in time: 1').waitFor();
    expect(await violations(dora)).toEqual([]);
    await picture(dora, 'lab-critical-notice');
    await dora.getByRole('link', { name: 'Open the list' }).press('Enter');
    await dora.getByRole('button', { name: 'Acknowledge the critical results of LAB-000001' }).press('Enter');
    await dora.getByText('No critical result waits for a doctor.').waitFor();
    await count(dora, 'Critical', 0);
    await tom.getByText(/Critical: seen by Dora Daly/).waitFor();
  });

  it('lets another person verify, with a scan and Enter', async () => {
    await tess.getByRole('link', { name: 'Lab orders', exact: true }).click();
    await count(tess, 'To verify', 1);
    await scan(tess, 'S-000001');
    await hasFocus(tess, 'Verify 2 results', 'button');
    expect(await violations(tess)).toEqual([]);
    await tess.keyboard.press('Enter');
    await tess
      .getByText(/Verified by Tess Tobin/)
      .first()
      .waitFor();
    await hasFocus(tess, 'Scan a specimen', 'textbox');
  });

  it('rejects a specimen, and expects another one in its place', async () => {
    await scan(tess, 'S-000002');
    await hasFocus(tess, 'Collect S-000002', 'button');
    const label = tess.context().waitForEvent('page');
    await tess
      .getByRole('region', { name: 'Specimen S-000002' })
      .getByRole('button', { name: 'Collect and print the label' })
      .click();
    await (await label).close();
    await tess.getByRole('button', { name: 'Reject S-000002' }).click();
    await hasFocus(tess, 'Why is the specimen rejected?', 'combobox');
    await tess.keyboard.press('Control+Enter');
    await tess.getByText('Fill in this field.').waitFor();
    await tess.keyboard.type('Clotted');
    expect(await violations(tess)).toEqual([]);
    await tess.keyboard.press('Control+Enter');
    await tess.getByText('Clotted Collect S-000003 in its place.').waitFor();
    await scan(tess, 'S-000003');
    await hasFocus(tess, 'Collect S-000003', 'button');
    await tess.keyboard.press('Enter');
    await tess.getByRole('region', { name: 'Specimen S-000003' }).getByText('Collected', { exact: true }).waitFor();
  });

  it(
    'says which rows and columns of an analyser’s file are wrong, before it stores anything',
    async () => {
      await tom.goto(`${scene.origin}/laboratory/import`);
      const csv = 'accessionNo,testCode,value,unit\nS-000003,WBC,7.2,10⁹/L\nS-000003,WBX,1,\nS-000009,WBC,1,\n';
      const file = { name: 'rack-7.csv', mimeType: 'text/csv', buffer: Buffer.from(csv) };
      await tom.locator('input[type=file]').setInputFiles(file);
      await tom.getByText('To be imported: 1, imported before: 0, wrong: 2.').waitFor();
      await tom.getByRole('row', { name: '3 testCode WBX This test is not ordered for this specimen.' }).waitFor();
      await tom
        .getByRole('row', { name: '4 accessionNo S-000009 No specimen of this hospital has this number.' })
        .waitFor();
      expect(await violations(tom)).toEqual([]);
      await picture(tom, 'lab-import');
      await tom.getByRole('button', { name: 'Import one result' }).click();
      await tom.getByText('Imported: 1, imported before: 0, wrong: 2.').waitFor();
      await tom.getByRole('link', { name: 'To the results that wait for verification' }).click();
      await tom.getByRole('link', { name: 'Quinn, Nora' }).click();
      await tom.getByText(/Imported by Tom Tully/).waitFor();
      await tess.getByRole('button', { name: 'Verify the result' }).click();
      await tess
        .getByText(/Verified by Tess Tobin/)
        .nth(2)
        .waitFor();
    },
    SLOW,
  );
});

describe('the report', () => {
  /** What the storage answers when the report is opened. */
  async function opened(page: Page, name: string): Promise<string | undefined> {
    const answer = page.context().waitForEvent('response', { predicate: (one) => one.url().includes('/lab-reports/') });
    await page.getByRole('button', { name, exact: true }).click();
    const response = await answer;
    expect(response.status()).toBe(200);
    return response.headers()['content-type'];
  }

  it('is read on the record of the patient, with the results', async () => {
    await dora.goto(`${scene.origin}/patients/${patientId}?tab=laboratory`);
    await dora.getByRole('row', { name: /LAB-000001.*Sodium.*140.*Potassium.*6\.8.*Leukocytes.*7\.2/ }).waitFor();
    await dora.getByRole('button', { name: 'Report', exact: true }).waitFor();
    expect(await violations(dora)).toEqual([]);
    await picture(dora, 'lab-results');
    expect(await opened(dora, 'Report')).toBe('application/pdf');
  });

  it(
    'is replaced when a result is amended, and the old value stays visible',
    async () => {
      await tom.getByRole('button', { name: 'Amend Potassium' }).click();
      await tom.getByRole('textbox', { name: /New value/ }).fill('4.8');
      await tom.getByRole('textbox', { name: /Reason/ }).fill('Wrong tube measured');
      expect(await violations(tom)).toEqual([]);
      await tom.keyboard.press('Control+Enter');
      await tom.locator('del', { hasText: '6.8' }).waitFor();
      await tom.getByText('Wrong tube measured').waitFor();
      await picture(tom, 'lab-amended');
      await dora.getByRole('button', { name: 'Report 1, replaced' }).waitFor();
      expect(await dora.getByRole('button', { name: 'Report', exact: true }).count()).toBe(0);
      await dora.getByRole('link', { name: 'LAB-000001' }).click();
      await dora.getByRole('button', { name: 'Verify the result' }).click();
      await dora.getByRole('button', { name: 'Report', exact: true }).waitFor();
      expect(await opened(dora, 'Report')).toBe('application/pdf');
      expect(await violations(dora)).toEqual([]);
    },
    SLOW,
  );
});

describe('two people at one specimen', () => {
  it('do not overwrite each other', async () => {
    const client = api(await tokenOf(scene.prefix, 'DOCTOR'));
    const [sodium] = await dataOf(client.GET('/api/hms/lab-tests', { params: { query: { code: 'NA' } } }));
    const body = { patientId, testIds: [sodium?.id ?? ''] };
    const { id } = await dataOf(client.POST('/api/hms/lab-orders', { body }));
    const tech = api(await tokenOf(scene.prefix, 'LAB_TECH'));
    await dataOf(tech.POST('/api/hms/lab-orders/{id}/collect', { params: { path: { id } }, body: {} }));
    for (const page of [tom, tess]) await page.goto(`${scene.origin}/laboratory/${id}`);
    const field = (page: Page) => page.getByRole('textbox', { name: 'Sodium (mmol/L)' });
    await field(tom).fill('141');
    await field(tess).fill('139');
    // What is verified already is offered for comparison.
    await tess.getByText('140').first().waitFor();
    await tess.getByRole('button', { name: 'Save the results' }).click();
    await tom.getByText('Tess Tobin has entered another value meanwhile.').waitFor();
    expect(await field(tom).inputValue()).toBe('141');
    expect(await violations(tom)).toEqual([]);
    await tom.getByRole('button', { name: 'Replace it with mine' }).click();
    await tom.getByRole('button', { name: 'Save the results' }).click();
    await tess.getByText(/Entered by Tom Tully/).waitFor();
    await tess.locator('del', { hasText: '139' }).waitFor();
  });
});

describe('the results of a patient', () => {
  it('are shown over time, as a chart and as a table', async () => {
    await dora.goto(`${scene.origin}/patients/${patientId}?tab=laboratory`);
    await dora.getByRole('link', { name: 'Sodium' }).first().press('Enter');
    await heading(dora, 'Sodium (mmol/L)').waitFor();
    await dora.getByRole('img', { name: /^2 results from/ }).waitFor();
    await dora.getByRole('row', { name: /141 mmol\/L preliminary.*normal.*135 – 145/ }).waitFor();
    await dora.getByRole('row', { name: /140 mmol\/L .*LAB-000001/ }).waitFor();
    expect(await violations(dora)).toEqual([]);
    await picture(dora, 'lab-over-time');
    await dora.getByRole('link', { name: 'LAB-000001' }).click();
    await heading(dora, 'Nora Quinn').waitFor();
  });
});

describe('a phone', () => {
  it(
    'shows the bench and an order in Arabic, mirrored',
    async () => {
      const { email, password } = await scene.person('LAB_TECH');
      const phone = await (await scene.context(PHONE)).newPage();
      await phone.goto(`${scene.origin}/laboratory?work=verify`);
      await logIn(phone, email, password);
      await phone.getByRole('link', { name: 'Quinn, Nora' }).last().waitFor();
      await phone.getByRole('button', { name: 'Language: English' }).click();
      await phone.getByRole('menuitem', { name: 'العربية' }).click();
      await phone.getByRole('heading', { name: 'طلبات المختبر' }).waitFor();
      await phone.getByRole('link', { name: 'Quinn, Nora' }).last().waitFor();
      expect(await phone.evaluate('document.documentElement.dir')).toBe('rtl');
      expect(await overflow(phone)).toBe(0);
      expect(await violations(phone)).toEqual([]);
      await picture(phone, 'laboratory-phone-arabic');
      await phone.getByRole('link', { name: 'Quinn, Nora' }).last().click();
      await phone.getByRole('button', { name: 'اعتماد النتيجة' }).waitFor();
      expect(await overflow(phone)).toBe(0);
      expect(await violations(phone)).toEqual([]);
      for (const path of ['lab-tests', 'lab-panels', 'laboratory/import', `laboratory/new?patient=${patientId}`]) {
        await phone.goto(`${scene.origin}/${path}`);
        await phone.locator('h1').waitFor();
        expect([path, await overflow(phone), await violations(phone)]).toEqual([path, 0, []]);
      }
    },
    SLOW,
  );
});
