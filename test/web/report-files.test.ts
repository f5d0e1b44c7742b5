/**
 * Files of reports that are written in the background, and reports by mail, in the portal: an accountant's long list, with
 * its progress, its end, and what goes wrong, and a plan for a colleague.
 */
import fs from 'node:fs';
import { connect } from '@hms/database';
import { hospitalNames } from '@hms/tenancy';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { parse } from 'csv-parse/sync';
import type { Locator, Page } from 'playwright-core';
import { hmsctl } from '../../cli/src/testing.ts';
import { platform } from '../platform.ts';
import { focused, overflow, picture, Scene, violations, visit } from '../support/browser.ts';
import { type Say, wordsOf } from '../support/words.ts';

const SLOW = 300_000;
/** PostgreSQL ends a statement of a report after a minute. */
const TOO_SLOW = 120_000;
const DESK = { width: 1280, height: 800 };
const PHONE = { width: 390, height: 740 };
let scene: Scene;
let accountant: Page;
let say: Say;

beforeAll(async () => {
  scene = await Scene.start("St. Mary's Hospital");
  const args = ['seed', '--hospital', scene.prefix, '--patients', '120', '--days', '20', '--documents', '0'];
  const seeded = await hmsctl(args, { env: { HMS_DATA_DIR: platform().dataDir } });
  expect([seeded.code, seeded.code === 0 ? '' : seeded.stderr]).toEqual([0, '']);
  await scene.hire('Noor', 'Zweig', 'NURSE');
  await scene.hire('Ann', 'Zander', 'OWNER');
  accountant = await scene.loggedIn(await scene.hire('Bea', 'Cole', 'ACCOUNTANT'), { locale: 'en-IE' });
  say = await wordsOf('en');
}, SLOW);
afterAll(() => scene?.stop());

/** What is wrong with the page as it is. */
async function wrongWith(page: Page): Promise<unknown[]> {
  await page.locator('[aria-busy="true"]').first().waitFor({ state: 'detached' });
  const found = [await overflow(page), ...(await violations(page))];
  return found[0] === 0 ? found.slice(1) : found;
}

/** The same page in Arabic and on a phone. Afterwards it is as before. */
async function alsoInArabic(page: Page): Promise<void> {
  const arabic = await wordsOf('ar');
  await page.evaluate(`localStorage.setItem('hms-language', 'ar')`);
  await page.setViewportSize(PHONE);
  await visit(page, page.url());
  await page.getByRole('navigation', { name: arabic('reports.trail') }).waitFor();
  expect(await page.locator('html').getAttribute('dir')).toBe('rtl');
  expect(await wrongWith(page)).toEqual([]);
  await page.evaluate(`localStorage.setItem('hms-language', 'en')`);
  await page.setViewportSize(DESK);
  await visit(page, page.url());
}

const rows = (page: Page) => page.getByRole('table').locator('tbody tr');
const textOf = async (locator: Locator) => (await locator.textContent()) ?? '';
const digitsOf = (text: string) => Number(text.replaceAll(/\D/g, ''));

/** The list behind what was paid in cash. @returns how many records it has */
async function openCash(page: Page): Promise<number> {
  await visit(page, `${scene.origin}/reports/collections/records?method=CASH&measure=amount`);
  await page.getByText(/Method: Cash/).waitFor();
  return digitsOf(await textOf(page.locator('dl > div:has(> dt:text-is("Records")) > dd')));
}

const inBackground = (page: Page) => page.getByRole('button', { name: say('reports.background.start') });

describe('a file in the background', () => {
  it(
    'is started from a list, by keyboard, and has its rows',
    async () => {
      const page = accountant;
      const records = await openCash(page);
      expect(records).toBeGreaterThan(0);
      await inBackground(page).focus();
      await page.keyboard.press('Enter');
      await page
        .getByRole('status')
        .filter({ hasText: say('reports.background.started') })
        .waitFor();
      expect(await focused(page)).toBe(say('reports.background.start'));
      expect(await wrongWith(page)).toEqual([]);
      await page.getByRole('link', { name: say('reports.background.see') }).click();
      await page.getByRole('heading', { name: say('reports.files.title'), level: 1 }).waitFor();

      const row = rows(page).first();
      await row.getByText(say('reports.files.states.done'), { exact: true }).waitFor();
      expect(await row.getByText(/^Rows: /).textContent()).toBe(`Rows: ${records}`);
      const text = await textOf(row);
      for (const part of ['Collections: Collected', 'Method: Cash', 'Kept until']) expect(text).toContain(part);
      const download = page.waitForEvent('download');
      await row.getByRole('button', { name: /^Download: Collections: Collected, / }).click();
      const file = await download;
      expect(file.suggestedFilename()).toMatch(/^collections-.+\.csv$/);
      const listed: string[][] = parse(fs.readFileSync(await file.path()), { bom: true });
      expect(listed.length - 1).toBe(records);

      expect(await wrongWith(page)).toEqual([]);
      await alsoInArabic(page);
      // The name leads back to the list.
      await row.getByRole('link').click();
      await page.getByText(/Method: Cash/).waitFor();
    },
    SLOW,
  );

  it(
    'shows its progress, is cancelled, fails in words, and starts again',
    async () => {
      const page = accountant;
      const records = await openCash(page);
      const db = connect(platform().databaseUrls.admin);
      const { schema } = hospitalNames(scene.prefix);
      // Whoever reads payments counts for minutes. A lock would be waited for again.
      const slowly = 'SELECT count(*) FROM (SELECT generate_series(1, 10000000000)) AS numbers';
      await db.raw(`CREATE POLICY slowly ON ${schema}.payments USING ((${slowly}) > 0)`);
      await db.raw(`ALTER TABLE ${schema}.payments ENABLE ROW LEVEL SECURITY`);
      try {
        for (const _ of [1, 2]) {
          const started = page.waitForResponse(/report\/exports$/);
          await inBackground(page).click();
          expect((await started).status()).toBe(201);
          await page.locator('button[aria-disabled]').waitFor({ state: 'detached' });
        }
        await page.getByRole('link', { name: say('reports.background.see') }).click();
        const running = rows(page).filter({ hasText: say('reports.files.states.running') });
        await running.getByRole('progressbar', { name: say('reports.files.progress') }).waitFor();
        await rows(page)
          .filter({ hasText: say('reports.files.states.waiting') })
          .waitFor();
        expect(await wrongWith(page)).toEqual([]);
        await running.getByRole('button', { name: /^Cancel: / }).focus();
        await page.keyboard.press('Enter');
        const cancelled = rows(page).filter({ hasText: say('reports.files.states.cancelled') });
        await cancelled.getByRole('button', { name: /^Start again: / }).waitFor();
        expect(await focused(page)).toBe(say('reports.files.title'));
        await page.mouse.move(0, 0);
        await picture(page, 'report-files');
        await rows(page)
          .filter({ hasText: say('reports.files.failed.too-slow') })
          .waitFor({ timeout: TOO_SLOW });
        await db.raw(`ALTER TABLE ${schema}.payments DISABLE ROW LEVEL SECURITY`);
        const failed = rows(page).filter({ hasText: say('reports.files.states.failed') });
        await failed.getByRole('button', { name: /^Start again: / }).click();
        const again = rows(page).first();
        await again.getByText(say('reports.files.states.done'), { exact: true }).waitFor();
        expect(await again.getByText(/^Rows: /).textContent()).toBe(`Rows: ${records}`);
        expect(await wrongWith(page)).toEqual([]);
      } finally {
        await db.raw(`ALTER TABLE ${schema}.payments DISABLE ROW LEVEL SECURITY`);
        await db.destroy();
      }
      // Nothing changes any more, so nothing is asked.
      const asked = page.waitForRequest(/report\/exports/, { timeout: 7_000 }).then(
        () => true,
        () => false,
      );
      expect(await asked).toBe(false);
    },
    SLOW,
  );

  it(
    'is what a very long list suggests',
    async () => {
      const page = accountant;
      const answer = page.waitForResponse(/api\/report\/collections\/records/);
      await openCash(page);
      const body = await (await answer).json();
      expect(await page.getByText(say('reports.background.long')).count()).toBe(0);
      await page.route(/api\/report\/collections\/records/, (route) =>
        route.fulfill({ json: { ...body, meta: { ...body.meta, total: 60_000 } } }),
      );
      await openCash(page);
      await page.getByText(say('reports.background.long')).waitFor();
      expect(await wrongWith(page)).toEqual([]);
      await page.unrouteAll();
    },
    SLOW,
  );
});

describe('a report by mail', () => {
  it(
    'is planned from the report for a colleague, by keyboard',
    async () => {
      const page = accountant;
      await visit(page, `${scene.origin}/reports/mail/new?report=collections`);
      await alsoInArabic(page);
      await visit(page, `${scene.origin}/reports/collections?groupBy=method`);
      await page.getByRole('link', { name: say('reports.mail.byMail') }).click();
      await page.getByRole('heading', { name: say('reports.mail.new'), level: 1 }).waitFor();
      const field = (name: string) => page.getByLabel(new RegExp(`^${say(`reports.mail.fields.${name}`)}( \\*)?$`));
      expect(await field('report').inputValue()).toBe('collections');
      expect(await field('groupBy').inputValue()).toBe('method');
      expect(await field('title').inputValue()).toBe('Collections');
      // The subject and what it is counted by follow the report.
      await field('report').selectOption({ label: 'Revenue' });
      expect([await field('groupBy').inputValue(), await field('title').inputValue()]).toEqual(['day', 'Revenue']);
      await field('report').selectOption({ label: 'Collections' });
      await field('groupBy').selectOption({ label: 'Method' });
      expect(await wrongWith(page)).toEqual([]);

      await field('sendAt').fill('');
      await page.keyboard.press('Control+Enter');
      await page.getByText(say('form.problem.recipients')).waitFor();
      await page.getByText(say('form.problem.clock')).waitFor();
      await field('sendAt').fill('06:45');
      const people = page.getByRole('combobox', { name: say('reports.mail.fields.recipientIds') });
      for (const name of ['Ann Zander', 'Noor Zweig']) {
        await people.focus();
        await page.keyboard.type(name);
        await page.getByRole('option', { name: new RegExp(`^${name}`) }).waitFor();
        await page.keyboard.press('Enter');
        await page.getByRole('button', { name: `Remove ${name}` }).waitFor();
      }
      // A nurse sees no money.
      await page.keyboard.press('Control+Enter');
      const refused = page.getByRole('listitem').filter({ hasText: say('reports.mail.notPermitted') });
      expect(await textOf(refused)).toContain('Noor Zweig');
      expect(await refused.count()).toBe(1);
      expect(await wrongWith(page)).toEqual([]);
      await page.getByRole('button', { name: 'Remove Noor Zweig' }).click();
      await people.focus();
      await page.keyboard.press('Control+Enter');

      await page.getByRole('heading', { name: say('reports.mail.title'), level: 1 }).waitFor();
      await rows(page).first().waitFor();
      const text = await textOf(rows(page).first());
      for (const part of ['Collections · Method', 'Every month, 06:45', 'Ann Zander', '06:45'])
        expect(text).toContain(part);
      expect(await wrongWith(page)).toEqual([]);
      await picture(page, 'report-mail');
      await alsoInArabic(page);
    },
    SLOW,
  );

  it(
    'is paused, goes on, is changed, and deleted after a question',
    async () => {
      const page = accountant;
      await visit(page, `${scene.origin}/reports/mail`);
      await page.getByRole('link', { name: 'Collections', exact: true }).click();
      const button = (word: string) => page.getByRole('button', { name: say(`reports.mail.${word}`), exact: true });
      await button('pause').focus();
      await page.keyboard.press('Enter');
      await button('resume').waitFor();
      await page.getByText(say('reports.mail.paused'), { exact: true }).waitFor();
      expect(await wrongWith(page)).toEqual([]);
      await alsoInArabic(page);
      await button('resume').click();
      await page
        .getByText(/06:45$/)
        .first()
        .waitFor();

      await page.getByRole('button', { name: say('form.edit') }).click();
      const often = page.getByLabel(say('reports.mail.fields.period'));
      await often.focus();
      await often.selectOption('week');
      await page.getByRole('button', { name: 'Remove Ann Zander' }).waitFor();
      expect(await wrongWith(page)).toEqual([]);
      await page.keyboard.press('Control+Enter');
      await page.getByText('Every week, 06:45').waitFor();

      await button('delete').click();
      const question = page.getByRole('dialog');
      await question.getByRole('button', { name: say('form.cancel') }).click();
      await button('delete').click();
      await question.getByRole('button', { name: say('reports.mail.delete') }).click();
      await page.getByText(say('reports.mail.empty')).waitFor();
    },
    SLOW,
  );

  it(
    'is offered to those only who may plan it',
    async () => {
      const may = async (page: Page, name: string) => {
        await visit(page, `${scene.origin}/reports`);
        return page.getByRole('link', { name, exact: true }).count();
      };
      expect(await may(accountant, say('reports.mail.title'))).toBe(1);
      const doctor = await scene.loggedIn('DOCTOR', { locale: 'en-IE' });
      expect(await may(doctor, say('reports.mail.title'))).toBe(0);
      expect(await may(doctor, say('reports.files.title'))).toBe(1);
      await visit(doctor, `${scene.origin}/reports/visits`);
      expect(await doctor.getByRole('link', { name: say('reports.mail.byMail'), exact: true }).count()).toBe(0);
      await visit(doctor, `${scene.origin}/reports/mail`);
      await doctor.getByRole('heading', { name: say('forbidden.title') }).waitFor();
    },
    SLOW,
  );
});
