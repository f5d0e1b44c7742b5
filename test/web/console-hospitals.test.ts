/** The first hour of a platform administrator in the console, and a day of somebody who only helps. */
import { connect } from '@hms/database';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { platform } from '../platform.ts';
import { enterConsole, enterOfInputMethod, overflow, picture, Scene, violations, visit } from '../support/browser.ts';
import { type ConsolePerson, consolePerson } from '../support/console-people.ts';
import { freshPrefix } from '../support/hospitals.ts';
import { mailsTo } from '../support/mails.ts';
import { until } from '../support/until.ts';

const prefix = freshPrefix();
const owner = `owner@${prefix}.example`;
/** A red square. */
const LOGO = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAoAAAAKCAIAAAACUFjqAAAAEklEQVR4nGP4z8CAB+GTG8HSALfKY52fTcuYAAAAAElFTkSuQmCC',
  'base64',
);

let scene: Scene;
let admin: ConsolePerson;
let page: Page;

beforeAll(async () => {
  scene = await Scene.start('Hospital of the North');
  admin = await consolePerson('PLATFORM_ADMIN');
}, 180_000);
afterAll(async () => {
  await scene?.stop();
});

const enter = (person: ConsolePerson, options?: BrowserContextOptions) => enterConsole(scene, person, options);
const heading = (on: Page, name: string) => on.getByRole('heading', { name, exact: true });
const button = (name: string) => page.getByRole('button', { name, exact: true });
const tab = (name: string) => page.getByRole('tab', { name, exact: true });
const status = (name: string) => page.locator('main').getByText(name, { exact: true }).first();

/** A figure with its change and what it means, on the tab of usage. */
const figure = async (name: string) => {
  const all = page.locator('main dl > div').filter({ has: page.getByText(name, { exact: true }) });
  return (await all.locator('dd').textContent())?.replaceAll(/\s+/g, ' ');
};

/** Replaces what is known of a hospital's usage by so many days, as the task and the modules write it. */
async function setUsage(hospital: string, { days }: { readonly days: number }): Promise<void> {
  const operator = connect(platform().databaseUrls.operator, { poolSize: 1 });
  const from = `FROM platform.hospitals h, generate_series(${30 - days}, 29) n WHERE h.prefix = '${hospital}'`;
  const day = "h.id, (now() AT TIME ZONE 'UTC')::date - 29 + n";
  try {
    for (const table of ['hospital_usage', 'hospital_requests'])
      await operator.raw(
        `DELETE FROM platform.${table} WHERE hospital_id = (SELECT id FROM platform.hospitals WHERE prefix = '${hospital}')`,
      );
    await operator.raw(
      `INSERT INTO platform.hospital_usage
       SELECT ${day}, now(), 20 + n, 1000 + 10 * n, 50000 + 700 * n, 1000000000, 42, 1010000000 + 10000000 * n ${from}`,
    );
    await operator.raw(
      `INSERT INTO platform.hospital_requests SELECT ${day}, 100 * n, CASE WHEN n = 29 THEN 40 ELSE 0 END ${from}`,
    );
  } finally {
    await operator.destroy();
  }
}

describe('an administrator', () => {
  it('logs in with a code and sees all hospitals', async () => {
    page = await enter(admin);
    await page.getByRole('link', { name: 'Hospital of the North' }).first().waitFor();
    expect(await violations(page)).toEqual([]);
    await picture(page, 'console-hospitals');
  });

  it('creates a hospital by keyboard, after a look at its manifest', async () => {
    await page.getByRole('link', { name: 'New hospital' }).press('Enter');
    await heading(page, 'New hospital').waitFor();
    await page.keyboard.type('Clinic of the South');
    expect(await page.getByLabel('Short name').inputValue()).toBe('clinic-of-the-south');
    await page.getByLabel('Short name').fill('Clinic!');
    await page.keyboard.press('Control+Enter');
    await page.getByText('Write lower-case letters, digits and single hyphens').waitFor();
    await page.getByLabel('Short name').fill(prefix);
    await page.getByLabel('Colour', { exact: true }).fill('#7b2cbf');
    await page.getByLabel('Currency').selectOption('EUR');
    expect(await violations(page)).toEqual([]);
    await picture(page, 'console-new-hospital');
    await page.keyboard.press('Control+Enter');
    await page.getByText(`name: ${prefix}`).waitFor();
    await page.getByText('primaryColor: "#7b2cbf"').waitFor();
    expect(await violations(page)).toEqual([]);
    await picture(page, 'console-manifest');
    // Nobody loses the form by a click.
    await page.getByRole('link', { name: 'Engines' }).click();
    await page.getByRole('button', { name: 'Stay here' }).press('Enter');
    await page.getByRole('button', { name: 'Change something' }).press('Enter');
    expect(await page.getByLabel('Short name').inputValue()).toBe(prefix);
    await page.getByRole('link', { name: 'Engines' }).click();
    await page.getByRole('button', { name: 'Stay here' }).press('Enter');
    await page.keyboard.press('Control+Enter');
    await page.getByText(`name: ${prefix}`).waitFor();
    await page.locator('button:focus').press('Enter');
  });

  it('watches it become ready', async () => {
    await heading(page, 'Clinic of the South').waitFor();
    await status('Active').waitFor({ timeout: 60_000 });
    await page.getByText('Created', { exact: true }).last().waitFor();
    await page.getByRole('row', { name: /Logins Yes/ }).waitFor();
    expect(await violations(page)).toEqual([]);
    await picture(page, 'console-hospital');
  });

  it('gives it a logo, which its login page shows', async () => {
    await tab('Look').click();
    await page
      .locator('input[type=file]')
      .setInputFiles({ name: 'logo.txt', mimeType: 'image/png', buffer: Buffer.from('text') });
    await page.getByText('The file is not a PNG, JPEG or WebP image.').waitFor();
    await page.locator('input[type=file]').setInputFiles({ name: 'logo.png', mimeType: 'image/png', buffer: LOGO });
    await page.getByText('The new logo is saved.').waitFor();
    expect(await violations(page)).toEqual([]);
    const login = await (await scene.context()).newPage();
    await until(
      'the logo on the login page',
      async () => {
        await visit(login, `http://${prefix}.${platform().domain}:${platform().ports.gateway}/`);
        return login.evaluate<number>('document.querySelector("img.hms-logo")?.naturalWidth ?? 0');
      },
      (width) => width === 10,
      40_000,
    );
    await login.close();
  });

  it('invites its owner', async () => {
    await tab('Settings').click();
    await button('Edit').click();
    await page.getByLabel('First name').fill('Ann');
    const refusal = page.getByText('Write the first name, the last name and the address');
    const lines = page.getByLabel('Postal address');
    for (const [modifiers, isComposing] of [
      [0, true],
      [2, true],
      [0, false],
      [2, false],
    ] as const) {
      await lines.fill('');
      await enterOfInputMethod(page, { modifiers, isComposing });
      const seen = [await lines.inputValue(), await refusal.count()];
      expect([modifiers, isComposing, ...seen]).toEqual([modifiers, isComposing, '王', 0]);
    }
    await lines.fill('');
    await page.keyboard.press('Control+Enter');
    await refusal.waitFor();
    await page.getByLabel('Last name').fill('Byrne');
    await page.getByLabel('Email address').fill(owner);
    await page.keyboard.press('Control+Enter');
    await page.getByText('Saved.').waitFor();
    expect(await violations(page)).toEqual([]);
    await until(
      'the invitation',
      () => mailsTo(owner),
      ({ length }) => length === 1,
      60_000,
    );
    await tab('People').click();
    await page.getByText('Ann Byrne').waitFor();
    expect(await violations(page)).toEqual([]);
  });

  it('suspends it with a reason', async () => {
    await tab('Suspend or delete').click();
    await button('Suspend the hospital …').click();
    await page.keyboard.type('Unpaid bills');
    await page.keyboard.press('Control+Enter');
    await status('Suspended').waitFor({ timeout: 60_000 });
  });

  // Nobody counts a suspended hospital meanwhile.
  it('sees that it was not counted yet, and how large it is once it is counted', async () => {
    await setUsage(prefix, { days: 0 });
    await tab('Usage').press('Enter');
    await page
      .getByText('Nothing has been counted yet. A new hospital is usually counted within ten minutes')
      .waitFor();
    await page.getByText('There was no request in the last 30 days.').waitFor();
    expect(await violations(page)).toEqual([]);
    await setUsage(prefix, { days: 30 });
    await page.reload();
    await page.getByText('Counted on').waitFor();
    expect(await figure('Patients')).toMatch(/^1,290\s*\+290 since \d+ \w+ \d{4}/);
    expect(await figure('Storage')).toMatch(/^2\.3 GB\s*\+290 MB since .*1\.3 GB in files \(42\), and 1 GB of records/);
    expect(await figure('Requests')).toMatch(/^43,500\s*40 failed/);
    await page.getByText('There were requests on 29 of 30 days, and at most 2,900 on one day.').waitFor();
    expect(await violations(page)).toEqual([]);
    await picture(page, 'console-usage');
    await page.getByRole('button', { name: 'All days as a table' }).press('Enter');
    await page.getByRole('row', { name: /2,900 40 1,290/ }).waitFor();
    expect(await page.getByRole('table', { name: 'Requests by day' }).getByRole('row').count()).toBe(31);
    expect(await violations(page)).toEqual([]);
  });

  it('resumes it', async () => {
    await tab('Suspend or delete').click();
    await button('Resume').click();
    await status('Active').waitFor({ timeout: 60_000 });
    expect(await violations(page)).toEqual([]);
  });

  it('deletes it after typing its short name', async () => {
    await picture(page, 'console-delete');
    await page.getByLabel('Delete all records, files and accounts for good').check();
    expect(await button('Delete everything for good').isDisabled()).toBe(true);
    await page.getByLabel(`To confirm, type ${prefix}`).fill(prefix);
    await button('Delete everything for good').click();
    await heading(page, 'This hospital is deleted').waitFor({ timeout: 60_000 });
    await page.getByRole('link', { name: 'Audit log' }).click();
    await page.getByText('Unpaid bills').first().waitFor();
  });
});

describe('somebody who helps', () => {
  it('sees everything, in Arabic and on a phone, and can change nothing', async () => {
    page = await enter(await consolePerson('PLATFORM_SUPPORT'), { viewport: { width: 360, height: 740 } });
    await page.getByRole('button', { name: /Language/ }).click();
    await page.getByRole('menuitem', { name: 'العربية' }).click();
    await heading(page, 'المستشفيات').waitFor();
    expect(await page.getByRole('link', { name: 'مستشفى جديد' }).count()).toBe(0);
    expect(await overflow(page)).toBe(0);
    await page.getByRole('searchbox').fill(scene.prefix);
    await page.keyboard.press('Enter');
    await heading(page, 'Hospital of the North').waitFor();
    await page.getByText('تسجيل الدخول').first().waitFor();
    expect(await page.getByRole('button', { name: 'حاول الآن من جديد' }).count()).toBe(0);
    expect(await page.getByRole('tab').allTextContents()).toEqual([
      'الآن',
      'الاستخدام',
      'الإعدادات',
      'الأشخاص',
      'البيان',
    ]);
    expect(await overflow(page)).toBe(0);
    expect(await violations(page)).toEqual([]);
    await picture(page, 'console-phone-arabic');
    await setUsage(scene.prefix, { days: 30 });
    await page.getByRole('tab', { name: 'الاستخدام' }).click();
    await page.getByText('وردت طلبات في 29 من 30 يومًا، وأكثرها في يوم واحد 2,900.').waitFor();
    expect(await overflow(page)).toBe(0);
    expect(await violations(page)).toEqual([]);
    await picture(page, 'console-usage-phone-arabic');
    await page.getByRole('button', { name: 'كل الأيام في جدول' }).click();
    await page.getByRole('table', { name: 'الطلبات حسب اليوم' }).waitFor();
    expect(await overflow(page)).toBe(0);
    await page.getByRole('tab', { name: 'الإعدادات' }).click();
    expect(await page.getByRole('button', { name: 'تحرير' }).count()).toBe(0);
    expect(await overflow(page)).toBe(0);
  });
});
