/**
 * A receptionist's hour, in two languages and on two screens: the network is cut three times, a colleague edits the same
 * record, 40 patients are looked up in a minute, and the session ends in the middle of a registration. Nothing that was
 * typed is lost, no limit refuses anything, and each state says what it is.
 */
import { dataOf } from '@hms/api-client';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { overflow, Scene, violations } from '../support/browser.ts';
import { api, tokenOf } from '../support/gateway.ts';
import { lookUpAll, registerFindable } from '../support/lookups.ts';
import { until } from '../support/until.ts';

const SLOW = 180_000;
const LOOKUPS = 40;
const WORDS = {
  en: {
    offline: 'The server can not be reached.',
    idle: 'Your session ends in',
    patients: 'Patients',
    edit: 'Edit',
  },
  ar: {
    offline: 'لا يمكن الوصول إلى الخادم.',
    idle: 'تنتهي جلستك بعد',
    patients: 'المرضى',
    edit: 'تعديل',
  },
} as const;
type Language = keyof typeof WORDS;
const SCREENS = { desk: { width: 1280, height: 800 }, phone: { width: 360, height: 740 } } as const;

let scene: Scene;
/** Last names of those who are looked up. Each can be found alone. */
let names: readonly string[] = [];

beforeAll(async () => {
  scene = await Scene.start("St. Mary's Hospital");
  names = await registerFindable(scene.prefix, LOOKUPS);
}, 240_000);
afterAll(() => scene?.stop());

const cases = (['en', 'ar'] as const).flatMap((language) =>
  (['desk', 'phone'] as const).map((screen) => ({ language, screen })),
);

describe.each(cases)(
  'in $language, on a $screen',
  ({ language, screen }: { language: Language; screen: keyof typeof SCREENS }) => {
    const words = WORDS[language];
    const id = `${language}${screen}`;
    const day = `${10 + cases.findIndex((one) => one.language === language && one.screen === screen)}`;
    /** Nobody looks like somebody of another case. */
    const year = 1930 + 10 * (Number(day) - 10);
    let page: Page;
    let record: string;
    const refused: string[] = [];

    beforeAll(async () => {
      page = await scene.loggedIn('RECEPTION', { viewport: SCREENS[screen], locale: 'en-IE' });
      await page.evaluate(`localStorage.setItem('hms-language', '${language}')`);
      await page.clock.install();
      page.on('response', (response) => void (response.status() === 429 && refused.push(response.url())));
      await page.goto(`${scene.origin}/patients`);
      await page.getByRole('heading', { name: words.patients }).waitFor();
    }, SLOW);
    afterAll(() => page?.context().close());

    const typed = (field: string) => page.locator(`input[name=${field}]`);
    const isFine = async (name: string) => {
      expect([name, await overflow(page), await violations(page)]).toEqual([name, 0, []]);
    };
    const fill = async (firstName: string, lastName: string, phone: string) => {
      await page.goto(`${scene.origin}/patients/new`);
      await page.locator('input[name=firstName]:focus').waitFor();
      for (const text of [firstName, lastName, `${day}/11/${year}`]) {
        await page.keyboard.type(text);
        await page.keyboard.press('Enter');
      }
      await typed('phone').fill(phone);
    };

    it(
      'the network is away when a registration is saved: what was typed stays, and is saved afterwards',
      async () => {
        await fill('Nora', `Quinn ${id}`, `086 200 10${day}`);
        await page.context().setOffline(true);
        await page.getByText(words.offline).waitFor();
        await page.keyboard.press('Control+Enter');
        await page.getByRole('alert').first().waitFor();
        await isFine('unsaved');
        expect(await typed('firstName').inputValue()).toBe('Nora');
        await page.context().setOffline(false);
        await page.getByText(words.offline).waitFor({ state: 'hidden' });
        await typed('phone').focus();
        await page.keyboard.press('Control+Enter');
        await page.waitForURL(/\/patients\/[0-9a-f-]{36}$/);
        await page.getByRole('heading', { name: `Nora Quinn ${id}` }).waitFor();
        record = page.url();
      },
      SLOW,
    );

    it(
      'the network is away when another page is opened, and when the page is loaded again',
      async () => {
        await until(
          'the service worker',
          () => page.evaluate('navigator.serviceWorker.controller !== null'),
          (isThere) => isThere === true,
        );
        await page.context().setOffline(true);
        await page.getByText(words.offline).waitFor();
        await page.keyboard.press('/');
        await page.keyboard.type('watb');
        await isFine('search-offline');
        await page.context().setOffline(false);
        await page.getByRole('link', { name: /Watb/ }).first().waitFor();
        await page.goto(record);
        await page.getByRole('heading', { name: `Nora Quinn ${id}` }).waitFor();
        await page.context().setOffline(true);
        await page.getByText(words.offline).waitFor();
        await page.reload();
        await page.getByRole('heading', { name: `Nora Quinn ${id}` }).waitFor();
        await isFine('reload-offline');
        await page.context().setOffline(false);
        await page.getByText(words.offline).waitFor({ state: 'hidden' });
      },
      SLOW,
    );

    it(
      'a colleague edits the same record: what nobody else touched is taken over, and the rest is asked about',
      async () => {
        const colleague = api(await tokenOf(scene.prefix, 'ADMIN'));
        const path = { id: record.split('/').at(-1) ?? '' };
        const change = async (body: { email?: string; phone?: string }) => {
          const { version } = await dataOf(colleague.GET('/api/hms/patients/{id}', { params: { path } }));
          await dataOf(colleague.PUT('/api/hms/patients/{id}', { params: { path }, body: { ...body, version } }));
        };
        await page.goto(record);
        await page.getByRole('button', { name: words.edit, exact: true }).click();
        await typed('phone').waitFor();
        await change({ email: 'first@example.org' });
        await until(
          'the value of the colleague',
          () => typed('email').inputValue(),
          (value) => value === 'first@example.org',
        );
        await typed('phone').fill(`086 200 20${day}`);
        await change({ phone: `+3538620030${day}`, email: 'second@example.org' });
        expect(await typed('phone').inputValue()).toBe(`086 200 20${day}`);
        await page.keyboard.press('Control+Enter');
        // Only the phone has two values.
        const asked = page.getByText(`086 200 30${day}`).first();
        await asked.waitFor();
        // Both are written as people write them.
        await page.getByRole('alert').getByText(`086 200 20${day}`).waitFor();
        await page.getByRole('alert').getByText(`086 200 30${day}`).waitFor();
        await isFine('colleague');
        expect(await page.getByText('first@example.org').count()).toBe(0);
      },
      SLOW,
    );

    it(
      '40 patients are looked up in a minute',
      async () => {
        await page.goto(`${scene.origin}/patients`);
        expect(await lookUpAll(page, names)).toBeLessThan(80_000);
        expect(refused).toEqual([]);
        expect(await page.getByRole('alert').count()).toBe(0);
      },
      SLOW,
    );

    it(
      'the session ends in the middle of a registration, with a warning, and nothing is lost',
      async () => {
        await fill('Saoirse', `Walsh ${id}`, `086 200 40${day}`);
        await page.clock.fastForward('14:10');
        await page.getByText(words.idle).waitFor();
        await isFine('idle-warning');
        await page.clock.fastForward('01:00');
        await page.locator('input[type=password]').waitFor();
        await isFine('session-ended');
        const { password } = await scene.person('RECEPTION');
        await page.locator('input[type=password]').fill(password);
        await page.keyboard.press('Enter');
        await page.locator('input[type=password]').waitFor({ state: 'detached' });
        expect([await typed('firstName').inputValue(), await typed('lastName').inputValue()]).toEqual([
          ...['Saoirse', `Walsh ${id}`],
        ]);
        await typed('phone').focus();
        await page.keyboard.press('Control+Enter');
        await page.getByRole('heading', { name: `Saoirse Walsh ${id}` }).waitFor();
        expect(refused).toEqual([]);
      },
      SLOW,
    );
  },
);
