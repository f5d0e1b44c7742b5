/** Two records of one person: found, merged and separated at the desk; a wristband; a deleted record; an import. */
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import {
  clickAndConfirm,
  fillPatient,
  overflow,
  picture,
  register,
  Scene,
  violations,
  visit,
} from '../support/browser.ts';

const SIOBHAN = { firstName: 'Siobhán', lastName: 'Murphy', day: '1990-05-17', phone: '+353861234567' };

let scene: Scene;
let page: Page;
let kept: string;
let twice: string;

beforeAll(async () => {
  scene = await Scene.start("St. Mary's Hospital");
  page = await scene.loggedIn('ADMIN');
  kept = await register(page, scene.origin, SIOBHAN);
  await page.goto(`${scene.origin}/patients/new`);
  await fillPatient(page, { ...SIOBHAN, firstName: 'Siobhan', phone: '+491701234567' });
  await page.getByLabel('Why is this another person?').fill('Her passport differs');
  await page.keyboard.press('Control+Enter');
  await page.waitForURL(/\/patients\/[0-9a-f-]{36}/);
  twice = page.url().split('/').at(-1) ?? '';
}, 180_000);
afterAll(() => scene?.stop());

const open = async (id: string, tab?: string) => {
  await page.goto(`${scene.origin}/patients/${id}${tab ? `?tab=${tab}` : ''}`);
  await page.getByRole('heading', { name: /Murphy/ }).waitFor();
};
const codeOf = async () =>
  (await page
    .getByText(/^HSP-\d+$/)
    .first()
    .textContent()) ?? '';

it('shows who may be the same person, compares the two, and merges them', async () => {
  await open(twice);
  const merged = await codeOf();
  await page.getByRole('tab', { name: 'Allergies and alerts' }).click();
  await page.getByRole('button', { name: 'Edit' }).click();
  await page.getByRole('button', { name: 'Add an alert' }).click();
  await page.getByRole('textbox', { name: 'Alert' }).fill('Risk of falls');
  await page.keyboard.press('Control+Enter');
  await page.getByLabel('Allergies and alerts').getByText('Risk of falls').first().waitFor();
  await open(kept);
  const survivor = await codeOf();
  await page.getByRole('tab', { name: 'Duplicates' }).press('Enter');
  await page.getByText('83 %').waitFor();
  expect(await violations(page)).toEqual([]);
  await page.getByText('Same name · Same day of birth · Another phone').waitFor();
  await page.getByRole('link', { name: `Compare with ${merged}` }).press('Enter');
  const table = page.getByRole('table', { name: 'The two records' });
  const row = (name: string) => table.getByRole('row', { name: new RegExp(`^${name}`) });
  expect(await row('First name').textContent()).toContain('Differs');
  expect(await row('Last name').textContent()).not.toContain('Differs');
  expect(await row('Alerts').textContent()).toContain('Only in one');
  expect(await row('Phone').textContent()).toMatch(/Differs.*086.*\+49/);
  // The older record remains, unless somebody chooses the other one.
  await page.getByText(`All records of ${merged} are then found in ${survivor}`).waitFor();
  expect(await page.evaluate("document.activeElement?.getAttribute('type')")).toBe('radio');
  expect(await violations(page)).toEqual([]);
  await picture(page, 'duplicates');
  await page.keyboard.press('ArrowDown');
  await page.getByText(`All records of ${survivor} are then found in ${merged}`).waitFor();
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: `Separate ${merged}` }).waitFor();
  await clickAndConfirm(page, 'Delete');
  await page.getByText(`This is still open: the merged record ${merged}.`).waitFor();
  // What is known of the other record is shown above this one.
  await page.getByText('Risk of falls').waitFor();
  await page.getByRole('tab', { name: 'Timeline' }).click();
  await page.getByRole('link', { name: `${merged} was merged into ${survivor}` }).click();
  await page.getByText('This record is merged into another one').waitFor();
  expect(await violations(page)).toEqual([]);
}, 120_000);

it('finds the one that remains by the number of the other, and separates them', async () => {
  await open(twice);
  const merged = await codeOf();
  await page.goto(`${scene.origin}/patients?q=${merged}`);
  await page.getByText('1 entry').first().waitFor();
  await page.getByRole('link', { name: 'Murphy, Siobhán' }).click();
  await page.getByRole('tab', { name: 'Duplicates' }).click();
  await page.getByRole('button', { name: `Separate ${merged}` }).click();
  await page.getByRole('link', { name: `Compare with ${merged}` }).waitFor();
}, 120_000);

it('merges with any other record, and the survivor is the one that was chosen', async () => {
  const other = await register(page, scene.origin, {
    ...{ firstName: 'Nobody', lastName: 'Alike', day: '1950-01-02', phone: '+353869999999' },
  });
  const otherCode = await codeOf();
  await open(twice, 'duplicates');
  const code = await codeOf();
  await page.getByRole('link', { name: 'Merge with another record' }).press('Enter');
  const field = page.getByRole('combobox', { name: 'Which is the other record?' });
  // The record itself is none.
  await field.fill(code);
  await page.getByRole('option', { name: code }).waitFor();
  await page.keyboard.press('Enter');
  await page.getByText('This is the record itself').waitFor();
  expect(await violations(page)).toEqual([]);
  await field.fill(otherCode);
  await page.getByRole('option', { name: 'Nobody Alike' }).waitFor();
  await page.keyboard.press('Enter');
  const remains = page.getByRole('radio', { name: new RegExp(otherCode) });
  await remains.press('Space');
  await page.getByRole('button', { name: `Merge ${code} into ${otherCode}` }).press('Enter');
  await page.waitForURL(new RegExp(`/patients/${other}\\?tab=duplicates`));
  await page.getByRole('button', { name: `Separate ${code}` }).click();
  await page.getByText('Nobody else looks like this person').waitFor();
  await page.getByRole('button', { name: `Separate ${code}` }).waitFor({ state: 'detached' });
}, 120_000);

it('shows in the timeline what is chosen', async () => {
  await open(kept, 'timeline');
  await page.getByText('Joined a family').waitFor();
  await page.getByLabel('About').selectOption({ label: 'This record' });
  await page.getByText(/was separated from/).waitFor();
  await page.getByText('Joined a family').waitFor({ state: 'detached' });
  expect(await violations(page)).toEqual([]);
  await page.reload();
  await page.getByText(/was separated from/).waitFor();
  await page.getByLabel('About').selectOption({ label: 'Family' });
  await page.getByRole('link', { name: 'Joined a family' }).click();
  await page.getByRole('tab', { name: 'Family', selected: true }).waitFor();
}, 120_000);

it('opens a wristband and a label as a PDF in another tab', async () => {
  await open(kept);
  for (const name of ['Wristband', 'Label']) {
    const answer = page.waitForResponse((response) => response.url().includes('/labels?form='));
    const [tab] = await Promise.all([page.waitForEvent('popup'), page.getByRole('button', { name }).click()]);
    const response = await answer;
    expect([response.status(), response.headers()['content-type']]).toEqual([200, 'application/pdf']);
    await tab.waitForURL(/^blob:/);
    await tab.close();
  }
}, 120_000);

it('deletes a record, and restores it from the list', async () => {
  await open(twice);
  await clickAndConfirm(page, 'Delete');
  await page.getByRole('heading', { name: 'Patients', exact: true }).waitFor();
  await page.getByText('2 entries').first().waitFor();
  await page.getByLabel('Deleted ones too').press('Space');
  await page.getByRole('button', { name: /^Restore HSP/ }).waitFor();
  expect(await violations(page)).toEqual([]);
  await page.getByRole('button', { name: /^Restore HSP/ }).click();
  await page.getByRole('heading', { name: /Siobhan/ }).waitFor();
}, 120_000);

it('imports a file: names the wrong rows, then registers the others', async () => {
  await page.goto(`${scene.origin}/patients`);
  await page.getByRole('link', { name: 'Import' }).click();
  const csv = [
    'First name;Last name;Phone;Date of birth;Allergies',
    'Ana;Silva;+351912345678;1980-02-28;Penicillin: severe',
    'Bo;Li;12;1980-02-30;',
    ...Array.from({ length: 300 }, (_, index) => `Maya ${index};Rao;+9198${10_000_000 + index};1975-01-31;`),
  ].join('\r\n');
  const file = { name: 'patients.csv', mimeType: 'text/csv', buffer: Buffer.from(csv) };
  await page.locator('input[type=file]').setInputFiles(file);
  await page.getByText('Rows with patients: 302').waitFor();
  expect(await violations(page)).toEqual([]);
  await page.getByRole('button', { name: 'Check all rows' }).click();
  await page.getByText('301 of 302 rows can be imported.').waitFor();
  await page.getByRole('cell', { name: 'Day of birth' }).waitFor();
  expect(await violations(page)).toEqual([]);
  await picture(page, 'import');
  await page.getByRole('button', { name: 'Register patients: 301' }).click();
  await page.getByText('Registered patients: 301 of 302 rows.').waitFor();
  await page.goto(`${scene.origin}/patients?q=Silva`);
  await page.getByRole('link', { name: 'Silva, Ana' }).click();
  await page.getByText('Penicillin: severe').waitFor();
}, 120_000);

it('asks how a file is read where nobody can tell, and shows what was repaired', async () => {
  await page.goto(`${scene.origin}/patients/import`);
  const csv =
    'Prénom|Family|Mobile|Born|Shoe\r\nJosé|Silva|912345670|03/04/1980|42\r\nInês|Lopes|+351912345671|05/06/1981|38\r\n';
  const file = { name: 'clinic.txt', mimeType: 'text/plain', buffer: Buffer.from(csv, 'latin1') };
  await page.locator('input[type=file]').setInputFiles(file);
  const check = page.getByRole('button', { name: 'Check all rows' });
  await page.getByText('José · Inês', { exact: false }).first().waitFor();
  await page.getByText('Choose the column for: Last name').waitFor();
  expect(await check.isDisabled()).toBe(true);
  await page.getByLabel('What Family becomes').selectOption('Last name');
  await page.getByLabel('Order of dates').selectOption('day, month, year');
  await page.getByLabel('Phone numbers without a country code are from').selectOption('Portugal');
  await page.getByRole('cell', { name: '1980-04-03' }).waitFor();
  await page.getByRole('cell', { name: '+351912345670' }).waitFor();
  await picture(page, 'import-decisions');
  await check.click();
  await page.getByText('2 of 2 rows can be imported.').waitFor();
  await page.getByText('With the code of the country').waitFor();
  await page.getByRole('button', { name: 'Register patients: 2' }).click();
  await page.getByText('Registered patients: 2 of 2 rows.').waitFor();
  // The same file again: nobody is registered twice.
  await page.goto(`${scene.origin}/patients/import`);
  await page.getByRole('link', { name: 'clinic.txt' }).waitFor();
  await page.locator('input[type=file]').setInputFiles(file);
  await page.getByText('This file was imported before.').waitFor();
}, 120_000);

it('is usable in Arabic on a phone', async () => {
  const phone = await scene.loggedIn('ADMIN', { viewport: { width: 320, height: 640 } });
  await phone.evaluate(`localStorage.setItem('hms-language', 'ar')`);
  const merge = `/patients/${kept}/merge?with=${twice}`;
  for (const path of [
    merge,
    `/patients/${kept}?tab=duplicates`,
    `/patients/${kept}?tab=timeline`,
    '/patients/import',
  ]) {
    await visit(phone, `${scene.origin}${path}`);
    expect(await phone.evaluate('document.documentElement.dir')).toBe('rtl');
    expect(await overflow(phone)).toBe(0);
    expect(await violations(phone)).toEqual([]);
  }
  await picture(phone, 'import-phone-arabic');
}, 120_000);
