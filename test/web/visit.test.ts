/**
 * A patient's visit by five people in five browsers at once: registered, seen, a test ordered, collected, entered,
 * verified, its report read, a drug prescribed and dispensed. Nobody reloads: each list shows what the others did.
 */
import { dataOf, type Schemas } from '@hms/api-client';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Locator, Page } from 'playwright-core';
import { randomPhone, Scene, visit } from '../support/browser.ts';
import { api, tokenOf } from '../support/gateway.ts';
import { wordsOf } from '../support/words.ts';

const SLOW = 180_000;
const LANGUAGES = ['en', 'ar'] as const;
/** Two people who do not look like one. */
const PATIENTS = {
  en: { firstName: 'Nora', dateOfBirth: '1988-02-29' },
  ar: { firstName: 'Samir', dateOfBirth: '1961-07-30' },
};

const POTASSIUM: Schemas['NewLabTest'] = {
  ...{ code: 'K', name: 'Potassium', specimenType: 'Serum', valueType: 'numeric', unit: 'mmol/L', decimals: 1 },
  ranges: [{ low: '3.5', high: '5.1' }],
};
const AMOXICILLIN: Schemas['NewDrug'] = {
  ...{ code: 'AMX-500', name: 'Amoxicillin', ingredients: ['amoxicillin'], form: 'Capsule', unit: 'capsule' },
};

let scene: Scene;
const people = { Rita: 'RECEPTION', Dora: 'DOCTOR', Tom: 'LAB_TECH', Tess: 'LAB_TECH', Pia: 'PHARMACIST' } as const;
type Name = keyof typeof people;
const pages = {} as Record<Name, Page>;

beforeAll(async () => {
  scene = await Scene.start("St. Mary's Hospital");
  const [lab, pharmacy] = [
    api(await tokenOf(scene.prefix, 'LAB_TECH')),
    api(await tokenOf(scene.prefix, 'PHARMACIST')),
  ];
  const { id } = await dataOf(lab.POST('/api/hms/lab-tests', { body: POTASSIUM }));
  await dataOf(lab.POST('/api/hms/lab-tests/{id}/activate', { params: { path: { id } }, body: {} }));
  const { id: drugId } = await dataOf(pharmacy.POST('/api/hms/drugs', { body: AMOXICILLIN }));
  const batch = { drugId, batchNo: 'B-1', expiresOn: '2099-12-31', quantity: 100 };
  await dataOf(pharmacy.POST('/api/hms/stock-batches', { body: batch }));
  for (const [name, role] of Object.entries(people) as [Name, (typeof people)[Name]][]) {
    pages[name] = await scene.loggedIn(await scene.hire(name, 'Reyes', role));
  }
}, SLOW);
afterAll(() => scene?.stop());

/** As a scanner does, which types where the cursor is. */
async function scan(field: Locator, text: string): Promise<void> {
  await field.focus();
  await field.page().keyboard.type(text);
  await field.page().keyboard.press('Enter');
}

describe.each(LANGUAGES)('a visit in %s', (language) => {
  it(
    'goes from desk to desk',
    async () => {
      const { Rita: rita, Dora: dora, Tom: tom, Tess: tess, Pia: pia } = pages;
      const say = await wordsOf(language);
      const lastName = { en: 'Quinn', ar: 'Haddad' }[language];
      for (const page of Object.values(pages))
        await page.evaluate(`localStorage.setItem('hms-language', '${language}')`);
      await Promise.all([
        visit(rita, `${scene.origin}/patients/new`),
        visit(dora, `${scene.origin}/patients`),
        visit(tom, `${scene.origin}/laboratory?work=collect`),
        visit(tess, `${scene.origin}/laboratory?work=verify`),
        visit(pia, `${scene.origin}/prescriptions`),
      ]);
      expect(await rita.evaluate('document.documentElement.dir')).toBe(language === 'ar' ? 'rtl' : 'ltr');

      // At the desk.
      const values = { ...PATIENTS[language], lastName, phone: randomPhone() };
      for (const [name, value] of Object.entries(values)) await rita.getByLabel(say(`patients.${name}`)).fill(value);
      await rita.getByRole('button', { name: say('patients.register'), exact: true }).click();
      await rita.waitForURL(/\/patients\/[0-9a-f-]{36}/);

      // The doctor sees the patient, and orders a test.
      await dora.getByRole('link', { name: new RegExp(lastName) }).click();
      await dora.getByRole('tab', { name: say('patients.tab.laboratory') }).click();
      await dora.getByRole('link', { name: say('laboratory.new') }).click();
      await dora.getByRole('combobox', { name: say('laboratory.addTests') }).pressSequentially('pot');
      await dora.getByRole('option', { name: 'Potassium' }).waitFor();
      await dora.keyboard.press('Enter');
      await dora.getByRole('button', { name: /Potassium/ }).waitFor();
      await dora.keyboard.press('Control+Enter');
      await dora.getByRole('link', { name: /LAB-\d+/ }).waitFor();

      // A technician collects and enters it.
      await tom.getByRole('link', { name: new RegExp(lastName) }).waitFor();
      const client = api(await tokenOf(scene.prefix, 'LAB_TECH'));
      const [order] = await dataOf(client.GET('/api/hms/lab-orders', { params: { query: { q: lastName } } }));
      const accessionNo = order?.specimens[0]?.accessionNo ?? '';
      const field = (page: Page) => page.getByRole('textbox', { name: say('laboratory.scan') });
      await scan(field(tom), accessionNo);
      await tom.locator(`#collect-${accessionNo}:focus`).waitFor();
      await tom.keyboard.press('Enter');
      await tom.getByText(say('laboratory.specimenStatuses.collected'), { exact: true }).first().waitFor();
      await scan(field(tom), accessionNo);
      await tom.locator('input[inputmode="decimal"]:focus').waitFor();
      await tom.keyboard.type('4.1');
      await tom.keyboard.press('Enter');
      await tom.locator('button:focus').waitFor();
      await tom.keyboard.press('Enter');
      await tom.getByText(say('laboratory.ownResults')).waitFor();

      // Another one verifies it.
      await tess.getByRole('link', { name: new RegExp(lastName) }).waitFor();
      await scan(field(tess), accessionNo);
      await tess.locator('button:focus').waitFor();
      await tess.keyboard.press('Enter');

      // The doctor reads the report, and prescribes.
      const report = dora.getByRole('button', { name: say('laboratory.report'), exact: true });
      await report.waitFor();
      const isReport = { predicate: (one: { url(): string }) => one.url().includes('/lab-reports/') };
      const [response] = await Promise.all([dora.context().waitForEvent('response', isReport), report.click()]);
      expect(response.status()).toBe(200);
      await dora.getByRole('tab', { name: say('patients.tab.prescriptions') }).click();
      await dora.getByRole('link', { name: say('prescriptions.prescribe') }).click();
      await dora.getByRole('combobox', { name: say('prescriptions.addDrug') }).pressSequentially('amox');
      await dora.getByRole('option', { name: /AMX-500/ }).waitFor();
      await dora.keyboard.press('Enter');
      await dora.getByLabel(say('prescriptions.dose', { unit: 'capsule' })).fill('1');
      await dora.getByLabel(say('prescriptions.timesPerDay')).fill('3');
      await dora.getByRole('textbox', { name: new RegExp(`^${say('prescriptions.forDays')}`) }).fill('7');
      await dora.keyboard.press('Control+Enter');
      const rxNo = (await dora.getByRole('link', { name: /^RX-\d+$/ }).textContent()) ?? '';

      // The pharmacist dispenses it by scan.
      await pia.getByRole('link', { name: rxNo }).click();
      await pia.getByText(say('prescriptions.fromBatch', { quantity: '21', batchNo: 'B-1' })).waitFor();
      await scan(pia.getByLabel(say('prescriptions.scanPackage')), 'B-1');
      await pia.getByText(say('prescriptions.isScanned'), { exact: true }).waitFor();
      await pia.getByRole('button', { name: say('prescriptions.dispenseNow'), exact: true }).click();
      await pia
        .getByText(/DSP-\d+/)
        .first()
        .waitFor();
      await dora.getByText(say('prescriptions.statuses.dispensed'), { exact: true }).waitFor();
    },
    SLOW,
  );
});
