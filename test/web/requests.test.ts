/**
 * How many requests somebody causes who looks up one patient after the other. The gateway allows 100 a minute for each
 * login and module, and a brisk receptionist looks up 40 patients in a minute.
 */
import { dataOf } from '@hms/api-client';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { Scene } from '../support/browser.ts';
import { api, tokenOf } from '../support/gateway.ts';
import { lookUp, lookUpAll, registerFindable } from '../support/lookups.ts';

const SLOW = 120_000;
const LOOKUPS = 40;
/** Milliseconds from key to key. */
const [BRISK, SLOWLY] = [80, 250];

let scene: Scene;
let page: Page;
let names: readonly string[] = [];

beforeAll(async () => {
  scene = await Scene.start("St. Mary's Hospital");
  names = await registerFindable(scene.prefix, LOOKUPS);
  page = await scene.loggedIn('RECEPTION');
  await page.goto(`${scene.origin}/patients`);
  // A list of a moment ago is read once more, because something may have changed while the page was loaded.
  await page.waitForTimeout(12_000);
}, 240_000);
afterAll(() => scene?.stop());

/** Requests to modules while something is done, and shortly afterwards. */
async function requestsOf(what: () => Promise<void>): Promise<readonly string[]> {
  const sent: string[] = [];
  const note = (request: { url(): string; method(): string }) => {
    const { pathname, search } = new URL(request.url());
    if (pathname.startsWith('/api/')) sent.push(`${request.method()} ${pathname}${search}`);
  };
  page.on('request', note);
  await what();
  await page.waitForTimeout(1_500);
  page.off('request', note);
  return sent;
}

it(
  'a lookup in the list of patients takes at most four',
  async () => {
    for (const [index, delay] of [BRISK, SLOWLY].entries()) {
      const sent = await requestsOf(() => lookUp(page, names[index] ?? '', delay));
      process.stderr.write(`${sent.join('\n')}\n`);
      expect(sent.length).toBeLessThanOrEqual(4);
      await page.getByRole('link', { name: 'Patients', exact: true }).click();
      await page.getByRole('heading', { name: 'Patients' }).waitFor();
    }
  },
  SLOW,
);

it(
  'a number opens its record, whatever else is found with it',
  async () => {
    const admin = api(await tokenOf(scene.prefix, 'ADMIN'));
    const query = { q: names[9] ?? '' };
    const [patient] = await dataOf(admin.GET('/api/hms/patients', { params: { query } }));
    const body = {
      ...{ firstName: 'Numb', lastName: 'Er', email: `number@${scene.prefix}.example`, roles: ['NURSE'] },
      title: patient?.patientCode ?? '',
    };
    await dataOf(admin.POST('/api/hms/employees', { body }));
    await page.goto(`${scene.origin}/search?q=nobody`);
    await page.getByRole('searchbox').blur();
    // What is there is typed over.
    await page.keyboard.press('/');
    await page.keyboard.type(patient?.patientCode ?? '', { delay: 5 });
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: `Nora ${names[9]}` }).waitFor();
  },
  SLOW,
);

it(
  'a lookup from one record to the next one takes at most four',
  async () => {
    await lookUp(page, names[2] ?? '', BRISK);
    for (const [index, delay] of [BRISK, SLOWLY].entries()) {
      const sent = await requestsOf(() => lookUp(page, names[3 + index] ?? '', delay));
      process.stderr.write(`${sent.join('\n')}\n`);
      expect(sent.length).toBeLessThanOrEqual(4);
      expect(sent.filter((one, at) => sent.indexOf(one) !== at)).toEqual([]);
    }
  },
  SLOW,
);

it('40 lookups in a minute are not refused', async () => {
  const refused: string[] = [];
  page.on('response', (response) => void (response.status() === 429 && refused.push(response.url())));
  expect(await lookUpAll(page, names)).toBeLessThan(75_000);
  expect(refused).toEqual([]);
  expect(await page.getByRole('alert').count()).toBe(0);
}, 180_000);
