/** Families at the desk: offered at registration, founded, joined, left, and with another primary contact and payer. */
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { fillPatient, focused, overflow, picture, register, Scene, violations } from '../support/browser.ts';

const PHONE = '+353861234567';

let scene: Scene;
let page: Page;
let jane: string;
let jim: string;

beforeAll(async () => {
  scene = await Scene.start("St. Mary's Hospital");
  page = await scene.loggedIn('RECEPTION');
  jane = await register(page, scene.origin, {
    firstName: 'Jane',
    lastName: 'Muñoz-Pérez',
    day: '1980-04-01',
    phone: PHONE,
  });
}, 180_000);
afterAll(() => scene?.stop());

const openFamily = async (id: string) => {
  await page.goto(`${scene.origin}/patients/${id}?tab=family`);
  await page.getByRole('heading', { level: 1 }).waitFor();
};
const row = (name: string) => page.getByRole('row').filter({ hasText: name });
const offer = () => page.getByRole('region', { name: 'This patient may belong to a family' });

it('offers the families with the surname or the phone number, and registers into the chosen one by keyboard', async () => {
  const asked: string[] = [];
  page.on('request', (request) => {
    if (request.url().includes('/families/suggestions')) asked.push(request.url());
  });
  await page.goto(`${scene.origin}/patients/new`);
  await page.getByLabel('Last name').pressSequentially('munoz perez', { delay: 40 });
  await offer().getByText('Jane Muñoz-Pérez', { exact: true }).waitFor();
  expect(asked.length).toBeLessThanOrEqual(2);
  await page.getByLabel('Last name').fill('');
  await offer().waitFor({ state: 'detached' });
  await fillPatient(page, { firstName: 'Jim', lastName: 'Roe', day: '2015-06-07', phone: '086 123 4567' });
  await page.getByLabel('Email address').focus();
  await offer().getByText('same phone number').waitFor();
  expect(await violations(page)).toEqual([]);
  await page.getByLabel('Blood group').focus();
  await page.keyboard.press('Enter');
  expect(await focused(page)).toMatch(/^Register into family Muñoz-Pérez, FAM-/);
  await page.keyboard.type('Child');
  await picture(page, 'family-offer');
  await page.keyboard.press('Control+Enter');
  await page.getByRole('heading', { name: 'Jim Roe' }).waitFor();
  jim = page.url().split('/').at(-1) ?? '';
  await page.getByRole('tab', { name: 'Family' }).click();
  await row('Roe, Jim').getByText('Child').waitFor();
  await row('Muñoz-Pérez, Jane').getByText('Self').waitFor();
});

it('asks for the relations to another primary contact', async () => {
  const opener = row('Roe, Jim').getByRole('button', { name: 'Make primary contact' });
  await opener.press('Enter');
  await page.getByLabel('What is Jane Muñoz-Pérez?').press('Escape');
  await page.getByRole('form', { name: 'Make primary contact' }).waitFor({ state: 'detached' });
  expect(await focused(page)).toBe('Make primary contact: Jim Roe');
  await opener.press('Enter');
  await page.getByLabel('What is Jane Muñoz-Pérez?').selectOption('parent');
  expect(await violations(page)).toEqual([]);
  await picture(page, 'family');
  await page
    .getByRole('form', { name: 'Make primary contact' })
    .getByRole('button', { name: 'Make primary contact' })
    .click();
  await row('Roe, Jim').getByText('Primary contact', { exact: true }).waitFor();
  await row('Muñoz-Pérez, Jane').getByText('Parent').waitFor();
});

it('asks before somebody leaves, and who pays if they paid', async () => {
  await row('Muñoz-Pérez, Jane').getByRole('button', { name: 'Remove' }).press('Enter');
  await page.getByText('Remove Jane Muñoz-Pérez from family Muñoz-Pérez?').waitFor();
  expect(await violations(page)).toEqual([]);
  await page.getByLabel('Who pays from now on?').selectOption({ label: 'Jim Roe' });
  await page.getByRole('form').getByRole('button', { name: 'Remove' }).click();
  await row('Muñoz-Pérez, Jane').waitFor({ state: 'detached' });
  await row('Roe, Jim').getByText('Pays', { exact: true }).waitFor();
});

it('lets a patient in no family found one or join one, and asks before one who does not pay leaves', async () => {
  await openFamily(jane);
  await page.getByText('This patient is in no family.').waitFor();
  expect(await violations(page)).toEqual([]);
  await page.getByRole('combobox', { name: 'Name, number or phone of a family' }).pressSequentially('roe');
  await page.getByRole('option').first().waitFor();
  await page.keyboard.press('Enter');
  await page.getByLabel('What is Jane Muñoz-Pérez?').selectOption('parent');
  await picture(page, 'family-none');
  await page.getByRole('button', { name: 'Join family Muñoz-Pérez' }).click();
  await row('Muñoz-Pérez, Jane').getByRole('button', { name: 'Remove' }).click();
  const question = page.getByRole('dialog');
  await question.getByText('Remove Jane Muñoz-Pérez from family Muñoz-Pérez?').waitFor();
  await question.getByRole('button', { name: 'Cancel' }).click();
  await row('Muñoz-Pérez, Jane').getByRole('button', { name: 'Remove' }).click();
  await question.getByRole('button', { name: 'Remove' }).press('Enter');
  await row('Muñoz-Pérez, Jane').waitFor({ state: 'detached' });
  // Her page has no family any more.
  await page.locator('h1:focus').waitFor();
  await page.getByLabel('Name of the family').fill('Pérez');
  await page.getByRole('button', { name: 'Found a family' }).click();
  await page.getByText('Family Pérez').waitFor();
});

it('moves somebody from a family with others after a question', async () => {
  const kate = await register(page, scene.origin, { firstName: 'Kate', lastName: 'Byrne', day: '1999-01-15' });
  await openFamily(jim);
  await add('Kate Byrne');
  await row('Byrne, Kate').waitFor();
  await openFamily(jane);
  await add('Kate Byrne');
  const question = page.getByRole('dialog');
  await question.getByText('Kate Byrne lives with others in another family.').waitFor();
  await question.getByRole('button', { name: 'Move' }).click();
  await row('Byrne, Kate').waitFor();
  expect(kate).not.toBe('');
});

it('moves the primary contact of a family, who also pays, when the desk says who takes over', async () => {
  await openFamily(jim);
  await add('Jane Muñoz-Pérez');
  const question = page.getByRole('form', { name: 'Jane Muñoz-Pérez leaves family Pérez' });
  await question.getByLabel('Pays from now on').waitFor();
  expect(await violations(page)).toEqual([]);
  // Only one person stays: there is nothing to choose.
  await question.getByRole('button', { name: 'Move' }).click();
  await row('Muñoz-Pérez, Jane').waitFor();
});

it('lists families, renames one, and deletes one in which nobody else is', async () => {
  await page.goto(`${scene.origin}/patients`);
  await page.getByRole('link', { name: 'Families' }).click();
  await page.getByRole('searchbox').pressSequentially('byrne');
  await page.getByRole('link', { name: 'Pérez', exact: true }).waitFor();
  expect(await violations(page)).toEqual([]);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Family Pérez' }).waitFor();
  await row('Byrne, Kate').getByText('Primary contact', { exact: true }).waitFor();
  await page.getByLabel('Name of the family').fill('Byrne');
  await page.getByRole('button', { name: 'Rename' }).click();
  await page.getByRole('heading', { name: 'Family Byrne' }).waitFor();
  expect(await violations(page)).toEqual([]);
  await picture(page, 'family-page');
  await page.getByRole('button', { name: 'Delete the family' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete the family' }).click();
  await page.getByRole('heading', { name: 'Families' }).waitFor();
  await page.getByRole('link', { name: 'Byrne', exact: true }).waitFor({ state: 'detached' });
});

const add = async (name: string) => {
  await page.getByRole('searchbox').fill(name);
  const button = page.getByRole('button', { name: `Add ${name}` });
  await button.press('Enter');
  // What they are to the primary contact is asked, and not guessed.
  await page.getByText('Fill in this field.').waitFor();
  expect(await focused(page)).toMatch(/^Relation/);
  await page.getByLabel('Relation').selectOption('other');
  await button.press('Enter');
};

it('is usable in Arabic on a phone of 360 pixels', async () => {
  const phone = await scene.loggedIn('RECEPTION', { viewport: { width: 360, height: 740 }, hasTouch: true });
  await phone.evaluate("localStorage.setItem('hms-language', 'ar')");
  await phone.goto(`${scene.origin}/patients/new`);
  await phone.locator('input[name=lastName]').fill('Perez');
  await phone.getByLabel('الهاتف').fill(PHONE);
  await phone.locator('input[name=email]').focus();
  const select = phone.locator('section select').first();
  await select.waitFor();
  await select.selectOption('child');
  await select.scrollIntoViewIfNeeded();
  expect([await overflow(phone), await violations(phone)]).toEqual([0, []]);
  await picture(phone, 'family-offer-phone-arabic');
  await phone.goto(`${scene.origin}/patients/${jim}?tab=family`);
  await phone.getByRole('heading', { level: 1 }).waitFor();
  await phone.locator('table').first().waitFor();
  expect([await overflow(phone), await violations(phone)]).toEqual([0, []]);
  await phone.goto(`${scene.origin}/families`);
  await phone.locator('tbody a').first().click();
  await phone.getByRole('button', { name: 'تغيير الاسم' }).waitFor();
  expect([await overflow(phone), await violations(phone)]).toEqual([0, []]);
  await phone.context().close();
});
