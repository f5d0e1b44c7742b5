/**
 * The portal of a hospital with a history: every page of its menu, on a desk, in dark colors, and in Arabic on the width of
 * a phone. The documentation has pictures of them.
 */
import { envelopeOf } from '@hms/api-client';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { hmsctl } from '../../cli/src/testing.ts';
import { platform } from '../platform.ts';
import { cut, overflow, picture, Scene, violations, visit } from '../support/browser.ts';
import { api, tokenOf } from '../support/gateway.ts';
import { until } from '../support/until.ts';

const SLOW = 300_000;
/** The pages of the menu that the documentation shows. */
const PICTURES: Readonly<Record<string, string>> = {
  // By name, because not every computer has the letters of every name.
  '/patients?sort=lastName': 'patients',
  '/employees': 'employees',
  '/clinics': 'clinics',
  '/drugs': 'drugs',
  '/stock': 'stock',
  '/prescriptions': 'prescriptions',
  '/audit': 'audit',
};
const DESK = { width: 1280, height: 800 };
const PHONE = { width: 320, height: 640 };
const USUAL_PHONE = { width: 360, height: 740 };
let scene: Scene;
let page: Page;
/** Of somebody with a severe allergy. */
let record: string;

beforeAll(async () => {
  scene = await Scene.start("St. Mary's Hospital");
  const args = ['seed', '--hospital', scene.prefix, '--patients', '150', '--days', '10', '--documents', '1'];
  const seeded = await hmsctl(args, { env: { HMS_DATA_DIR: platform().dataDir } });
  expect([seeded.code, seeded.code === 0 ? '' : seeded.stderr]).toEqual([0, '']);
  const doctor = api(await tokenOf(scene.prefix, 'DOCTOR'));
  const { data } = await envelopeOf(doctor.GET('/api/hms/patients', { params: { query: { limit: 100 } } }));
  const patient = data.find(
    ({ lastName, allergies }) =>
      /^[A-Z]/.test(lastName ?? '') && allergies?.some(({ severity }) => severity === 'severe'),
  );
  expect(patient).toBeDefined();
  record = `/patients/${patient?.id}`;
  page = await scene.loggedIn(await scene.hire('Ann', 'Byrne', 'OWNER'), { locale: 'en-IE' });
}, SLOW);
afterAll(() => scene?.stop());

/** @returns what is wrong with the pages of the menu, and with a record. */
async function walk(onPage: (path: string) => Promise<void>): Promise<unknown[]> {
  // On a phone, the menu is closed.
  const links = page.locator('nav a');
  const paths = await links.evaluateAll((all: { getAttribute(name: string): string }[]) =>
    all.map((link) => link.getAttribute('href')),
  );
  expect(paths.length).toBeGreaterThan(15);
  return wrongOn([...paths, '/patients?sort=lastName', record, '/search?q=mar'], onPage);
}

/** @returns what is wrong with these pages. */
async function wrongOn(paths: readonly string[], onPage: (path: string) => Promise<void>): Promise<unknown[]> {
  const wrong = [];
  for (const path of paths) {
    await visit(page, `${scene.origin}${path}`);
    const found = [path, await overflow(page), await violations(page)];
    if (found[1] !== 0 || (found[2] as readonly string[]).length > 0) wrong.push(found);
    await onPage(path);
  }
  return wrong;
}

/** Pages with many colors. */
const COLORFUL = [
  ...['/patients?sort=lastName', '/patients/new', '/appointments', '/schedules', '/queue', '/laboratory'],
  ...['/prescriptions', '/invoices', '/cash-desk', '/reports', '/reports/revenue', '/audit', '/account'],
];

const LIGHT_TEXT = 'rgb(23, 33, 43)';
const DARK_TEXT = 'rgb(227, 232, 237)';

/** The color schemes that the server and the page itself say, and the color of text. */
function schemes(): Promise<string[]> {
  return page.evaluate(`[
    document.querySelector('meta[name="color-scheme"]').content,
    document.documentElement.dataset.mantineColorScheme,
    getComputedStyle(document.body).color,
  ]`);
}

async function shows(expected: readonly string[]): Promise<void> {
  const wanted = expected.join();
  await until('the colors', schemes, (found) => found.join() === wanted, 5_000);
}

/** Chooses colors in the menu of the person, by keyboard. */
async function choose(colors: string): Promise<void> {
  await page.getByRole('button', { name: 'Account of Ann Byrne' }).press('Enter');
  await page.getByRole('menuitemradio', { name: colors }).press('Enter');
  expect(await page.getByRole('menuitemradio', { checked: true }).allTextContents()).toEqual([`✓${colors}`]);
  await page.keyboard.press('Escape');
  await page.getByRole('menu').waitFor({ state: 'detached' });
}

describe('the portal of a hospital with a history', () => {
  it(
    'has no page that axe finds wrong, on a desk',
    async () => {
      const wrong = await walk(async (path) => {
        const name = path === record ? 'record' : path.startsWith('/search') ? 'search' : PICTURES[path];
        if (name !== undefined) await picture(page, name);
      });
      expect(wrong).toEqual([]);
    },
    SLOW,
  );

  it(
    'has dark colors if the device has or if somebody chooses them, and never on paper',
    async () => {
      await visit(page, `${scene.origin}/patients`);
      await shows(['light dark', 'light', LIGHT_TEXT]);
      await page.emulateMedia({ colorScheme: 'dark' });
      await shows(['light dark', 'dark', DARK_TEXT]);
      await choose('Light');
      await shows(['light dark', 'light', LIGHT_TEXT]);
      await page.emulateMedia({ colorScheme: 'light' });
      await choose('Dark');
      await visit(page, `${scene.origin}/patients`);
      // What the server writes holds before any script runs.
      await shows(['dark', 'dark', DARK_TEXT]);
      const printed = page.evaluate(
        `new Promise((resolve) => addEventListener('beforeprint', () => resolve(getComputedStyle(document.body).color)))`,
      );
      await page.pdf();
      expect(await printed).toBe(LIGHT_TEXT);
      await shows(['dark', 'dark', DARK_TEXT]);
      const wrong = await wrongOn([...COLORFUL, record], async (path) => {
        if (path === '/patients?sort=lastName') await picture(page, 'patients-dark');
      });
      expect(wrong).toEqual([]);
      await choose('As the device');
      await visit(page, `${scene.origin}/patients`);
      await shows(['light dark', 'light', LIGHT_TEXT]);
    },
    SLOW,
  );

  it(
    'has none in Arabic on a phone',
    async () => {
      await page.setViewportSize(PHONE);
      await visit(page, `${scene.origin}/patients?sort=lastName`);
      await picture(page, 'patients-phone');
      await page.setViewportSize(DESK);
      await page.getByRole('button', { name: 'Language: English' }).click();
      await page.getByRole('menuitem', { name: 'العربية' }).click();
      await page.getByRole('heading', { name: 'المرضى' }).waitFor();
      await picture(page, 'patients-arabic');
      await page.setViewportSize(PHONE);
      expect(await walk(async () => {})).toEqual([]);
      await page.setViewportSize(USUAL_PHONE);
      const short: unknown[] = [];
      await walk(async (path) => {
        const found = await cut(page);
        if (found.length > 0) short.push([path, found]);
      });
      expect(short).toEqual([]);
    },
    SLOW,
  );
});
