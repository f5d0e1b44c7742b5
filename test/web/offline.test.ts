/** The network goes away: what is open stays, also over a reload, says so, and goes on when the network is back. */
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { overflow, register, Scene, violations } from '../support/browser.ts';
import { until } from '../support/until.ts';

const SLOW = 60_000;
const OFFLINE = 'The server can not be reached.';

let scene: Scene;
let id: string;

beforeAll(async () => {
  scene = await Scene.start("St. Mary's Hospital");
  const desk = await scene.loggedIn('RECEPTION');
  id = await register(desk, scene.origin, { firstName: 'Nora', lastName: 'Quinn', day: '1988-02-29' });
  await desk.context().close();
}, 180_000);
afterAll(() => scene?.stop());

/** Somebody who has opened the record, with a service worker that keeps the files. */
async function atRecord(options: Parameters<Scene['loggedIn']>[1] = {}): Promise<Page> {
  const page = await scene.loggedIn('RECEPTION', options);
  await until(
    'the service worker',
    () => page.evaluate('navigator.serviceWorker.controller !== null'),
    (isThere) => isThere === true,
  );
  await page.goto(`${scene.origin}/patients/${id}`);
  await page.getByRole('heading', { name: /Nora Quinn/ }).waitFor();
  return page;
}

it(
  'a record stays over a reload without a network, and goes on when the network is back',
  async () => {
    const page = await atRecord();
    await page.context().setOffline(true);
    await page.getByText(OFFLINE).waitFor();
    await page.reload();
    await page.getByRole('heading', { name: 'Nora Quinn' }).waitFor();
    await page.getByText(OFFLINE).waitFor();
    expect(await page.locator('input[type=password]').count()).toBe(0);
    expect(await violations(page)).toEqual([]);
    // Nothing is left for whoever uses the computer next.
    expect(await page.evaluate('JSON.stringify({ ...sessionStorage, ...localStorage })')).not.toContain('Quinn');
    // A second reload is as good as the first.
    await page.reload();
    await page.getByRole('heading', { name: 'Nora Quinn' }).waitFor();
    await page.context().setOffline(false);
    await page.getByText(OFFLINE).waitFor({ state: 'hidden' });
    await page.getByRole('button', { name: 'Edit' }).click();
    await page.getByLabel('Email address').fill('nora@example.org');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved.').waitFor();
    await page.context().close();
  },
  SLOW,
);

it(
  'a page that was never open says that there is no network, and shows itself when it is back',
  async () => {
    const page = await atRecord();
    await page.context().setOffline(true);
    await page.getByRole('link', { name: 'Employees' }).click();
    await page.getByText(OFFLINE).waitFor();
    expect(await page.getByRole('heading', { name: 'Nora Quinn' }).count()).toBe(1);
    // A reload there shows at least the frame.
    await page.reload();
    await page.getByRole('link', { name: 'Patients', exact: true }).waitFor();
    await page.getByRole('heading', { name: 'Loading' }).waitFor();
    await page.context().setOffline(false);
    await page.getByRole('heading', { name: 'Employees' }).waitFor();
    await page.context().close();
  },
  SLOW,
);

it(
  'a tab that is opened without a network shows nobody’s data',
  async () => {
    const page = await atRecord({ viewport: { width: 360, height: 740 } });
    await page.evaluate("localStorage.setItem('hms-language', 'ar')");
    await page.reload();
    await page.getByText('تعديل').first().waitFor();
    await page.context().setOffline(true);
    const other = await page.context().newPage();
    await other.goto(`${scene.origin}/patients/${id}`);
    await other.locator('input[type=password]').waitFor();
    expect(await other.getByText('Quinn').count()).toBe(0);
    expect(await overflow(other)).toBe(0);
    // It goes on by itself when the network is back, with the session of the browser.
    await page.context().setOffline(false);
    await other.getByRole('heading', { name: /Quinn/ }).waitFor();
    await other.close();
    await page.context().setOffline(true);
    // Whoever was logged in meets the reload in Arabic, too.
    await page.reload();
    await page.getByRole('heading', { name: /Quinn/ }).waitFor();
    expect(await overflow(page)).toBe(0);
    await page.context().close();
  },
  SLOW,
);

it(
  'a reload long afterwards asks for the login',
  async () => {
    const page = await atRecord();
    await page.context().setOffline(true);
    await page.getByText(OFFLINE).waitFor();
    await page.evaluate(
      "addEventListener('pagehide', () => { const now = Date.now; sessionStorage.later = String(now() + 16 * 60_000); })",
    );
    await page.addInitScript('if (sessionStorage.later) Date.now = () => Number(sessionStorage.later);');
    await page.reload();
    await page.locator('input[type=password]').waitFor();
    expect(await page.getByText('Quinn').count()).toBe(0);
    await page.context().close();
  },
  SLOW,
);
