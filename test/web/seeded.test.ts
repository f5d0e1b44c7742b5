/**
 * The portal of a hospital with a history: every page of its menu, on a desk, and in Arabic on the width of a phone. The
 * documentation has pictures of them.
 */
import { envelopeOf } from '@hms/api-client';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { hmsctl } from '../../cli/src/testing.ts';
import { platform } from '../platform.ts';
import { overflow, picture, Scene, violations, visit } from '../support/browser.ts';
import { api, tokenOf } from '../support/gateway.ts';

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
  const wrong = [];
  for (const path of [...paths, '/patients?sort=lastName', record, '/search?q=mar']) {
    await visit(page, `${scene.origin}${path}`);
    const found = [path, await overflow(page), await violations(page)];
    if (found[1] !== 0 || (found[2] as readonly string[]).length > 0) wrong.push(found);
    await onPage(path);
  }
  return wrong;
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
    },
    SLOW,
  );
});
