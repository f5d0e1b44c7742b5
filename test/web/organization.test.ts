/** A head of department plans hours and absences, an administrator makes somebody a VIP, and the desk receives visitors. */
import { dataOf } from '@hms/api-client';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { overflow, picture, register, Scene, violations, visit } from '../support/browser.ts';
import { api, tokenOf } from '../support/gateway.ts';

/** In Dublin, as the hospital sees it. */
const day = (days: number) =>
  new Intl.DateTimeFormat('en-CA', { timeZone: 'Europe/Dublin' }).format(Date.now() + days * 86_400_000);
const monday = (weeks: number) => {
  const today = new Date(day(0));
  return new Date(today.getTime() + (1 - (today.getUTCDay() || 7) + 7 * weeks) * 86_400_000).toISOString().slice(0, 10);
};

let scene: Scene;
let page: Page;
let patient: string;

beforeAll(async () => {
  scene = await Scene.start("St. Mary's Hospital");
  const admin = await tokenOf(scene.prefix, 'ADMIN');
  const doctor = { firstName: 'Dana', lastName: 'Doctor', email: 'dana@example.org', roles: ['DOCTOR'] };
  await dataOf(api(admin).POST('/api/hms/employees', { body: doctor }));
  page = await scene.loggedIn('ADMIN');
  patient = await register(page, scene.origin, { firstName: 'Nora', lastName: 'Quinn' });
}, 180_000);
afterAll(() => scene?.stop());

const open = async (path: string, heading: string | RegExp) => {
  await page.goto(`${scene.origin}${path}`);
  await page.getByRole('heading', { name: heading, level: 1 }).waitFor();
};
/** A required field has a star after its label. */
const fill = (label: string, text: string) => page.getByLabel(new RegExp(`^${label}( \\*)?$`)).fill(text);

it('creates a clinic and a room', async () => {
  await open('/clinics/new', 'New clinic');
  await fill('Name', 'ENT');
  await fill('Code', 'ENT-1');
  await fill('Minutes of an appointment', '20');
  await page.keyboard.press('Control+Enter');
  await page.getByRole('link', { name: 'ENT', exact: true }).waitFor();
  await open('/rooms/new', 'New room');
  await fill('Name', 'Room 1');
  await fill('Code', 'ENT-1-1');
  await page.getByLabel(/^Clinic/).selectOption({ label: 'ENT' });
  expect(await violations(page)).toEqual([]);
  await page.keyboard.press('Control+Enter');
  await page.getByRole('link', { name: 'Room 1' }).waitFor();
  expect(await violations(page)).toEqual([]);
}, 120_000);

it('creates hours on three days at once, and says what is at the same time', async () => {
  await open(`/schedules?from=${monday(1)}`, 'Working hours');
  await page.getByRole('button', { name: 'New hours', exact: true }).click();
  const form = page.getByRole('form', { name: 'New hours' });
  for (const name of ['Wednesday', 'Thursday']) await form.getByLabel(name, { exact: true }).check();
  await fill('From', '08:00');
  await fill('To', '12:00');
  await form.getByLabel('Clinic').selectOption({ label: 'ENT' });
  await form.getByLabel('Room').selectOption({ label: 'Room 1' });
  expect(await violations(page)).toEqual([]);
  await picture(page, 'schedule-new');
  await page.keyboard.press('Control+Enter');
  await page.getByRole('region', { name: 'Thursday' }).getByText('12 × 20 min').waitFor();
  expect(await page.getByRole('button', { name: /ENT/ }).count()).toBe(3);
  // Another time on Tuesday is free, and Wednesday is not: what is free is saved.
  await page.getByRole('button', { name: /^New hours on Tuesday/ }).press('Enter');
  await form.getByLabel('Wednesday', { exact: true }).check();
  await fill('From', '10:00');
  await fill('To', '11:00');
  await form.getByLabel('Clinic').selectOption({ label: 'ENT' });
  await page.keyboard.press('Control+Enter');
  await form.getByText(/^The doctor has other hours then: 08:00–12:00/).waitFor();
  expect(await form.getByLabel('Tuesday', { exact: true }).isChecked()).toBe(false);
  expect(await violations(page)).toEqual([]);
  await form.getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('region', { name: 'Tuesday' }).getByText('10:00–11:00').waitFor();
}, 120_000);

it('changes hours from a day on, and shows an absence', async () => {
  await open(`/schedules?from=${monday(2)}`, 'Working hours');
  await page
    .getByRole('region', { name: 'Monday' })
    .getByRole('button', { name: /08:00–12:00/ })
    .press('Enter');
  const form = page.getByRole('form', { name: 'Hours on Monday' });
  await form.getByLabel('From', { exact: true }).fill('09:00');
  await page.keyboard.press('Control+Enter');
  await page.getByRole('region', { name: 'Monday' }).getByText('09:00–12:00').waitFor();
  await page.getByRole('button', { name: 'Week before' }).click();
  await page.getByRole('region', { name: 'Monday' }).getByText('08:00–12:00').waitFor();
  await page.getByRole('button', { name: 'New absence' }).click();
  await fill('First day', new Date(Date.parse(monday(1)) + 2 * 86_400_000).toISOString().slice(0, 10));
  await fill('Reason', 'A wedding');
  await page.keyboard.press('Control+Enter');
  await page.getByRole('region', { name: 'Wednesday' }).getByText('Away all day').waitFor();
  await page.getByRole('region', { name: 'Absences' }).getByText('A wedding').waitFor();
  expect(await violations(page)).toEqual([]);
  await page.evaluate('scrollTo(0, 0)');
  await picture(page, 'schedule');
}, 120_000);

it('shows the week of a clinic, and to others no reasons', async () => {
  const nurse = await scene.loggedIn('NURSE');
  await nurse.goto(`${scene.origin}/schedules?from=${monday(1)}`);
  await nurse.getByRole('region', { name: 'Wednesday' }).getByText('Away all day').waitFor();
  expect(await nurse.getByText('A wedding').count()).toBe(0);
  expect(await nurse.getByRole('button', { name: /New hours/ }).count()).toBe(0);
  await nurse.getByLabel('Week of').selectOption({ label: 'ENT' });
  await nurse.getByRole('region', { name: 'Thursday' }).getByText('12 × 20 min').waitFor();
  expect(await violations(nurse)).toEqual([]);
  await nurse.context().close();
}, 120_000);

it('makes a patient a VIP, suspends it with a reason, and shows it beside the name', async () => {
  await open('/vip-tiers/new', 'New tier');
  await fill('Name', 'Gold');
  await fill('Weight in queues', '50');
  await fill('Discount on consultations', '12,5');
  await page.keyboard.press('Control+Enter');
  await page.getByRole('cell', { name: '12.5 %' }).waitFor();
  await open(`/patients/${patient}?tab=vip`, 'Nora Quinn');
  await page.getByRole('button', { name: 'New membership' }).click();
  await page.getByLabel('Tier', { exact: true }).selectOption({ label: 'Gold' });
  await page.keyboard.press('Control+Enter');
  await page.getByText('VIP Gold').waitFor();
  expect(await violations(page)).toEqual([]);
  await picture(page, 'vip');
  await page.getByRole('button', { name: 'Suspend', exact: true }).click();
  await page.getByRole('textbox', { name: 'Why is VIP-000001 suspended?' }).fill('Unpaid');
  await page.keyboard.press('Control+Enter');
  await page.getByText('Unpaid').waitFor();
  await page.getByText('VIP Gold').waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'End the suspension' }).click();
  await page.getByText('VIP Gold').waitFor();
  await page.getByRole('button', { name: 'New membership' }).click();
  await page.getByLabel('For', { exact: true }).selectOption({ label: 'The family Quinn' });
  await page.getByLabel('Tier', { exact: true }).selectOption({ label: 'Gold' });
  await page.keyboard.press('Control+Enter');
  await page.getByRole('cell', { name: 'The family Quinn' }).waitFor();
  expect(await violations(page)).toEqual([]);
  await open('/vip?valid=true', 'VIP');
  await page.getByRole('link', { name: /Nora Quinn/ }).waitFor();
  await page.getByRole('link', { name: /The family Quinn/ }).waitFor();
  expect(await violations(page)).toEqual([]);
}, 120_000);

it('issues a pass with the keyboard, which another desk sees, and lets the visitor out', async () => {
  await open('/visitors', 'Visitors');
  const desk = await scene.loggedIn('RECEPTION');
  await desk.goto(`${scene.origin}/visitors`);
  const scan = desk.getByLabel('Scan a pass, or type a name');
  await scan.waitFor();
  expect(await desk.evaluate('document.activeElement?.labels?.[0]?.textContent')).toMatch(/^Scan a pass/);
  await desk.getByRole('button', { name: 'New pass' }).press('Enter');
  await desk.getByRole('combobox', { name: 'Patient' }).fill('quinn');
  await desk.getByRole('option', { name: /Nora Quinn/ }).waitFor();
  await desk.keyboard.press('Enter');
  await desk.getByText('Another patient').waitFor();
  await desk.getByLabel('Visitor', { exact: true }).fill('Ann Lee');
  expect(await violations(desk)).toEqual([]);
  await picture(desk, 'visitor-pass');
  await desk.keyboard.press('Control+Enter');
  await desk.getByText('Ann Lee may go in, to Nora Quinn').waitFor();
  const inside = desk.getByRole('region', { name: 'Inside now' });
  await inside.getByText('Ann Lee').waitFor();
  // Another desk sees it without a reload.
  await page.getByRole('region', { name: 'Inside now' }).getByText('Ann Lee').waitFor();
  const label = desk.waitForResponse((response) => response.url().endsWith('/label'));
  const [tab] = await Promise.all([
    desk.waitForEvent('popup'),
    inside.getByRole('button', { name: 'Print the pass of Ann Lee' }).click(),
  ]);
  expect((await label).headers()['content-type']).toBe('application/pdf');
  await tab.close();
  expect(await violations(desk)).toEqual([]);
  await picture(desk, 'visitors');
  await inside.getByRole('button', { name: 'Let out Ann Lee' }).press('Enter');
  await desk.getByText('Ann Lee has left').waitFor();
  await desk.locator('input:focus').waitFor();
  await inside.getByText('Nobody is inside.').waitFor();
  // Whoever has left comes back without a scanner.
  const outside = desk.getByRole('region', { name: 'May come in' });
  await outside.getByRole('button', { name: 'Let in Ann Lee' }).press('Enter');
  await desk.getByText('Ann Lee may go in, to Nora Quinn').waitFor();
  const pdf = desk.waitForResponse((response) => response.url().endsWith('/inside/pdf'));
  const [printed] = await Promise.all([
    desk.waitForEvent('popup'),
    inside.getByRole('button', { name: 'Print the list' }).press('Enter'),
  ]);
  expect((await pdf).headers()['content-type']).toBe('application/pdf');
  await printed.close();
  await inside.getByRole('button', { name: 'Let out Ann Lee' }).press('Enter');
  await inside.getByText('Nobody is inside.').waitFor();
  await desk.getByLabel('Scan a pass, or type a name').fill('V000000000');
  await desk.keyboard.press('Enter');
  await desk.getByText('There is no pass with this code.').waitFor();
  await desk.getByLabel('Scan a pass, or type a name').fill('lee');
  await desk.keyboard.press('Enter');
  await desk.getByRole('tab', { name: 'All passes', selected: true }).waitFor();
  await desk.getByRole('button', { name: 'Change the end of the pass of Ann Lee' }).press('Enter');
  await desk.getByLabel('Valid until').and(desk.locator(':focus')).waitFor();
  const inThreeDays = new Date(Date.now() + 3 * 86_400_000).toISOString().slice(0, 10);
  await desk.keyboard.type(inThreeDays);
  expect(await violations(desk)).toEqual([]);
  await desk.keyboard.press('Control+Enter');
  await desk.getByText('The pass of Ann Lee has another end').waitFor();
  const inWords = (locale: string) =>
    new Date(inThreeDays).toLocaleDateString(locale, { dateStyle: 'medium', timeZone: 'UTC' });
  await desk.getByRole('cell', { name: new RegExp(`^(${inWords('en-US')}|${inWords('en-GB')})$`) }).waitFor();
  await desk.getByRole('button', { name: 'Let in Ann Lee' }).press('Enter');
  await desk.getByText('Ann Lee may go in, to Nora Quinn').waitFor();
  await desk.context().close();
}, 180_000);

it('keeps out who is on the deny list, unless it is somebody else of this name', async () => {
  await open('/visitor-bans/new', 'New entry');
  await fill('Name', 'Max Grey');
  await fill('Reason', 'Violent');
  await page.keyboard.press('Control+Enter');
  await page.getByRole('cell', { name: 'Violent' }).waitFor();
  await open('/visitors', 'Visitors');
  await page.getByRole('button', { name: 'New pass' }).click();
  await page.getByRole('combobox', { name: 'Patient' }).fill('quinn');
  await page.getByRole('option', { name: /Nora Quinn/ }).click();
  await page.getByLabel('Visitor', { exact: true }).fill('max grey');
  await page.keyboard.press('Control+Enter');
  await page.getByText('On the deny list').waitFor();
  await page.getByText('Violent').waitFor();
  expect(await violations(page)).toEqual([]);
  await page.getByRole('button', { name: 'This is somebody else: go on' }).click();
  await page.getByText('max grey may go in').waitFor();
  // Somebody was banned after a namesake got the pass.
  await page.getByRole('button', { name: 'Let out Ann Lee' }).click();
  await page.getByText('Ann Lee has left').waitFor();
  await open('/visitor-bans/new', 'New entry');
  await fill('Name', 'Ann Lee');
  await fill('Reason', 'Steals');
  await page.keyboard.press('Control+Enter');
  await page.getByRole('cell', { name: 'Steals' }).waitFor();
  await open('/visitors', 'Visitors');
  await page.getByRole('button', { name: 'Let in Ann Lee' }).click();
  await page.getByText('Steals').waitFor();
  await page.getByRole('button', { name: 'This is somebody else: go on' }).click();
  await page.getByText('Ann Lee may go in').waitFor();
}, 120_000);

it('has visiting hours for every day at once', async () => {
  await open('/visitors?tab=hours', 'Visitors');
  await page.getByText('people may come at any time').waitFor();
  await fill('From', '00:00');
  await fill('To', '00:00');
  await page.getByRole('button', { name: 'Add visiting hours' }).click();
  await page.getByRole('button', { name: 'Remove Sunday, 00:00–24:00' }).waitFor();
  expect(await violations(page)).toEqual([]);
}, 120_000);

it('is usable in Arabic on a phone', async () => {
  const phone = await scene.loggedIn('ADMIN', { viewport: { width: 320, height: 640 } });
  await phone.evaluate(`localStorage.setItem('hms-language', 'ar')`);
  const paths = [
    `/schedules?from=${monday(1)}`,
    ...['/rooms', '/visit-types', '/vip', '/vip-tiers', `/patients/${patient}?tab=vip`],
    ...['/visitors', '/visitors?tab=passes', '/visitors?tab=hours', '/visitor-bans'],
  ];
  for (const path of paths) {
    await visit(phone, `${scene.origin}${path}`);
    expect([path, await phone.evaluate('document.documentElement.dir')]).toEqual([path, 'rtl']);
    expect([path, await overflow(phone)]).toEqual([path, 0]);
    expect([path, await violations(phone)]).toEqual([path, []]);
  }
}, 180_000);
