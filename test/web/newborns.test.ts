/** A newborn, whose result is judged by the hour: the ranges, the time of birth, and the flag. */
import { dataOf } from '@hms/api-client';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { fillPatient, overflow, Scene, violations } from '../support/browser.ts';
import { api, tokenOf } from '../support/gateway.ts';

const PHONE = { viewport: { width: 360, height: 740 }, hasTouch: true };
const ZONE = 'Asia/Jakarta';
const BIRTH = hoursAgo(3);

/** Day and time in the hospital's zone. */
function hoursAgo(hours: number) {
  const format = new Intl.DateTimeFormat('sv-SE', { timeZone: ZONE, dateStyle: 'short', timeStyle: 'short' });
  const [day = '', time = ''] = format.format(new Date(Date.now() - hours * 3_600_000)).split(' ');
  return { day, time };
}

let scene: Scene;
let tech: Page;
let desk: Page;

beforeAll(async () => {
  scene = await Scene.start("St. Mary's Hospital", { timezone: ZONE });
  [tech, desk] = [await scene.loggedIn('LAB_TECH'), await scene.loggedIn('RECEPTION')];
}, 180_000);
afterAll(() => scene?.stop());

const range = (number: number) => tech.getByRole('group', { name: `Range ${number}` });
const timeOfBirth = (page: Page) => page.getByLabel('Time of birth');

/** An order of bilirubin, as the technician sees it. */
async function ordered(patientId: string): Promise<void> {
  const client = api(await tokenOf(scene.prefix, 'DOCTOR'));
  const [test] = await dataOf(client.GET('/api/hms/lab-tests', { params: { query: { code: 'BILI' } } }));
  const { id } = await dataOf(client.POST('/api/hms/lab-orders', { body: { patientId, testIds: [test?.id ?? ''] } }));
  await tech.goto(`${scene.origin}/laboratory/${id}`);
  await tech.getByRole('button', { name: /^Collect S-/ }).click();
  await tech.getByRole('textbox', { name: 'Bilirubin (µmol/L)' }).fill('150');
}

async function registered(firstName: string): Promise<string> {
  await desk.keyboard.press('Control+Enter');
  await desk.getByRole('heading', { name: `${firstName} Quinn` }).waitFor();
  return desk.url().split('/').at(-1) ?? '';
}

it('has ranges whose ages are hours', async () => {
  await tech.goto(`${scene.origin}/lab-tests/new`);
  await tech.getByRole('textbox', { name: 'Name', exact: true }).fill('Bilirubin');
  await tech.getByRole('textbox', { name: 'Code', exact: true }).fill('BILI');
  await tech.getByRole('textbox', { name: 'Specimen', exact: true }).fill('Serum');
  await tech.getByRole('textbox', { name: 'Unit' }).fill('µmol/L');
  await tech.getByRole('button', { name: 'Add a range' }).press('Enter');
  await range(1).getByLabel('Below age').fill('24');
  await range(1).getByLabel('Unit of the second age').selectOption('hours');
  await range(1).getByLabel('High limit').fill('100');
  await range(1).getByLabel('Critical above').fill('140');
  await tech.getByRole('button', { name: 'Add a range' }).press('Enter');
  // 24 hours are a day.
  expect(await range(2).getByLabel('From age').inputValue()).toBe('1');
  expect(await range(2).getByLabel('Unit of the first age').inputValue()).toBe('days');
  await range(2).getByLabel('Below age').fill('700');
  await range(2).getByLabel('Unit of the second age').selectOption('hours');
  await range(2).getByLabel('High limit').fill('200');
  await tech.keyboard.press('Control+Enter');
  await tech.getByText('Must be at most 672 in a range in hours').waitFor();
  expect(await violations(tech)).toEqual([]);
  await range(2).getByLabel('Below age').fill('72');
  await tech.keyboard.press('Control+Enter');
  await tech.getByRole('heading', { name: 'Bilirubin', exact: true }).waitFor();
  await tech.getByRole('row', { name: /24 hours\s*–?\s*100\s*–?\s*140/ }).waitFor();
  await tech.getByRole('row', { name: /24 hours\s*72 hours\s*–?\s*200/ }).waitFor();
  expect(await violations(tech)).toEqual([]);
  await tech.getByRole('button', { name: 'Activate' }).click();
  await tech.getByText('Active', { exact: true }).waitFor();
});

it('is registered with the time of birth, for which nobody is asked of an adult', async () => {
  await desk.goto(`${scene.origin}/patients/new`);
  await fillPatient(desk, { firstName: 'Baby', lastName: 'Quinn' });
  expect(await timeOfBirth(desk).count()).toBe(0);
  await desk.getByLabel('Day of birth').fill(BIRTH.day);
  await timeOfBirth(desk).fill(BIRTH.time);
  expect(await violations(desk)).toEqual([]);
  await desk.setViewportSize(PHONE.viewport);
  expect(await overflow(desk)).toBe(0);
  const id = await registered('Baby');
  await desk.getByText(BIRTH.time).first().waitFor();
  await ordered(id);
  await tech.getByText('critically high').waitFor();
});

it('without a time of birth may be younger or older than a day: there is no flag, and the page says why', async () => {
  await desk.goto(`${scene.origin}/patients/new`);
  await fillPatient(desk, { firstName: 'Bea', lastName: 'Quinn', day: hoursAgo(24).day });
  await ordered(await registered('Bea'));
  await tech.getByText('no range for this patient').waitFor();
  expect(await tech.getByText('critically high').count()).toBe(0);
});
