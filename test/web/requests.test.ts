/**
 * How many requests somebody causes who looks up one patient after the other. The gateway allows 100 a minute for each
 * login and module, and a brisk receptionist looks up 40 patients in a minute.
 */
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { Scene } from '../support/browser.ts';
import { api, tokenOf } from '../support/gateway.ts';

const SLOW = 120_000;
const LOOKUPS = 40;
/** Milliseconds from key to key. */
const [BRISK, SLOWLY] = [80, 250];

let scene: Scene;
let page: Page;
const names: string[] = [];

beforeAll(async () => {
  scene = await Scene.start("St. Mary's Hospital");
  const desk = api(await tokenOf(scene.prefix, 'RECEPTION'));
  for (let index = 0; index < LOOKUPS; index++) {
    const letters = [...String(100 + index)].map((digit) => 'abcdefghij'[Number(digit)]).join('');
    names.push(`Wat${letters}`);
    const body = { firstName: 'Nora', lastName: `Wat${letters}`, dateOfBirth: '1980-01-01', gender: 'female' as const };
    const phone = `+353865${String(100_000 + index)}`;
    const { error } = await desk.POST('/api/hms/patients', { body: { ...body, phone, rejectDuplicates: false } });
    expect(error).toBeUndefined();
  }
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

/** Types a name and opens what is found, as the keyboard does it. */
async function lookUp(name: string, delay: number): Promise<void> {
  await page.keyboard.press('/');
  await page.locator('[type=search]:focus').waitFor();
  await page.keyboard.type(name, { delay });
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: `Nora ${name}`, exact: true }).waitFor();
}

it(
  'a lookup in the list of patients takes at most four',
  async () => {
    for (const [index, delay] of [BRISK, SLOWLY].entries()) {
      const sent = await requestsOf(() => lookUp(names[index] ?? '', delay));
      process.stderr.write(`${sent.join('\n')}\n`);
      expect(sent.length).toBeLessThanOrEqual(4);
      await page.getByRole('link', { name: 'Patients', exact: true }).click();
      await page.getByRole('heading', { name: 'Patients' }).waitFor();
    }
  },
  SLOW,
);

it(
  'a lookup from one record to the next one takes at most four',
  async () => {
    await lookUp(names[2] ?? '', BRISK);
    for (const [index, delay] of [BRISK, SLOWLY].entries()) {
      const sent = await requestsOf(() => lookUp(names[3 + index] ?? '', delay));
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
  const begun = Date.now();
  for (const name of names) {
    await lookUp(name, BRISK);
    await page.waitForTimeout(Math.max(0, begun + (names.indexOf(name) + 1) * 1_500 - Date.now()));
  }
  // As fast as it was meant to be.
  expect(Date.now() - begun).toBeLessThan(75_000);
  expect(refused).toEqual([]);
  expect(await page.getByRole('alert').count()).toBe(0);
}, 180_000);
