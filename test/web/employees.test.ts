/** Owners and administrators at work: they hire, and the person whom they hired comes in. */
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { hmsctl } from '../../cli/src/testing.ts';
import { platform } from '../platform.ts';
import { clickAndConfirm, focused, logIn, overflow, picture, Scene, violations } from '../support/browser.ts';
import { codesTo, mailsTo } from '../support/mails.ts';
import { until } from '../support/until.ts';

const EMAIL = `nora-${Date.now()}@st-mary.example`;
const PASSWORD = 'a long passphrase';

let scene: Scene;
let page: Page;

beforeAll(async () => {
  scene = await Scene.start("St. Mary's Hospital");
  page = await scene.loggedIn('OWNER');
}, 180_000);
afterAll(() => scene?.stop());

async function invitationTo(email: string): Promise<string> {
  const [mail] = await until(
    'an invitation',
    () => mailsTo(email),
    ({ length }) => length > 0,
  );
  const [, link = ''] = /href="([^"]*\/invitation#[^"]*)"/.exec(mail?.html ?? '') ?? [];
  expect(link).toContain(`${scene.origin}/invitation#`);
  return link;
}

const heading = (name: string) => page.getByRole('heading', { name, exact: true });

describe('an owner', () => {
  it('creates a department', async () => {
    await page.getByRole('link', { name: 'Departments' }).click();
    await page.getByText('There are no departments yet.').waitFor();
    expect(await violations(page)).toEqual([]);
    await page.getByRole('link', { name: 'New department' }).click();
    await heading('New department').waitFor();
    await page.keyboard.type('Ear, nose and throat');
    await page.keyboard.press('Enter');
    await page.keyboard.type('ENT');
    expect(await violations(page)).toEqual([]);
    await page.keyboard.press('Control+Enter');
    await page.getByRole('link', { name: 'Ear, nose and throat' }).waitFor();
  });

  it('hires a nurse without a mouse', async () => {
    await page.getByRole('link', { name: 'Employees' }).click();
    await page.getByRole('link', { name: 'New employee' }).press('Enter');
    await heading('New employee').waitFor();
    await page.keyboard.press('Control+Enter');
    await page.getByText('Choose at least one role.').waitFor();
    expect(await violations(page)).toEqual([]);
    for (const text of ['Nora', 'Night', EMAIL]) {
      await page.keyboard.type(text);
      await page.keyboard.press('Enter');
    }
    await page.getByLabel('Department').selectOption({ label: 'Ear, nose and throat' });
    await page.getByLabel('Nurse').press('Space');
    // The account is there before the page hears of changes.
    await page.route('**/api/hms/employees/changes', async (route) => {
      await delay(5_000);
      await route.continue();
    });
    await page.keyboard.press('Control+Enter');
    await heading('Nora Night').waitFor();
    await page.getByText('Invited', { exact: true }).waitFor();
    await page.getByText('The account is being set up…').waitFor({ state: 'detached' });
    await page.getByText('Ear, nose and throat').waitFor();
    expect(await violations(page)).toEqual([]);
    await picture(page, 'employee');
  });

  it('corrects an address that somebody else has', async () => {
    const other = await scene.loggedIn('ADMIN');
    await other.goto(`${scene.origin}/employees/new`);
    await other.getByLabel('First name').fill('Emil');
    await other.getByLabel('Last name').fill('Novak');
    await other.getByLabel('Email address').fill(EMAIL);
    await other.getByLabel('Cashier').check();
    // Only an owner appoints an owner.
    expect(await other.getByLabel('Owner').isDisabled()).toBe(true);
    await other.keyboard.press('Control+Enter');
    await other.getByText('Another employee has this email address.').waitFor();
    expect(await other.evaluate('document.activeElement?.labels?.[0]?.textContent')).toMatch(/^Email address/);
    await other.getByLabel('Email address').fill(`emil-${EMAIL}`);
    await other.keyboard.press('Control+Enter');
    await other.getByRole('heading', { name: 'Emil Novak' }).waitFor();
    await other.context().close();
  });

  it('sees that the nurse has accepted the invitation, with one mail, and is told about a change by somebody else', async () => {
    const link = await invitationTo(EMAIL);
    const nora = await (await scene.context({ viewport: { width: 360, height: 740 } })).newPage();
    await nora.goto(link);
    await nora.getByRole('heading', { name: 'Welcome' }).waitFor();
    expect(await nora.getByLabel('Email address').inputValue()).toBe(EMAIL);
    await nora.getByText('At least 10 characters.').waitFor();
    expect(await violations(nora)).toEqual([]);
    expect(await overflow(nora)).toBe(0);
    // Neither the address bar nor the history keeps the link, and a reload keeps the step.
    expect(nora.url()).toBe(`${scene.origin}/invitation`);
    await nora.reload();
    await nora.getByText('At least 10 characters.').waitFor();
    expect(await focused(nora)).toBe('New password');
    await nora.keyboard.type('short');
    await nora.keyboard.press('Enter');
    await nora.getByText('minimum length 10').waitFor();
    expect(await violations(nora)).toEqual([]);
    await nora.getByRole('textbox', { name: 'New password' }).fill(PASSWORD);
    await nora.keyboard.press('Enter');
    await nora.getByRole('heading', { name: 'Patients', exact: true }).waitFor();
    expect(await overflow(nora)).toBe(0);
    expect(await mailsTo(EMAIL)).toHaveLength(1);
    await page.getByText('Active', { exact: true }).waitFor();

    // A nurse sees the colleagues, and can't hire.
    await nora.goto(`${scene.origin}/employees`);
    await nora.getByRole('link', { name: 'Night, Nora' }).waitFor();
    expect(await nora.getByRole('link', { name: 'New employee' }).count()).toBe(0);
    await nora.goto(`${scene.origin}/employees/new`);
    await nora.getByRole('heading', { name: 'Not for your role' }).waitFor();
    await nora.context().close();
  });

  it('whose nurse opens a used invitation: the page says so and sends a code, in Arabic and on a phone', async () => {
    const late = await (await scene.context({ viewport: { width: 360, height: 740 }, locale: 'ar' })).newPage();
    await late.goto(await invitationTo(EMAIL));
    await late.getByRole('heading', { name: 'أهلًا بك' }).waitFor();
    await late.getByText('انتهت صلاحية هذه الدعوة').waitFor();
    expect(await late.evaluate('document.documentElement.dir')).toBe('rtl');
    expect(await violations(late)).toEqual([]);
    expect(await overflow(late)).toBe(0);
    expect(await late.getByLabel('البريد الإلكتروني').inputValue()).toBe(EMAIL);
    await late.keyboard.press('Enter');
    await late.getByLabel('الرمز').waitFor();
    // Whoever looks for the code in another app may find the page loaded again.
    await late.reload();
    await late.getByLabel('الرمز').waitFor();
    await late.getByText('10 أحرف على الأقل').waitFor();

    // The link of somebody else, in the same tab, where nothing but the part behind # differs.
    await late.goto(await invitationTo(`emil-${EMAIL}`));
    await late.getByText('اختر كلمة المرور').waitFor();
    expect(await late.getByLabel('البريد الإلكتروني').inputValue()).toBe(`emil-${EMAIL}`);
    expect(await violations(late)).toEqual([]);
    expect(await overflow(late)).toBe(0);
    const [code = ''] = await until(
      'a code',
      () => codesTo(EMAIL),
      ({ length }) => length > 0,
    );
    expect(code).toMatch(/^\d{6}$/);
    await late.getByRole('button', { name: 'العودة إلى تسجيل الدخول' }).click();
    await late.reload();
    await late.getByRole('heading', { name: 'تسجيل الدخول' }).waitFor();
    await late.context().close();
  });

  it('has a code with which the nurse logs in as well, on the page and in hmsctl', async () => {
    const code =
      (await page
        .getByText(/^EMP-\d{6}$/)
        .first()
        .textContent()) ?? '';
    const nora = await (await scene.context()).newPage();
    await nora.goto(`${scene.origin}/`);
    await logIn(nora, code, PASSWORD);
    await nora.getByRole('heading', { name: 'Patients', exact: true }).waitFor();
    await nora.context().close();
    const login = ['login', '--hospital', scene.prefix, '--email', code, '--password-stdin'];
    const home = fs.mkdtempSync(path.join(os.tmpdir(), 'hms-login-'));
    const env = { XDG_CONFIG_HOME: home, HMS_DATA_DIR: platform().dataDir };
    expect(await hmsctl(login, { env, input: PASSWORD })).toMatchObject({
      code: 0,
      stderr: expect.stringContaining(`Logged in to ${scene.prefix} as ${code}`),
    });
    fs.rmSync(home, { recursive: true });
  });

  it('suspends and activates', async () => {
    await clickAndConfirm(page, 'Suspend');
    await page.getByText('Nora Night is suspended.').waitFor();
    await page.getByText('Suspended', { exact: true }).waitFor();
    expect(await violations(page)).toEqual([]);
    const nora = await (await scene.context()).newPage();
    const refused = async () => {
      await nora.goto(`${scene.origin}/`);
      await logIn(nora, EMAIL, PASSWORD);
      const sentence = nora.getByText('This account is disabled.');
      return sentence.waitFor({ timeout: 3_000 }).then(
        () => true,
        () => false,
      );
    };
    await until('a refused login', refused, Boolean);
    await nora.context().close();
    await page.getByRole('button', { name: 'Activate' }).click();
    await page.getByText('Nora Night can log in again.').waitFor();
    await page.getByRole('link', { name: 'Employees' }).click();
    await page.getByLabel('Role').selectOption('NURSE');
    await page.getByText('1 entry').last().waitFor();
    await page.waitForURL(/role=NURSE/);
    expect(await violations(page)).toEqual([]);
  });

  it('works in Arabic, mirrored, on a phone', async () => {
    const phone = await scene.loggedIn('ADMIN', { viewport: { width: 320, height: 640 }, hasTouch: true });
    await phone.goto(`${scene.origin}/employees/new`);
    await phone.getByRole('button', { name: 'Language: English' }).click();
    await phone.getByRole('menuitem', { name: 'العربية' }).click();
    await phone.getByRole('heading', { name: 'موظف جديد' }).waitFor();
    expect(await phone.evaluate('document.documentElement.dir')).toBe('rtl');
    expect(await overflow(phone)).toBe(0);
    expect(await violations(phone)).toEqual([]);
  });
});
