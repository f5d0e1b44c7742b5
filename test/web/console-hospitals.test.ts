/** The first hour of a platform administrator in the console, and a day of somebody who only helps. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { platform } from '../platform.ts';
import { enterConsole, overflow, picture, Scene, violations, visit } from '../support/browser.ts';
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
    await page.keyboard.press('Enter');
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
    await page.keyboard.press('Control+Enter');
    await page.getByText('Write the first name, the last name and the address').waitFor();
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

  it('suspends it with a reason, and resumes it', async () => {
    await tab('Suspend or delete').click();
    await button('Suspend the hospital …').click();
    await page.keyboard.type('Unpaid bills');
    await page.keyboard.press('Control+Enter');
    await status('Suspended').waitFor({ timeout: 60_000 });
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
    expect(await page.getByRole('tab').allTextContents()).toEqual(['الآن', 'الإعدادات', 'الأشخاص', 'البيان']);
    expect(await overflow(page)).toBe(0);
    expect(await violations(page)).toEqual([]);
    await picture(page, 'console-phone-arabic');
    await page.getByRole('tab', { name: 'الإعدادات' }).click();
    expect(await page.getByRole('button', { name: 'تحرير' }).count()).toBe(0);
    expect(await overflow(page)).toBe(0);
  });
});
