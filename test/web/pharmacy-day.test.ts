/** The day of a dispensary without a mouse, on a phone: a doctor, and a pharmacist with a scanner. */
import { dataOf, type Schemas } from '@hms/api-client';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Locator, Page } from 'playwright-core';
import prescribingAr from '../../web/portal/pages/prescriptions/words/ar.ts';
import prescribingEn from '../../web/portal/pages/prescriptions/words/en.ts';
import stockAr from '../../web/portal/pages/stock/words/ar.ts';
import stockEn from '../../web/portal/pages/stock/words/en.ts';
import { overflow, Scene, violations, visit } from '../support/browser.ts';
import { api, tokenOf } from '../support/gateway.ts';

const WORDS = {
  en: { ...prescribingEn.prescriptions, stock: stockEn.stock, direction: 'ltr' },
  ar: { ...prescribingAr.prescriptions, stock: stockAr.stock, direction: 'rtl' },
};
const SOON = new Date(Date.now() + 20 * 86_400_000).toISOString().slice(0, 10);
const LATE = new Date(Date.now() + 500 * 86_400_000).toISOString().slice(0, 10);
const PHONE = { viewport: { width: 360, height: 740 } };
/** Longer than a scanner needs between two keys, in ms. */
const PAUSE = 150;
const MOST_TABS = 80;

let scene: Scene;
beforeAll(async () => {
  scene = await Scene.start("St. Mary's Hospital");
}, 180_000);
afterAll(() => scene?.stop());

const filled = (text: string, values: Readonly<Record<string, string | number>>) =>
  text.replace(/\{\{(\w+)\}\}/g, (_all, name: string) => String(values[name]));
const focused = (page: Page) => page.locator('*:focus');
const isAt = (page: Page, place: Locator) => focused(page).and(place).waitFor();
const press = async (page: Page, ...keys: readonly string[]) => {
  for (const key of keys) await page.keyboard.press(key);
};

/** Moves the cursor to a place as people do who have no mouse. */
async function tabTo(page: Page, place: Locator): Promise<void> {
  await place.waitFor();
  for (let tabs = 0; tabs < MOST_TABS; tabs += 1) {
    if ((await focused(page).and(place).count()) > 0) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`${String(place)} was not reached with Tab`);
}

/** Types at once where the cursor is, as a scanner does. */
async function scan(page: Page, number: string): Promise<void> {
  await page.waitForTimeout(PAUSE);
  await page.keyboard.type(number);
  await page.keyboard.press('Enter');
}

/** What is in the pharmacy: two batches of a drug on the prescription, and one of another drug. */
async function stocked(code: string) {
  const client = api(await tokenOf(scene.prefix, 'PHARMACIST'));
  const drug = async (body: Pick<Schemas['NewDrug'], 'code' | 'name' | 'ingredients'>) =>
    dataOf(
      client.POST('/api/hms/drugs', {
        body: { ...body, allergyGroups: ['Penicillin'], form: 'Capsule', strength: '500 mg', unit: 'capsule' },
      }),
    );
  const batch = async (drugId: string, batchNo: string, expiresOn: string, quantity: number) =>
    dataOf(client.POST('/api/hms/stock-batches', { body: { drugId, batchNo, expiresOn, quantity } }));
  const amoxicillin = await drug({ code: `AMX-${code}`, name: 'Amoxicillin', ingredients: [`amoxicillin ${code}`] });
  const other = await drug({ code: `AMP-${code}`, name: 'Ampicillin', ingredients: [`ampicillin ${code}`] });
  await batch(other.id, `B-OTHER-${code}`, LATE, 30);
  const first = await batch(amoxicillin.id, `B-FIRST-${code}`, SOON, 12);
  const late = await batch(amoxicillin.id, `B-LATE-${code}`, LATE, 50);
  return { drug: amoxicillin, first, late };
}

async function allergicPatient(lastName: string): Promise<string> {
  const doctor = api(await tokenOf(scene.prefix, 'DOCTOR'));
  const body: Schemas['NewPatient'] = {
    ...{ firstName: 'Nora', lastName, phone: '+353861234567', dateOfBirth: '1990-05-17' },
    allergies: [{ substance: 'Penicillin', severity: 'severe' }],
  };
  return (await dataOf(doctor.POST('/api/hms/patients', { body }))).id;
}

describe.each(['en', 'ar'] as const)('in %s', (language) => {
  const words = WORDS[language];
  const code = language.toUpperCase();
  let doctor: Page;
  let pharmacist: Page;
  let stock: Awaited<ReturnType<typeof stocked>>;
  let patientId: string;
  let rxNo: string;
  let dispenseNo: string;

  beforeAll(async () => {
    [stock, patientId] = [await stocked(code), await allergicPatient(`Quinn ${code}`)];
    [doctor, pharmacist] = [await scene.loggedIn('DOCTOR', PHONE), await scene.loggedIn('PHARMACIST', PHONE)];
    for (const page of [doctor, pharmacist]) await page.evaluate(`localStorage.setItem('hms-language', '${language}')`);
  }, 180_000);
  afterAll(async () => {
    for (const page of [doctor, pharmacist]) await page?.context().close();
  });

  const look = async (page: Page) => {
    const direction = await page.evaluate('document.documentElement.dir');
    expect([direction, await overflow(page), await violations(page)]).toEqual([words.direction, 0, []]);
  };
  const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
  const scanField = () => pharmacist.getByLabel(words.scanPackage);
  const quantity = () =>
    pharmacist.getByLabel(`Amoxicillin 500 mg: ${filled(words.quantity, { unit: 'capsule', left: 21 })}`);
  const isRight = filled(words.checked, { drug: 'Amoxicillin 500 mg' });

  it('a doctor prescribes in spite of an allergy, with a reason', async () => {
    await visit(doctor, `${scene.origin}/prescriptions/new?patient=${patientId}`);
    await tabTo(doctor, doctor.getByRole('combobox', { name: words.addDrug }));
    await doctor.keyboard.type(`AMX-${code}`);
    await doctor.getByRole('option', { name: new RegExp(`AMX-${code}`) }).waitFor();
    await doctor.keyboard.press('Enter');
    for (const [label, text] of [
      [filled(words.dose, { unit: 'capsule' }), '1'],
      [words.timesPerDay, '3'],
      [words.forDays, '7'],
    ] as const) {
      await tabTo(doctor, doctor.getByRole('textbox', { name: label, exact: true }));
      await press(doctor, 'Control+a');
      await doctor.keyboard.type(text);
    }
    await tabTo(doctor, doctor.getByLabel(words.whyNevertheless));
    await doctor.keyboard.type('Tested: tolerates it');
    await look(doctor);
    await doctor.keyboard.press('Control+Enter');
    rxNo = (await doctor.getByRole('link', { name: /^RX-\d+$/ }).textContent()) ?? '';
    await look(doctor);
  }, 120_000);

  it('a scan of its number opens it, with the cursor where packages are scanned', async () => {
    await visit(pharmacist, `${scene.origin}/prescriptions`);
    await pharmacist.getByRole('link', { name: rxNo }).waitFor();
    await look(pharmacist);
    await tabTo(pharmacist, pharmacist.getByRole('searchbox'));
    await scan(pharmacist, rxNo);
    await isAt(pharmacist, scanField());
    await pharmacist.getByText(filled(words.fromBatch, { quantity: 9, batchNo: stock.late.batchNo })).waitFor();
    await look(pharmacist);
  }, 120_000);

  it('a scan on a button says what is scanned, and does not press the button', async () => {
    await tabTo(pharmacist, button(pharmacist, words.dispenseNow));
    await scan(pharmacist, `B-OTHER-${code}`);
    await pharmacist.getByText(filled(words.scan.other, { drug: 'Ampicillin' })).waitFor();
    await isAt(pharmacist, scanField());
    await scan(pharmacist, stock.first.batchNo);
    await pharmacist.getByText(isRight).waitFor();
    expect(await pharmacist.getByText(/DSP-\d+/).count()).toBe(0);
  }, 120_000);

  it('a part is dispensed from two batches, and a scan in the quantity leaves it as it is', async () => {
    await tabTo(pharmacist, quantity());
    await press(pharmacist, 'Control+a');
    await pharmacist.keyboard.type('15', { delay: PAUSE });
    await pharmacist.getByText(filled(words.fromBatch, { quantity: 3, batchNo: stock.late.batchNo })).waitFor();
    await scan(pharmacist, stock.late.batchNo);
    await pharmacist.getByText(words.isScanned, { exact: true }).waitFor();
    expect(await quantity().inputValue()).toBe('15');
    await look(pharmacist);
    await pharmacist.keyboard.press('Control+Enter');
    await pharmacist
      .getByText(filled(words.givenOf, { given: 15, quantity: 21 }))
      .first()
      .waitFor();
    const title = await pharmacist
      .getByText(filled(words.done, { dispenseNo: 'DSP' }).replace('DSP', ''))
      .textContent();
    dispenseNo = /DSP-\d+/.exec(title ?? '')?.[0] ?? '';
  }, 120_000);

  it('Enter prints the labels then, and the next scan is one', async () => {
    const print = button(pharmacist, filled(words.printOf, { dispenseNo })).first();
    await isAt(pharmacist, print);
    await look(pharmacist);
    const answer = pharmacist.context().waitForEvent('response', (response) => response.url().endsWith('/labels'));
    const [tab] = await Promise.all([pharmacist.waitForEvent('popup'), pharmacist.keyboard.press('Enter')]);
    const response = await answer;
    expect([response.status(), response.headers()['content-type']]).toEqual([200, 'application/pdf']);
    await tab.close();
    await isAt(pharmacist, print);
    await scan(pharmacist, stock.late.batchNo);
    await pharmacist.getByText(isRight).waitFor();
    expect(pharmacist.context().pages()).toHaveLength(1);
  }, 120_000);

  it('what comes back goes into quarantine', async () => {
    const takeBack = button(pharmacist, filled(words.takeBackOf, { dispenseNo }));
    await tabTo(pharmacist, takeBack);
    await press(pharmacist, 'Enter');
    await isAt(pharmacist, pharmacist.getByRole('textbox', { name: new RegExp(stock.first.batchNo) }));
    await pharmacist.keyboard.type('4');
    await press(pharmacist, 'Enter', 'Enter');
    await pharmacist.keyboard.type('Rash');
    await look(pharmacist);
    await press(pharmacist, 'Control+Enter');
    await pharmacist.getByRole('row').getByText('4', { exact: true }).waitFor();
    await isAt(pharmacist, takeBack);
    await visit(pharmacist, `${scene.origin}/stock?tab=batches&q=${stock.first.batchNo}`);
    const returned = pharmacist.getByRole('row').filter({ hasText: words.stock.returned });
    await returned.getByText(words.stock.statuses.quarantined, { exact: true }).waitFor();
    await look(pharmacist);
  }, 120_000);

  it('a recall shows who received the batch', async () => {
    await visit(pharmacist, `${scene.origin}/stock/batches/${stock.first.id}`);
    await tabTo(pharmacist, button(pharmacist, words.stock.step.recall));
    await press(pharmacist, 'Enter');
    await isAt(pharmacist, pharmacist.getByLabel(words.stock.reason));
    await pharmacist.keyboard.type('Contaminated');
    await look(pharmacist);
    await press(pharmacist, 'Control+Enter');
    const row = pharmacist.getByRole('row').filter({ hasText: `Nora Quinn ${code}` });
    await row.getByText('12', { exact: true }).waitFor();
    await row.getByText('4', { exact: true }).waitFor();
    await look(pharmacist);
  }, 120_000);

  it('units are moved elsewhere', async () => {
    await visit(pharmacist, `${scene.origin}/stock/batches/${stock.late.id}`);
    await tabTo(pharmacist, button(pharmacist, words.stock.step.transfer));
    await press(pharmacist, 'Enter');
    await pharmacist.keyboard.type('5');
    await press(pharmacist, 'Enter');
    await pharmacist.keyboard.type('Ward 3');
    await look(pharmacist);
    await press(pharmacist, 'Control+Enter');
    await pharmacist.getByText(filled(words.stock.transferredTo, { location: 'Ward 3' })).waitFor();
    await pharmacist.getByText('−5', { exact: true }).waitFor();
    await look(pharmacist);
  }, 120_000);
});
