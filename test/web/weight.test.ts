/** A pharmacist gives a drug a dose by weight, and a doctor is asked for the weight of a child. */
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { overflow, picture, register, Scene, violations, visit } from '../support/browser.ts';

let scene: Scene;
let pharmacist: Page;
let doctor: Page;
let patientId: string;

beforeAll(async () => {
  scene = await Scene.start("St. Mary's Hospital");
  [doctor, pharmacist] = await Promise.all([scene.loggedIn('DOCTOR'), scene.loggedIn('PHARMACIST')]);
}, 180_000);
afterAll(() => scene?.stop());

const newDrug = async (values: Readonly<Record<string, string>>) => {
  await pharmacist.goto(`${scene.origin}/drugs/new`);
  for (const [label, value] of Object.entries(values)) {
    await pharmacist.getByRole('textbox', { name: label, exact: true }).fill(value);
  }
  await pharmacist.keyboard.press('Control+Enter');
};
const pick = async (page: Page, code: string) => {
  await page.getByRole('combobox').pressSequentially(code);
  await page.getByRole('option').first().waitFor();
  await page.keyboard.press('Enter');
};

it('a drug has both fields of a dose by weight, or neither', async () => {
  const usual = { 'Smallest unit': 'mL', Form: 'Syrup' };
  await newDrug({
    ...{ Name: 'Paracetamol syrup', Code: 'PAR-SYR', Ingredients: 'paracetamol', Strength: '250 mg/5 mL' },
    ...{ ...usual, 'Milligrams in a unit': '50' },
  });
  await pharmacist.getByText('Fill in this field too, or leave both of them empty.').waitFor();
  expect(await violations(pharmacist)).toEqual([]);
  await pharmacist.getByRole('textbox', { name: 'Most milligrams a day, for each kilogram' }).fill('60');
  await pharmacist.keyboard.press('Control+Enter');
  await pharmacist.getByRole('link', { name: 'Paracetamol syrup' }).click();
  await pharmacist.getByText('Most milligrams a day, for each kilogram').waitFor();
  await newDrug({ Name: 'Zinc syrup', Code: 'ZNC-SYR', Ingredients: 'zinc', ...usual });
  await pharmacist.getByRole('link', { name: 'Zinc syrup' }).waitFor();
}, 120_000);

it('the weight is asked for once a drug needs it, and the checks follow it', async () => {
  patientId = await register(doctor, scene.origin, { firstName: 'Nora', lastName: 'Quinn', day: '2024-02-29' });
  await doctor.goto(`${scene.origin}/prescriptions/new?patient=${patientId}`);
  const weight = doctor.getByLabel('Weight (kg)');
  await pick(doctor, 'ZNC');
  await doctor.getByLabel('Dose (mL)').waitFor();
  expect(await weight.count()).toBe(0);
  await doctor.getByRole('button', { name: 'Remove Zinc syrup' }).press('Enter');
  await pick(doctor, 'PAR');
  await weight.waitFor();
  await doctor.getByLabel('Dose (mL)').fill('5');
  await doctor.getByLabel('Times a day').fill('3');
  await doctor.getByRole('textbox', { name: 'Days', exact: true }).fill('5');
  const missing = doctor.getByText(/depends on the weight of the patient, which is missing/);
  await missing.waitFor();
  expect(await violations(doctor)).toEqual([]);

  await weight.fill('12.345');
  await doctor.keyboard.press('Tab');
  await doctor.getByText('Write a weight from 0.2 to 700 kg, such as 12.4.').waitFor();
  // With a decimal comma, and in Arabic digits.
  await weight.fill('12,5');
  await doctor.getByText('Write a weight from 0.2 to 700 kg, such as 12.4.').waitFor({ state: 'detached' });
  await missing.waitFor({ state: 'detached' });
  await weight.fill('١٢٫٤');
  await doctor.getByText('750 mg a day are more than 744 mg: 60 mg for each of 12.4 kg.').waitFor();
  expect(await violations(doctor)).toEqual([]);
  await picture(doctor, 'prescribe-weight');
  await weight.fill('12.5');
  await doctor.getByText(/mg a day are more than/).waitFor({ state: 'detached' });

  const day = doctor.getByLabel('Weighed on');
  const [today, old] = [await day.inputValue(), new Date(Date.now() - 40 * 86_400_000).toISOString().slice(0, 10)];
  await day.fill(old);
  await doctor.getByText(/, more than 30 days ago\.$/).waitFor();
  await day.fill('2999-01-01');
  await doctor.keyboard.press('Tab');
  await doctor.getByText('Write the day of this weight, which is not in the future.').waitFor();
  await missing.waitFor();
  await day.fill(new Date().toISOString().slice(0, 10));
  await missing.waitFor({ state: 'detached' });
  await doctor.keyboard.press('Control+Enter');
  await doctor.getByRole('link', { name: /^RX-\d+$/ }).click();
  await doctor.getByText(`Weight: 12.5 kg, ${today}`).waitFor();
  expect(await violations(doctor)).toEqual([]);
}, 120_000);

it('on a phone in Arabic', async () => {
  const phone = await scene.loggedIn('DOCTOR', { viewport: { width: 320, height: 640 } });
  await phone.evaluate(`localStorage.setItem('hms-language', 'ar')`);
  await visit(phone, phone.url());
  await visit(phone, `${scene.origin}/prescriptions/new?patient=${patientId}`);
  await pick(phone, 'PAR');
  const weight = phone.getByLabel('الوزن (كغ)');
  await phone.getByLabel('مرات في اليوم').fill('٣');
  await phone.getByLabel('الأيام').fill('٥');
  await phone.getByText('تُحسب جرعة Paracetamol syrup حسب وزن المريض، وهو غير مسجَّل.').waitFor();
  await weight.fill('٢٫٤');
  await phone.getByText(/ملغ لكل كيلوغرام، والوزن 2\.4 كغ/).waitFor();
  await weight.scrollIntoViewIfNeeded();
  await picture(phone, 'prescribe-weight-phone-arabic');
  expect([await overflow(phone), await violations(phone)]).toEqual([0, []]);
  await phone.goto(`${scene.origin}/patients/${patientId}?tab=prescriptions`);
  await phone.getByRole('link', { name: /^RX-\d+$/ }).click();
  await phone.getByText(/^الوزن: 12\.5 كغ، /).waitFor();
  expect([await overflow(phone), await violations(phone)]).toEqual([0, []]);
  await phone.context().close();
}, 120_000);
