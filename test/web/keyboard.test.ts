/**
 * A receptionist who never touches the mouse finds a patient by the day of birth, sees the allergy, corrects the phone and
 * registers a child: in two languages, on a desk and on the width of a phone, with what axe says about each page.
 */

import { dataOf } from '@hms/api-client';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { enterOfInputMethod, focused, overflow, register, Scene, violations } from '../support/browser.ts';
import { api, tokenOf } from '../support/gateway.ts';
import { until } from '../support/until.ts';

/** What the pages say. */
const WORDS = {
  en: {
    email: 'Email address or employee code',
    list: 'Patients',
    severe: 'severe',
    edit: 'Edit',
    saved: 'Saved.',
    search: 'Search',
    register: 'Register a patient',
    phone: 'Phone',
  },
  ar: {
    email: 'البريد الإلكتروني أو رمز الموظف',
    list: 'المرضى',
    severe: 'شديدة',
    edit: 'تعديل',
    saved: 'تم الحفظ.',
    search: 'بحث',
    register: 'تسجيل مريض',
    phone: 'الهاتف',
  },
} as const;
type Language = keyof typeof WORDS;

/** More would be a page that nobody wants to use without a mouse. */
const MOST_TABS = 30;

let scene: Scene;

beforeAll(async () => {
  scene = await Scene.start("St. Mary's Hospital");
}, 180_000);
afterAll(() => scene?.stop());

/** Presses Tab until the focus is on something. @returns how often. */
async function tabTo(page: Page, name: string): Promise<number> {
  for (let times = 1; times <= MOST_TABS; times++) {
    await page.keyboard.press('Tab');
    if ((await focused(page)) === name) return times;
  }
  throw new Error(`${MOST_TABS} times Tab do not lead to “${name}”`);
}

/** An Enter with which an input method ends a composition, as Safari sends it, alone and with Ctrl. */
async function chooseInInputMethod(page: Page): Promise<void> {
  const client = await page.context().newCDPSession(page);
  for (const modifiers of [0, 2]) {
    const key = { key: 'Enter', code: 'Enter', windowsVirtualKeyCode: 229, modifiers };
    await client.send('Input.dispatchKeyEvent', { type: 'rawKeyDown', ...key });
    await client.send('Input.dispatchKeyEvent', { type: 'keyUp', ...key });
  }
  await client.detach();
  expect(await page.locator('[aria-invalid=true]').count()).toBe(0);
}

describe('an Enter with which an input method chooses', () => {
  it('picks nothing in a field that searches, until the person presses Enter', async () => {
    const page = await scene.loggedIn('ADMIN');
    await register(page, scene.origin, { firstName: '王', lastName: '秀英' });
    await page.goto(`${scene.origin}/audit`);
    const patient = page.getByRole('combobox', { name: 'Patient' });
    for (const isComposing of [false, true]) {
      await patient.focus();
      await enterOfInputMethod(page, { isComposing });
      expect(await patient.inputValue()).toBe('王');
      await patient.pressSequentially(' 秀英');
      await page.getByRole('option').filter({ hasText: '秀英' }).waitFor();
      await enterOfInputMethod(page, { isComposing });
      expect(await patient.inputValue()).toBe('王 秀英王');
      expect(page.url()).not.toContain('patientId');
      await patient.fill('');
    }
    await patient.fill('王 秀英');
    await patient.press('Enter');
    await page.waitForURL(/patientId=/);
    await page.context().close();
  });
});

const cases = (['en', 'ar'] as const).flatMap((language) =>
  [1280, 320].map((width) => ({ language, width, id: `${language}${width}` })),
);

describe.each(cases)('with the keyboard only, in $language, on $width pixels', ({ language, width, id }) => {
  const words = WORDS[language as Language];
  /** Each has a patient of its own, born on another day. */
  const day = `${10 + cases.findIndex((one) => one.id === id)}`;
  /** None looks like another one. */
  const child = ['Conor', 'Saoirse', 'Tadhg', 'Fiadh'][Number(day) - 10] ?? '';
  let page: Page;

  const isFine = async (name: string) => {
    expect([name, await overflow(page), await violations(page)]).toEqual([name, 0, []]);
  };

  beforeAll(async () => {
    const doctor = api(await tokenOf(scene.prefix, 'DOCTOR'));
    const body = {
      ...{ firstName: 'Aoife', lastName: `Byrne ${id}`, dateOfBirth: `1990-05-${day}`, phone: `+35386500${day}99` },
      allergies: [{ substance: 'Penicillin', severity: 'severe' as const }],
    };
    await dataOf(doctor.POST('/api/hms/patients', { body }));
    const viewport = { width, height: width === 320 ? 640 : 800 };
    page = await (await scene.context({ viewport, locale: language === 'en' ? 'en-IE' : 'ar' })).newPage();
  });

  it('logs in, and is in the search field', async () => {
    const { email, password } = await scene.person('RECEPTION');
    await page.goto(`${scene.origin}/`);
    await page.getByLabel(words.email).waitFor();
    expect(await focused(page)).toBe(words.email);
    await page.keyboard.type(email);
    await page.keyboard.press('Tab');
    await page.keyboard.type(password);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: words.list, exact: true }).waitFor();
    await page.getByText(`Byrne ${id}`).waitFor();
    expect(await page.evaluate('document.activeElement.type')).toBe('search');
  });

  it('finds the patient by the day of birth, and sees the allergy', async () => {
    await page.keyboard.type(`${day}/05/1990`);
    await page.waitForURL(/q=/);
    await until(
      'one patient',
      () => page.locator('tbody tr').count(),
      (rows) => rows === 1,
    );
    await page.keyboard.press('ArrowDown');
    expect(await focused(page)).toBe(`Byrne ${id}, Aoife`);
    await isFine('found');
    await page.keyboard.press('Enter');
    await page.getByText(`Penicillin: ${words.severe}`).waitFor();
    await page.locator('#page-title:focus').waitFor();
    await isFine('record');
  });

  it('corrects the phone', async () => {
    await tabTo(page, words.edit);
    await page.keyboard.press('Enter');
    await page.locator('input[name=firstName]:focus').waitFor();
    for (let field = 0; (await focused(page)) !== words.phone && field < 6; field++) await page.keyboard.press('Enter');
    expect(await focused(page)).toBe(words.phone);
    // The number is selected: what is typed replaces it.
    await page.keyboard.type(`086 1234 5${day}`);
    await isFine('edit');
    await page.keyboard.press('Control+Enter');
    await page.getByText(words.saved).waitFor();
    expect(await focused(page)).toBe(words.edit);
    const shown = page.getByText(`086 123 45${day}`).first();
    await shown.waitFor();
  });

  it('registers a child, from wherever the page is', async () => {
    // Nobody waits for the page.
    await page.keyboard.press('/');
    await page.keyboard.type(`${child} ${id}`);
    await page.getByRole('heading', { name: words.search, exact: true }).waitFor();
    await page.locator('[type=search]:focus').waitFor();
    await page
      .getByRole('status')
      .filter({ hasText: `${child} ${id}` })
      .waitFor();
    await isFine('nobody');
    await page.keyboard.press('Shift+Tab');
    expect(await focused(page)).toBe(words.register);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: words.register }).waitFor();
    await page.locator('input[name=firstName]:focus').waitFor();
    await chooseInInputMethod(page);
    await page.locator('input[name=firstName]:focus').waitFor();
    for (const typed of [child, `Byrne ${id}`, `${day}/11/2024`, '']) {
      await page.keyboard.type(typed);
      await page.keyboard.press('Enter');
    }
    expect(await focused(page)).toBe(words.phone);
    await page.keyboard.type(`086 1234 5${day}`);
    await isFine('registration');
    await page.keyboard.press('Control+Enter');
    await page.getByRole('heading', { name: `${child} Byrne ${id}` }).waitFor();
    await page.locator('#page-title:focus').waitFor();
  });

  it('opens what is found alone with Enter, as a scanner sends it', async () => {
    await page.keyboard.press('/');
    await page.keyboard.type(`byrne ${id} ${child}\n`);
    await page.getByRole('heading', { name: `${child} Byrne ${id}` }).waitFor();
  });

  it('never has the focus on what is not seen', async () => {
    for (let times = 0; times < MOST_TABS; times++) {
      await page.keyboard.press('Tab');
      const box = await page.evaluate(`(() => {
        const { left, right } = document.activeElement.getBoundingClientRect();
        return [left, right].map(Math.round);
      })()`);
      const [left = -1, right = 0] = box as readonly number[];
      expect([await focused(page), right > 0 && left < width]).toEqual([expect.any(String), true]);
    }
  });

  it('is asked before a logout loses what was typed, and not by the browser', async () => {
    const native: string[] = [];
    page.on('dialog', (dialog) => {
      native.push(dialog.type());
      void dialog.accept();
    });
    await page.goto(`${scene.origin}/patients/new`);
    await page.locator('input[name=firstName]:focus').waitFor();
    await page.keyboard.type('Nuala');
    const menu = page.locator('header button').last();
    await menu.press('Enter');
    expect(await violations(page)).toEqual([]);
    await page.getByRole('menuitem').last().press('Enter');
    await page.getByRole('dialog').waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(await page.locator('input[name=firstName]').inputValue()).toBe('Nuala');
    await page.getByRole('menuitem').waitFor({ state: 'detached' });
    await page.locator('header button:focus').last().press('Enter');
    await page.getByRole('menuitem').last().press('Enter');
    await page.getByRole('dialog').getByRole('button').first().press('Enter');
    await page.locator('input[type=password]').waitFor();
    expect(native).toEqual([]);
  });
});
