/** A patient who can not tell everything: registered by keyboard, found in the list of what is missing, completed later. */
import { dataOf } from '@hms/api-client';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { focused, overflow, picture, Scene, violations } from '../support/browser.ts';
import { api, tokenOf } from '../support/gateway.ts';

let scene: Scene;
let page: Page;

beforeAll(async () => {
  scene = await Scene.start("St. Mary's Hospital");
  page = await scene.loggedIn('RECEPTION');
}, 180_000);
afterAll(() => scene?.stop());

const something = (of: Page) => of.getByRole('button', { name: 'Something is not known yet' });
const row = (name: string) => page.getByRole('row').filter({ hasText: name });

it('demands each field, or that somebody says it is unknown', async () => {
  await page.goto(`${scene.origin}/patients/new`);
  await page.getByLabel('First name').fill('Ben');
  await page.keyboard.press('Control+Enter');
  await page.getByText('If nobody can tell, choose “Something is not known yet”.').first().waitFor();
  expect(await page.getByText('If nobody can tell').count()).toBe(3);
  expect(await focused(page)).toBe('Last name');
});

it('registers an unconscious person with nine keys', async () => {
  await page.goto(`${scene.origin}/patients/new`);
  await something(page).focus();
  await page.keyboard.press('Enter');
  for (const name of ['First name', 'Last name', 'Phone', 'Day of birth']) {
    expect(await focused(page)).toBe(name);
    await page.keyboard.press('Space');
    if (name !== 'Day of birth') await page.keyboard.press('Tab');
  }
  expect(await page.getByRole('textbox', { name: 'First name' }).isDisabled()).toBe(true);
  expect(await page.getByPlaceholder('Unknown').count()).toBe(4);
  expect(await violations(page)).toEqual([]);
  await picture(page, 'patient-unknown');
  await page.keyboard.press('Control+Enter');
  await page.getByRole('heading', { level: 1, name: /^HSP-/ }).waitFor();
  await page.getByText('Not known yet: First name, Last name, Phone, Day of birth').waitFor();
  await page.getByText('Day of birth unknown').waitFor();
  expect(await violations(page)).toEqual([]);
});

it('lists those of whom something is missing', async () => {
  await page.goto(`${scene.origin}/patients/new`);
  await page.getByLabel('First name').fill('Suharto');
  await page.getByLabel('Day of birth').fill('1988-02-29');
  await page.getByLabel('Phone').fill('+353861234567');
  await something(page).click();
  await page.getByRole('checkbox', { name: 'Last name' }).check();
  await page.keyboard.press('Control+Enter');
  await page.getByRole('heading', { name: 'Suharto', exact: true }).waitFor();
  await page.goto(`${scene.origin}/patients`);
  await page.getByLabel('Only with something unknown').check();
  await page.waitForURL(/incomplete=true/);
  await row('Suharto').getByText('Not known yet: Last name').waitFor();
  expect(await page.getByRole('row').count()).toBe(3);
  await picture(page, 'patients-incomplete');
});

it('is completed later, and leaves the list', async () => {
  await row('Suharto').getByRole('link', { name: 'Suharto' }).click();
  await page.getByRole('button', { name: 'Edit' }).click();
  const box = page.getByRole('checkbox', { name: 'Last name' });
  expect(await box.isChecked()).toBe(true);
  await box.uncheck();
  await page.getByRole('textbox', { name: 'Last name' }).fill('Wibowo');
  await page.keyboard.press('Control+Enter');
  await page.getByRole('heading', { name: 'Suharto Wibowo' }).waitFor();
  await page.getByText('Not known yet').waitFor({ state: 'detached' });
  await page.getByRole('tab', { name: 'Family' }).click();
  await page.getByText('Wibowo', { exact: false }).first().waitFor();
  await page.goto(`${scene.origin}/patients?incomplete=true`);
  await row('HSP-').waitFor();
  expect(await row('Suharto').count()).toBe(0);
});

it('is completed by two people at once, each in part', async () => {
  await page.goto(`${scene.origin}/patients/new`);
  await page.getByLabel('First name').fill('Ama');
  await page.getByLabel('Phone').fill('+353861234568');
  await something(page).click();
  for (const name of ['Last name', 'Day of birth']) await page.getByRole('checkbox', { name }).check();
  await page.keyboard.press('Control+Enter');
  await page.getByRole('heading', { name: 'Ama', exact: true }).waitFor();
  await page.getByRole('button', { name: 'Edit' }).click();
  await page.getByRole('checkbox', { name: 'Last name' }).uncheck();
  await page.getByRole('textbox', { name: 'Last name' }).fill('Mensah');
  const path = { id: new URL(page.url()).pathname.split('/').at(-1) ?? '' };
  const other = api(await tokenOf(scene.prefix, 'RECEPTION'));
  const theirs = { dateOfBirth: '1990-05-17', gender: 'female' as const, unknown: ['lastName' as const] };
  await dataOf(other.PUT('/api/hms/patients/{id}', { params: { path }, body: theirs }));
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('you: Day of birth, saved meanwhile: Last name').waitFor();
  // What only one of them has changed needs no choice.
  expect(await page.getByText('saved meanwhile:').count()).toBe(1);
  await picture(page, 'patient-unknown-conflict');
  await page.getByRole('button', { name: 'Keep my input' }).click();
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('heading', { name: 'Ama Mensah' }).waitFor();
  const { dateOfBirth, lastName, unknown } = await dataOf(other.GET('/api/hms/patients/{id}', { params: { path } }));
  expect([dateOfBirth?.slice(0, 10), lastName, unknown]).toEqual(['1990-05-17', 'Mensah', []]);
});

it('is usable in Arabic on a phone of 360 pixels', async () => {
  const phone = await scene.loggedIn('RECEPTION', { viewport: { width: 360, height: 740 }, hasTouch: true });
  await phone.evaluate("localStorage.setItem('hms-language', 'ar')");
  await phone.goto(`${scene.origin}/patients/new`);
  await phone.getByRole('button', { name: 'هناك ما لم يُعرف بعد' }).click();
  await phone.getByRole('checkbox').first().check();
  expect(await overflow(phone)).toBe(0);
  expect(await violations(phone)).toEqual([]);
  await picture(phone, 'patient-unknown-phone-arabic');
  await phone.context().close();
});
