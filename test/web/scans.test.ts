/** A scanner types wherever the cursor is: the scanned tube opens, and nothing else happens. */
import { dataOf, type Schemas } from '@hms/api-client';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { Scene } from '../support/browser.ts';
import { api, tokenOf } from '../support/gateway.ts';

const K: Schemas['NewLabTest'] = { code: 'K', name: 'Potassium', specimenType: 'Serum', valueType: 'numeric' };
const AMPICILLIN: Schemas['NewLabTest'] = {
  ...{ code: 'AMP', name: 'Ampicillin', specimenType: 'Swab', valueType: 'coded' },
  options: [
    { code: 'S', name: 'Susceptible', meaning: 'normal' },
    { code: 'R', name: 'Resistant', meaning: 'abnormal' },
  ],
};
const CULTURE: Schemas['NewLabTest'] = { code: 'CUL', name: 'Culture', specimenType: 'Urine', valueType: 'text' };
/** Longer than a scanner needs between two keys, in ms. */
const PAUSE = 150;

let scene: Scene;
let page: Page;
/** Ids of three orders. Their specimens are S-000001, S-000002 and S-000003. */
let waiting: string;
let coded: string;

const lab = async () => api(await tokenOf(scene.prefix, 'LAB_TECH'));

beforeAll(async () => {
  scene = await Scene.start("St. Mary's Hospital");
  const [client, doctor, tess] = [
    await lab(),
    api(await tokenOf(scene.prefix, 'DOCTOR')),
    await scene.hire('Tess', 'Tobin', 'LAB_TECH'),
  ];
  const person = { firstName: 'Nora', lastName: 'Quinn', phone: '+353861234567', dateOfBirth: '1990-05-17' };
  const { id: patientId } = await dataOf(doctor.POST('/api/hms/patients', { body: person }));
  const ordered = async (body: Schemas['NewLabTest']) => {
    const { id: testId } = await dataOf(client.POST('/api/hms/lab-tests', { body }));
    await dataOf(client.POST('/api/hms/lab-tests/{id}/activate', { params: { path: { id: testId } }, body: {} }));
    const { id } = await dataOf(doctor.POST('/api/hms/lab-orders', { body: { patientId, testIds: [testId] } }));
    return dataOf(client.POST('/api/hms/lab-orders/{id}/collect', { params: { path: { id } }, body: {} }));
  };
  const order = await ordered(K);
  const results = [{ itemId: order.items[0]?.id ?? '', value: '4.1' }];
  const params = { path: { id: order.id } };
  await dataOf(client.POST('/api/hms/lab-orders/{id}/results', { params, body: { results } }));
  waiting = order.id;
  coded = (await ordered(AMPICILLIN)).id;
  await ordered(CULTURE);
  page = await scene.loggedIn(tess);
  await page.goto(`${scene.origin}/laboratory`);
}, 180_000);
afterAll(() => scene?.stop());

/** Types at once where the cursor is. */
async function scan(number: string): Promise<void> {
  await page.waitForTimeout(PAUSE);
  await page.keyboard.type(number);
  await page.keyboard.press('Enter');
}
const isAt = (name: RegExp, role: 'button' | 'textbox' | 'combobox') =>
  page.locator('*:focus').and(page.getByRole(role, { name })).waitFor();
const read = async (id: string) => dataOf((await lab()).GET('/api/hms/lab-orders/{id}', { params: { path: { id } } }));

it('on a button: the next tube opens, and the button is not pressed', async () => {
  await isAt(/Scan a specimen/, 'textbox');
  await scan('S-000001');
  await isAt(/^Verify/, 'button');
  await scan('S-000002');
  await isAt(/^Ampicillin/, 'combobox');
  expect((await read(waiting)).status).toBe('resulted');
});

it('in a list of choices: none is chosen', async () => {
  await scan('S-000003');
  await isAt(/^Culture/, 'textbox');
  await scan('S-000002');
  await isAt(/^Ampicillin/, 'combobox');
  expect(await page.getByRole('combobox', { name: 'Ampicillin' }).inputValue()).toBe('');
  await page.getByRole('combobox', { name: 'Ampicillin' }).selectOption('R');
  await scan('S-000002');
  await page.waitForTimeout(PAUSE);
  expect(await page.getByRole('combobox', { name: 'Ampicillin' }).inputValue()).toBe('R');
  await page.getByRole('button', { name: 'Save the results' }).click();
  await page.getByText(/Entered by Tess Tobin/).waitFor();
  expect((await read(coded)).items[0]?.result?.value).toBe('R');
});

it('behind a text: the text stays as it was typed', async () => {
  await scan('S-000003');
  await isAt(/^Culture/, 'textbox');
  const culture = page.getByRole('textbox', { name: 'Culture' });
  await page.keyboard.type('No growth', { delay: PAUSE });
  await scan('S-000001');
  // What is not saved is not lost by a scan.
  await page.getByRole('alertdialog').waitFor();
  await page.getByRole('alertdialog').getByRole('button').first().click();
  expect(await culture.inputValue()).toBe('No growth');
  await page.waitForTimeout(PAUSE);
  await page.getByRole('button', { name: 'Save the results' }).click();
  await page.getByText('No growth').waitFor();
});

it('with a keyboard of Arabic letters on the computer', async () => {
  await page.goto(`${scene.origin}/laboratory`);
  await isAt(/Scan a specimen/, 'textbox');
  const codes = ['KeyS', 'Minus', ...Array.from('000001', (digit) => `Digit${digit}`), 'Enter'];
  await page.evaluate(`for (const code of ${JSON.stringify(codes)})
    document.activeElement.dispatchEvent(new KeyboardEvent('keydown', { code, key: code === 'Enter' ? code : 'س', bubbles: true, cancelable: true }))`);
  await isAt(/^Verify/, 'button');
});
