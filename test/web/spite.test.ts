/** What goes wrong between a person and the platform: impatience, lost answers, ended sessions, other people. */
import { setTimeout as sleep } from 'node:timers/promises';
import { dataOf } from '@hms/api-client';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Page, Route } from 'playwright-core';
import { fillPatient, randomPhone, register, Scene, violations } from '../support/browser.ts';
import { api, call, tokenOf } from '../support/gateway.ts';
import { until } from '../support/until.ts';

const PATIENTS = '**/api/hms/patients';

let scene: Scene;
let page: Page;
let token: string;

beforeAll(async () => {
  scene = await Scene.start('Hospital of Spite');
  page = await scene.loggedIn('RECEPTION');
  token = await tokenOf(scene.prefix, 'NURSE');
}, 180_000);
afterAll(() => scene?.stop());

/** How many patients have the number. */
async function registered(phone: string): Promise<number | undefined> {
  const { data } = await api(token).GET('/api/hms/patients', { params: { query: { phone } } });
  return data?.meta.total;
}

/** Lets one request of a method meet `fault`, and the others pass. */
async function once(at: Page, url: string, method: string, fault: (route: Route) => Promise<void>): Promise<void> {
  let isFirst = true;
  await at.route(url, async (route) => {
    if (!isFirst || route.request().method() !== method) return route.fallback();
    isFirst = false;
    return fault(route);
  });
}

const registerButton = () => page.getByRole('button', { name: 'Register', exact: true });

async function fill(phone = randomPhone(), lastName = 'Spite'): Promise<string> {
  await page.goto(`${scene.origin}/patients/new`);
  await fillPatient(page, { firstName: 'Ann', lastName, phone, day: '1990-01-01' });
  return phone;
}

it('registers one patient for a double-click', async () => {
  const phone = await fill(randomPhone(), 'Double');
  await registerButton().dblclick();
  await page.waitForURL(/\/patients\/[0-9a-f-]{36}/);
  expect(await registered(phone)).toBe(1);
});

it('registers one patient if the answer is lost, and the button is used again', async () => {
  const phone = await fill(randomPhone(), 'Lost');
  await once(page, PATIENTS, 'POST', async (route) => {
    // The server does it, but the browser never gets the answer.
    const request = route.request();
    const { authorization = '', 'idempotency-key': key = '' } = await request.allHeaders();
    const headers = { authorization, 'idempotency-key': key, 'content-type': 'application/json' };
    const raw = request.postData() ?? '';
    const { status } = await call('POST', '/api/hms/patients', { host: new URL(scene.origin).host, raw, headers });
    expect(status).toBe(201);
    await route.abort('connectionreset');
  });
  await registerButton().click();
  await page.getByText('The server could not be reached.').waitFor();
  expect(await violations(page)).toEqual([]);
  await registerButton().click();
  await page.waitForURL(/\/patients\/[0-9a-f-]{36}/);
  await page.unroute(PATIENTS);
  expect(await registered(phone)).toBe(1);
});

it('says how long to wait when a limit is reached, and keeps what was typed', async () => {
  const phone = await fill();
  await once(page, PATIENTS, 'POST', (route) =>
    route.fulfill({ status: 429, headers: { 'Retry-After': '7' }, json: { message: 'API rate limit exceeded' } }),
  );
  await registerButton().click();
  await page.getByText('Too many requests. Wait 7 s, then try again.').waitFor();
  expect((await page.getByLabel('Phone').inputValue()).replaceAll(' ', '')).toBe(phone.replace('+353', '0'));
  await page.unroute(PATIENTS);
});

it('puts the module’s own problem to its field', async () => {
  await fill();
  await page.getByLabel('Day of birth').fill('1850-01-01');
  await page.getByLabel('First name').fill('Hidden\u200b\u200bspace\u202e');
  await registerButton().click();
  await page.getByText(/leave it out/).waitFor();
  expect(await violations(page)).toEqual([]);
});

it('asks before it leaves input that is not saved', async () => {
  await fill();
  await page.getByRole('link', { name: 'Patients', exact: true }).click();
  await page.getByText('Your input is not saved yet. Leave the page?').waitFor();
  expect(await violations(page)).toEqual([]);
  await page.getByRole('button', { name: 'Stay here' }).click();
  expect(await page.getByLabel('Last name').inputValue()).toBe('Spite');
  await page.getByRole('link', { name: 'Patients', exact: true }).click();
  await page.getByRole('button', { name: 'Leave, and lose the input' }).click();
  await page.getByRole('heading', { name: 'Patients', exact: true }).waitFor();
});

it('shows a login over the page when the session ends, and saves after it', async () => {
  const { email, password } = await scene.person('RECEPTION');
  const phone = await fill(randomPhone(), 'Ended');
  await page.context().clearCookies();
  // As the gateway answers to a token that has expired.
  await once(page, PATIENTS, 'POST', (route) => route.fulfill({ status: 401, json: { message: 'token expired' } }));
  await registerButton().click();
  const dialog = page.getByRole('dialog', { name: 'Your session has ended' });
  await dialog.waitFor();
  expect(await violations(page)).toEqual([]);
  expect(await dialog.getByLabel('Email address').inputValue()).toBe(email);
  await page.keyboard.press('Escape');
  await dialog.getByLabel('Password', { exact: true }).fill('wrong');
  await dialog.getByRole('button', { name: 'Log in', exact: true }).click();
  await dialog.getByText('The email address or the password is wrong.').waitFor();
  await dialog.getByLabel('Password', { exact: true }).fill(password);
  await dialog.getByRole('button', { name: 'Log in', exact: true }).click();
  await page.waitForURL(/\/patients\/[0-9a-f-]{36}/);
  await page.unroute(PATIENTS);
  expect(await registered(phone)).toBe(1);
});

it('gives somebody else nothing of what was typed', async () => {
  const nurse = await scene.person('NURSE');
  await fill(randomPhone(), 'Secret');
  await page.context().clearCookies();
  await once(page, PATIENTS, 'POST', (route) => route.fulfill({ status: 401, json: { message: 'token expired' } }));
  await registerButton().click();
  await page.getByRole('button', { name: 'Leave this page, to log in as somebody else' }).click();
  await page.getByRole('heading', { name: 'Log in' }).waitFor();
  await page.unroute(PATIENTS);
  await page.getByLabel('Email address').fill(nurse.email);
  await page.getByLabel('Password', { exact: true }).fill(nurse.password);
  await page.getByRole('button', { name: 'Log in', exact: true }).click();
  await page.getByRole('heading', { name: 'Patients', exact: true }).waitFor();
  await page.goto(`${scene.origin}/patients/new`);
  expect(await page.getByLabel('Last name').inputValue()).toBe('');
});

it('survives that five tabs need a new token at the same time', async () => {
  const context = page.context();
  const tabs = [page];
  while (tabs.length < 5) tabs.push(await context.newPage());
  const refreshes: number[] = [];
  context.on('response', (response) => {
    if (response.url().endsWith('/session/refresh')) refreshes.push(response.status());
  });
  for (const tab of tabs) {
    await tab.goto(`${scene.origin}/patients`);
    await tab.getByRole('heading', { name: 'Patients', exact: true }).waitFor();
  }
  // Tabs that do not listen themselves have read again what was there before.
  await sleep(2_500);
  refreshes.length = 0;
  for (const tab of tabs)
    await once(tab, `${PATIENTS}?*`, 'GET', (route) => route.fulfill({ status: 401, json: { message: 'expired' } }));
  await Promise.all(tabs.map((tab) => tab.getByRole('searchbox').fill('Double')));
  await Promise.all(tabs.map((tab) => tab.getByRole('link', { name: 'Double, Ann' }).waitFor()));
  await Promise.all(tabs.map((tab) => tab.getByText('1 entry').last().waitFor()));
  expect([...new Set(refreshes)]).toEqual([200]);
  expect(refreshes.length).toBeLessThanOrEqual(2);
  for (const tab of tabs.slice(1)) await tab.close();
  // The session lives on.
  await page.reload();
  await page.getByRole('heading', { name: 'Patients', exact: true }).waitFor();
  await page.unrouteAll();
});

it('logs out all tabs', async () => {
  const own = await scene.loggedIn('NURSE');
  const other = await own.context().newPage();
  await other.goto(`${scene.origin}/patients`);
  await other.getByRole('heading', { name: 'Patients', exact: true }).waitFor();
  await own.getByRole('button', { name: 'Account of Demo Nurse' }).click();
  await own.getByRole('menuitem', { name: 'Log out' }).click();
  for (const tab of [own, other]) await tab.getByRole('heading', { name: 'Log in' }).waitFor();
  await own.context().close();
});

it('ends the session of a page that nobody uses, and keeps the page', async () => {
  const own = await scene.loggedIn('NURSE');
  await own.goto(`${scene.origin}/patients/new`);
  await own.getByLabel('Last name').fill('Kept');
  await own.clock.install();
  await own.clock.fastForward('16:00');
  await own.getByText('Nobody used this page for some time.').waitFor();
  expect(await own.getByLabel('Last name').inputValue()).toBe('Kept');
  await own.waitForFunction(`document.visibilityState === 'visible'`);
  await until(
    'the cookie to be gone',
    () => own.context().cookies(),
    ({ length }) => length === 0,
  );
  await own.context().close();
});

it('keeps the search when one comes back', async () => {
  await page.goto(`${scene.origin}/patients`);
  await page.getByRole('searchbox').fill('double');
  await page.getByText('1 entry').last().waitFor();
  await page.getByRole('link', { name: 'Double, Ann' }).click();
  await page.getByRole('heading', { name: 'Ann Double' }).waitFor();
  await page.goBack();
  await page.getByText('1 entry').last().waitFor();
  expect(await page.getByRole('searchbox').inputValue()).toBe('double');
});

it('shows what somebody else has saved, and overwrites nothing of it', async () => {
  const id = await register(page, scene.origin, { firstName: 'Con', lastName: 'Flict', phone: '+353861111111' });
  await page.getByRole('button', { name: 'Edit' }).click();
  await page.getByLabel('First name').fill('Mine');
  const path = { id };
  await api(token).PUT('/api/hms/patients/{id}', { params: { path }, body: { lastName: 'Theirs' } });
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Saved.').waitFor();
  const { data } = await api(token).GET('/api/hms/patients/{id}', { params: { path } });
  expect(data?.data).toMatchObject({ firstName: 'Mine', lastName: 'Theirs' });
});

it('loads itself again when a release has removed its files', async () => {
  // The test sees no requests that a service worker makes.
  const admin = await scene.loggedIn('ADMIN', { serviceWorkers: 'block' });
  let missing = 0;
  await admin.route('**/assets/audit.page-*.js', (route) => {
    missing += 1;
    return missing === 1 ? route.fulfill({ status: 404, body: '' }) : route.fallback();
  });
  await admin.getByRole('link', { name: 'Audit log' }).click();
  await admin.getByRole('heading', { name: 'Audit log' }).waitFor();
  expect(missing).toBe(2);
  await admin.context().close();
});

it('says that the server can not be reached, and goes on when it can', async () => {
  await page.goto(`${scene.origin}/patients`);
  await page.getByRole('searchbox').waitFor();
  await page.context().setOffline(true);
  await page.getByRole('searchbox').fill('flict');
  await page.getByText('The server could not be reached.').waitFor();
  await page.context().setOffline(false);
  await page.getByRole('searchbox').fill('double');
  await page.getByRole('link', { name: 'Double, Ann' }).waitFor();
});

it('keeps the page without a network, says so at once, and goes on by itself', async () => {
  const id = await register(page, scene.origin, { firstName: 'Off', lastName: 'Line' });
  // Nothing of the other pages is loaded yet.
  await page.goto(`${scene.origin}/patients/${id}`);
  const title = page.getByRole('heading', { level: 1, name: 'Off Line' });
  await title.waitFor();
  const notice = page.getByText('The server can not be reached.');
  expect(await notice.count()).toBe(0);
  await page.context().setOffline(true);
  await notice.waitFor();
  await page.getByRole('tab', { name: 'Timeline' }).click();
  await page.getByRole('link', { name: 'Queue', exact: true }).click();
  await sleep(2_000);
  expect([await title.isVisible(), await violations(page)]).toEqual([true, []]);
  await page.context().setOffline(false);
  await page.getByRole('heading', { level: 1, name: 'Queue' }).waitFor();
  await notice.waitFor({ state: 'detached' });
  // A part of a page that could not be loaded is there, too.
  await page.goto(`${scene.origin}/patients/${id}`);
  await title.waitFor();
  await page.context().setOffline(true);
  await page.getByRole('tab', { name: 'Documents' }).click();
  await notice.waitFor();
  await page.context().setOffline(false);
  await page.getByRole('button', { name: 'Upload' }).first().waitFor();
});

it('shows in an open form what a colleague saves, and asks only about what both have changed', async () => {
  const id = await register(page, scene.origin, { firstName: 'Two', lastName: 'Hands' });
  const path = { id };
  const colleague = (body: { readonly firstName?: string; readonly lastName?: string; readonly email?: string }) =>
    dataOf(api(token).PUT('/api/hms/patients/{id}', { params: { path }, body }));
  const field = (name: string) => page.getByRole('textbox', { name });
  await page.getByRole('button', { name: 'Edit' }).click();
  await colleague({ lastName: 'Fingers' });
  await page.getByText('The form has what they saved: Last name.').waitFor();
  expect(await field('Last name').inputValue()).toBe('Fingers');
  await field('City').fill('Cork');
  await colleague({ firstName: 'Ten' });
  await page.getByText('The form has what they saved: First name.').waitFor();
  expect([await field('First name').inputValue(), await field('City').inputValue()]).toEqual(['Ten', 'Cork']);
  await field('Last name').fill('Thumbs');
  await colleague({ lastName: 'Toes', email: 'toes@example.org' });
  await page.getByText('you: Thumbs, saved meanwhile: Toes').waitFor();
  expect(await page.getByText('saved meanwhile:').count()).toBe(1);
  expect(await violations(page)).toEqual([]);
  await page.getByRole('button', { name: 'Take what was saved' }).click();
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Saved.').waitFor();
  const { data } = await api(token).GET('/api/hms/patients/{id}', { params: { path } });
  expect(data?.data).toMatchObject({
    firstName: 'Ten',
    lastName: 'Toes',
    email: 'toes@example.org',
    address: { city: 'Cork' },
  });
});

it('closes the page of who logs out without a network, and ends the session when it is back', async () => {
  const nurse = await scene.loggedIn('NURSE');
  await nurse.goto(`${scene.origin}/patients`);
  await nurse.getByRole('searchbox').waitFor();
  await nurse.waitForFunction('navigator.serviceWorker.controller !== null');
  await nurse.context().setOffline(true);
  await nurse.getByRole('button', { name: 'Demo Nurse' }).click();
  await nurse.getByRole('menuitem', { name: 'Log out' }).click();
  const told = nurse.getByText('You are logged out. The server will know it as soon as it can be reached.');
  await told.waitFor();
  // Nothing is left of the page, and another tab does not go on either.
  expect(await nurse.content()).not.toContain('Double');
  const other = await nurse.context().newPage();
  await other.goto(`${scene.origin}/patients`);
  await other.getByText('You are logged out.').waitFor();
  await nurse.reload();
  await told.waitFor();
  await nurse.context().setOffline(false);
  await told.waitFor({ state: 'detached' });
  await nurse.getByRole('button', { name: 'Log in', exact: true }).waitFor();
  await nurse.reload();
  await nurse.getByRole('button', { name: 'Log in', exact: true }).waitFor();
  await until(
    'the cookie to be gone',
    () => nurse.context().cookies(),
    ({ length }) => length === 0,
  );
  await nurse.context().close();
});
