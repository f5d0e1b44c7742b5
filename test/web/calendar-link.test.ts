/** A doctor makes a link to their calendar, renews it and withdraws it. A program reads the calendar without a token. */
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { clickAndConfirm, overflow, Scene, violations, visit } from '../support/browser.ts';
import { call } from '../support/gateway.ts';
import { until } from '../support/until.ts';

let scene: Scene;
let page: Page;

beforeAll(async () => {
  scene = await Scene.start("St. Mary's Hospital");
  const doctor = await scene.hire('Gregory', 'House', 'DOCTOR');
  page = await scene.loggedIn(doctor);
}, 240_000);
afterAll(() => scene?.stop());

const panel = () => page.getByRole('region', { name: 'Calendar link' });
const shownLink = () => panel().getByLabel('Link', { exact: true }).inputValue();
/** What a program gets that has the link and nothing else. */
function ask(link: string) {
  const { pathname, host } = new URL(link);
  return call('GET', pathname, { host });
}
const statusOf = async (link: string) => (await ask(link)).status;

it('has none at first, creates one with the keyboard, and copies it', async () => {
  await visit(page, `${scene.origin}/schedules`);
  await panel().getByText('There is no link.').waitFor();
  expect(await violations(page)).toEqual([]);
  await panel().getByRole('button', { name: 'Create the link' }).press('Enter');
  await panel()
    .getByText(/^There is a link since /)
    .waitFor();
  const link = await shownLink();
  expect(link).toMatch(new RegExp(`^${scene.origin}/api/queue/calendar/${scene.prefix}/[\\w-]{43}$`));
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await panel().getByRole('button', { name: 'Copy' }).press('Enter');
  await panel().getByText('The link is copied.').waitFor();
  expect(await page.evaluate('navigator.clipboard.readText()')).toBe(link);
  expect(await violations(page)).toEqual([]);
  const { status, headers, text } = await ask(link);
  expect([status, headers['content-type']]).toEqual([200, 'text/calendar; charset=utf-8']);
  expect(text).toMatch(/^BEGIN:VCALENDAR\r\n/);
  // Also at the platform's own address, which has rules of its own in the gateway.
  expect((await call('GET', new URL(link).pathname)).status).toBe(200);
}, 120_000);

it('is not shown again, and renews it after a question: the former one opens nothing', async () => {
  const former = await shownLink();
  await page.reload();
  await panel()
    .getByText(/^There is a link since /)
    .waitFor();
  expect(await panel().getByLabel('Link', { exact: true }).count()).toBe(0);
  await panel().getByRole('button', { name: 'Renew the link' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
  expect(await statusOf(former)).toBe(200);
  await clickAndConfirm(page, 'Renew the link');
  const link = await until('another link', shownLink, (shown) => shown !== '' && shown !== former);
  expect([await statusOf(former), await statusOf(link)]).toEqual([404, 200]);
}, 120_000);

it('withdraws it, in Arabic on a phone', async () => {
  const link = await shownLink();
  await page.setViewportSize({ width: 320, height: 640 });
  await page.getByRole('button', { name: /^Language/ }).click();
  await page.getByRole('menuitem', { name: 'العربية' }).click();
  await page.getByRole('region', { name: 'رابط التقويم' }).waitFor();
  expect(await violations(page)).toEqual([]);
  expect(await overflow(page)).toBe(0);
  await clickAndConfirm(page, 'إلغاء الرابط');
  await page.getByText('لا يوجد رابط.').waitFor();
  expect(await statusOf(link)).toBe(404);
}, 120_000);
