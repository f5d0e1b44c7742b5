/**
 * Reports in the portal: an owner's Monday morning, by keyboard, and an accountant's month, in English and in Arabic. Figures
 * lead to the records from which they are computed, and agree with them.
 */
import fs from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { parse } from 'csv-parse/sync';
import type { Locator, Page } from 'playwright-core';
import { hmsctl } from '../../cli/src/testing.ts';
import { platform } from '../platform.ts';
import { focused, overflow, picture, Scene, violations, visit } from '../support/browser.ts';
import { until } from '../support/until.ts';
import { type Say, wordsOf } from '../support/words.ts';

const SLOW = 300_000;
const DESK = { width: 1280, height: 800 };
const PHONE = { width: 360, height: 740 };
let scene: Scene;
let owner: Page;
let accountant: Page;

beforeAll(async () => {
  scene = await Scene.start("St. Mary's Hospital");
  // Enough days for something in the month before.
  const args = ['seed', '--hospital', scene.prefix, '--patients', '120', '--days', '45', '--documents', '0'];
  const seeded = await hmsctl(args, { env: { HMS_DATA_DIR: platform().dataDir } });
  expect([seeded.code, seeded.code === 0 ? '' : seeded.stderr]).toEqual([0, '']);
  owner = await scene.loggedIn(await scene.hire('Ann', 'Byrne', 'OWNER'), { locale: 'en-IE' });
  accountant = await scene.loggedIn(await scene.hire('Bea', 'Cole', 'ACCOUNTANT'), { locale: 'en-IE' });
}, SLOW);
afterAll(() => scene?.stop());

/** What is wrong with the page as it is. */
async function wrongWith(page: Page): Promise<unknown[]> {
  await settled(page);
  const found = [await overflow(page), ...(await violations(page))];
  return found[0] === 0 ? found.slice(1) : found;
}

/** Nothing of the page is loading, the chart included. */
async function settled(page: Page): Promise<void> {
  await page.locator('[aria-busy="true"], .hms-former').first().waitFor({ state: 'detached' });
}

/** The text of what is named by a label above it. */
function figureOf(page: Page, label: string): Promise<string> {
  return textOf(page.locator(`dl > div:has(> dt:text-is("${label}")) > dd`).first());
}

async function textOf(locator: Locator): Promise<string> {
  return (await locator.textContent()) ?? '';
}

const tile = (page: Page, title: string) => page.getByRole('region', { name: title });

/** The digits of an amount in any language, as its smallest unit. */
const unitsOf = (text: string) => Number(text.replaceAll(/[^\d]/g, ''));

async function chooseLanguage(page: Page, language: 'en' | 'ar'): Promise<void> {
  await page.evaluate(`localStorage.setItem('hms-language', '${language}')`);
}

describe('an owner on Monday morning', () => {
  it(
    'reads the dashboard and goes from a figure to a record, by keyboard',
    async () => {
      await owner.getByRole('link', { name: 'Reports' }).focus();
      await owner.keyboard.press('Enter');
      await owner.getByRole('heading', { name: 'Reports', level: 1 }).waitFor();
      await tile(owner, 'Revenue · Day').locator('.recharts-surface').first().waitFor();
      expect(await owner.getByRole('tab', { name: 'Hospital' }).getAttribute('aria-selected')).toBe('true');
      expect(await wrongWith(owner)).toEqual([]);
      await tile(owner, 'Collections · Method').locator('.recharts-surface').first().hover();
      await owner.locator('.recharts-tooltip-item').nth(1).waitFor();
      for (const colorScheme of ['dark', 'light'] as const) {
        await owner.emulateMedia({ colorScheme });
        expect(await wrongWith(owner)).toEqual([]);
      }
      // Otherwise the chart shows the point below the pointer.
      await owner.mouse.move(0, 0);
      await picture(owner, 'reports');

      const revenue = tile(owner, 'Revenue · Day');
      const figure = revenue.getByRole('link').nth(1);
      const invoiced = await textOf(figure);
      expect(unitsOf(invoiced)).toBeGreaterThan(0);
      // In words, not by color alone.
      expect(await textOf(revenue.locator('dd').first())).toMatch(/(▲ .+ more|▼ .+ less|= as before) · before: /);

      await figure.focus();
      await owner.keyboard.press('Enter');
      await owner.getByRole('heading', { name: 'Revenue: Invoiced' }).waitFor();
      await settled(owner);
      expect(await figureOf(owner, 'Invoiced')).toBe(invoiced);
      expect(await figureOf(owner, 'Sum: Invoiced')).toBe(invoiced);
      expect(await wrongWith(owner)).toEqual([]);

      const first = owner.getByRole('table').getByRole('link').first();
      const number = await textOf(first);
      await first.focus();
      await owner.keyboard.press('Enter');
      await owner.waitForURL(/\/invoices\//);
      await owner.getByRole('heading', { name: new RegExp(number) }).waitFor();
    },
    SLOW,
  );

  it(
    'finds the same in a table, which screen readers always have',
    async () => {
      await visit(owner, `${scene.origin}/reports`);
      const methods = tile(owner, 'Collections · Method');
      expect(await methods.getByRole('table').getByRole('row').count()).toBeGreaterThan(2);
      expect(await methods.getByRole('table').getByRole('link').count()).toBe(0);
      const toggle = methods.getByRole('button', { name: 'Table' });
      await toggle.focus();
      await owner.keyboard.press('Space');
      expect(await toggle.getAttribute('aria-pressed')).toBe('true');
      expect(await focused(owner)).toBe('Table');
      await owner.keyboard.press('Tab');
      await owner.keyboard.press('Tab');
      await owner.keyboard.press('Tab');
      expect(await methods.locator('.recharts-surface').count()).toBe(0);
      expect(await methods.getByRole('table').locator('a:focus').count()).toBe(1);
      expect(await wrongWith(owner)).toEqual([]);
    },
    SLOW,
  );

  it(
    'goes back to the last month, with one request for all that is shown',
    async () => {
      await visit(owner, `${scene.origin}/reports`);
      await settled(owner);
      const asked: string[] = [];
      owner.on('request', (request) => {
        if (request.url().includes('/api/report/')) asked.push(request.url());
      });
      await owner.getByLabel('Period', { exact: true }).selectOption({ label: 'Last month' });
      await owner.waitForURL(/from=\d{4}-\d\d-01&to=\d{4}-\d\d-01/);
      await owner.waitForResponse(/dashboards\/owner/);
      expect(asked).toHaveLength(1);

      // Who steps further asks only for where they stop.
      for (const _ of [1, 2, 3]) await owner.getByRole('button', { name: 'The period before' }).click();
      await owner.waitForResponse(/dashboards\/owner/);
      await settled(owner);
      expect(asked).toHaveLength(2);
      owner.removeAllListeners('request');

      // The days stay while the person goes on.
      const days = new URL(owner.url()).searchParams.get('from') ?? '';
      await owner.getByRole('tab', { name: 'All reports' }).click();
      expect(await wrongWith(owner)).toEqual([]);
      await owner.getByRole('link', { name: 'No-shows' }).click();
      await owner.getByRole('heading', { name: 'No-shows', level: 1 }).waitFor();
      expect(new URL(owner.url()).searchParams.get('from')).toBe(days);
      await owner.getByText('Nothing in this period.').waitFor();
      expect(await wrongWith(owner)).toEqual([]);
    },
    SLOW,
  );

  it(
    'is told when a report can not be read',
    async () => {
      await visit(owner, `${scene.origin}/reports/revenue?from=2020-01-01&to=2026-01-01`);
      expect(await textOf(owner.getByRole('alert'))).toContain('more than a year');
      const answer = { status: 429, headers: { 'Retry-After': '7' }, json: { message: 'too many' } };
      await owner.route(/api\/report\/revenue/, (route) => route.fulfill(answer));
      await visit(owner, `${scene.origin}/reports/revenue`);
      // The words of errors that every page can have load with the first one.
      await owner.getByRole('alert').getByText('Wait 7 s').waitFor();
      await owner.unrouteAll();
      await owner.getByRole('button', { name: 'Try again' }).click();
      await owner.getByRole('table').waitFor();
      await visit(owner, `${scene.origin}/reports/no-such-report`);
      await owner.getByRole('heading', { name: 'Page not found' }).waitFor();
    },
    SLOW,
  );

  it(
    'has the dashboard on a phone in Arabic, and on paper',
    async () => {
      await chooseLanguage(owner, 'ar');
      await owner.setViewportSize(PHONE);
      await visit(owner, `${scene.origin}/reports`);
      await owner.locator('.recharts-surface').nth(5).waitFor();
      expect(await wrongWith(owner)).toEqual([]);
      await picture(owner, 'reports-phone-arabic');
      await owner.setViewportSize(DESK);
      await chooseLanguage(owner, 'en');
      await visit(owner, `${scene.origin}/reports`);
      await owner.emulateMedia({ media: 'print' });
      await tile(owner, 'Revenue · Day').getByRole('table').waitFor();
      expect(await tile(owner, 'Revenue · Day').getByRole('table').boundingBox()).toMatchObject({
        height: expect.any(Number),
      });
      expect(await owner.getByRole('navigation', { name: 'Menu' }).isVisible()).toBe(false);
      await owner.emulateMedia({ media: 'screen' });
    },
    SLOW,
  );
});

describe.each(['en', 'ar'] as const)("an accountant's month in %s", (language) => {
  let say: Say;
  beforeAll(async () => {
    say = await wordsOf(language);
    await chooseLanguage(accountant, language);
  });

  it(
    'is collected by method, saved as a file, and agrees with its payments',
    async () => {
      const page = accountant;
      await visit(page, `${scene.origin}/reports`);
      await page
        .getByLabel(say('reports.period'), { exact: true })
        .selectOption({ label: say('reports.preset.lastMonth') });
      const [titles, collected] =
        language === 'en' ? [/^Collections · Method$/, 'Collected'] : [/^التحصيلات · الطريقة$/, 'المحصّل'];
      // The links have the days of the figures that are shown.
      const link = page.getByRole('link', { name: titles });
      await until(
        'figures of the last month',
        () => link.getAttribute('href'),
        (href) => /from=\d{4}-\d\d-01/.test(href ?? ''),
      );
      await settled(page);
      await link.click();
      await page.waitForURL(/\/reports\/collections\?.*from=\d{4}-\d\d-01/);
      await page.locator('.hms-figures-table tbody tr').first().waitFor();
      await settled(page);
      expect(await wrongWith(page)).toEqual([]);
      if (language === 'en') {
        await page.locator('.recharts-surface').first().waitFor();
        await page.mouse.move(0, 0);
        await picture(page, 'report');
      }

      expect(unitsOf(await textOf(page.locator('.hms-figure').first()))).toBeGreaterThan(0);
      const download = page.waitForEvent('download');
      await page.getByRole('button', { name: 'CSV' }).click();
      const file = await download;
      expect(file.suggestedFilename()).toMatch(/^collections-.+\.csv$/);
      const rows: string[][] = parse(fs.readFileSync(await file.path()), { bom: true });
      expect(rows.length).toBeGreaterThan(2);

      // The largest method, down to its payments.
      await page.getByRole('button', { name: new RegExp(`^${collected}`) }).click();
      await page.getByRole('button', { name: new RegExp(`^${collected}`) }).click();
      await page.locator(`th[aria-sort=descending]`).waitFor();
      const number = page.locator('.hms-figures-table tbody tr').first().getByRole('link').first();
      const amount = unitsOf(await textOf(number));
      await number.click();
      await page.waitForURL(/\/records\?.*method=/);
      await page.locator('.hms-records tbody tr').first().waitFor();
      await settled(page);
      expect(unitsOf(await figureOf(page, collected))).toBe(amount);
      expect(unitsOf(await figureOf(page, say('reports.sum', { title: collected })))).toBe(amount);
      expect(await wrongWith(page)).toEqual([]);

      // The file has what the page counts.
      const records = page.waitForEvent('download');
      await page.getByRole('button', { name: 'CSV' }).click();
      const listed: string[][] = parse(fs.readFileSync(await (await records).path()), { bom: true });
      const shown = await figureOf(page, say('reports.records'));
      expect(unitsOf(shown)).toBe(listed.length - 1);

      // Back to the whole month of this method. The large figures and the total lead to as many payments as they say.
      await page
        .getByRole('navigation', { name: say('reports.trail') })
        .getByRole('link')
        .nth(1)
        .click();
      await page.waitForURL(/\/reports\/collections\?.*method=/);
      await settled(page);
      expect(await wrongWith(page)).toEqual([]);
      const method = await textOf(
        page.getByRole('button', { name: new RegExp(say('reports.withoutFilter', { title: '.+', name: '.+' })) }),
      );
      await page.emulateMedia({ media: 'print' });
      expect(await textOf(page.locator('.hms-on-paper:visible'))).toBe(method);
      await page.emulateMedia({ media: 'screen' });
      const total = page.locator('.hms-figures-table tbody tr').last().getByRole('link');
      for (const payments of [page.locator('.hms-figure').nth(1), total.nth(1)]) {
        const many = unitsOf(await textOf(payments));
        expect(many).toBeGreaterThan(0);
        await payments.click();
        await page.waitForURL(/\/records\?.*method=.*measure=payments/);
        await page.locator('.hms-records tbody tr').first().waitFor();
        await settled(page);
        expect(unitsOf(await figureOf(page, say('reports.records')))).toBe(many);
        expect(await textOf(page.locator('main'))).toContain(method);
        await page.goBack();
        await settled(page);
      }
    },
    SLOW,
  );
});
