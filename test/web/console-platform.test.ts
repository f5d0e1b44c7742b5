/** Engines and migrations in the console. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { enterConsole, overflow, picture, Scene, violations } from '../support/browser.ts';
import { consolePerson } from '../support/console-people.ts';

let scene: Scene;
let page: Page;

beforeAll(async () => {
  scene = await Scene.start('Hospital of the Engines');
}, 180_000);
afterAll(() => scene?.stop());

const heading = (name: string) => page.getByRole('heading', { name, exact: true });
const button = (name: string) => page.getByRole('button', { name, exact: true });
const link = (name: string) => page.getByRole('link', { name, exact: true });

describe('an administrator', () => {
  it('sees how the engines are', async () => {
    page = await enterConsole(scene, await consolePerson('PLATFORM_ADMIN'));
    await link('Engines').click();
    await heading('Engines').waitFor();
    for (const engine of ['Login (Keycloak)', 'Files (S3)', 'Database (PostgreSQL)', 'Gateway'])
      await page
        .getByRole('row', { name: new RegExp(engine.replaceAll(/[()]/g, '.')) })
        .getByText('Answers', { exact: true })
        .waitFor();
    expect(await violations(page)).toEqual([]);
    await picture(page, 'console-engines');
    await page.emulateMedia({ colorScheme: 'dark' });
    expect(await violations(page)).toEqual([]);
  });

  it('halts migrations with a reason, by keyboard, and resumes them', async () => {
    await link('Migrations').press('Enter');
    await page.getByText('All are migrated', { exact: true }).waitFor();
    await button('Halt migrations…').press('Enter');
    await page.getByRole('textbox', { name: 'Why they are halted' }).waitFor();
    await page.keyboard.type('Before the release');
    await page.keyboard.press('Control+Enter');
    await page.getByText('All are migrated, and later migrations are halted', { exact: true }).waitFor();
    await page.getByText('so later migrations wait').waitFor();
    expect(await violations(page)).toEqual([]);
    await page.emulateMedia({ colorScheme: 'light' });
    await picture(page, 'console-migrations');
    await button('Resume').press('Enter');
    await page.getByText('All are migrated', { exact: true }).waitFor();
  });
});

describe('somebody who helps', () => {
  it('sees both in Arabic and on a phone, and can change nothing', async () => {
    const person = await consolePerson('PLATFORM_SUPPORT');
    page = await enterConsole(scene, person, { viewport: { width: 360, height: 740 } });
    await page.getByRole('button', { name: /Language/ }).click();
    await page.getByRole('menuitem', { name: 'العربية' }).click();
    const { origin } = new URL(page.url());
    await page.goto(`${origin}/engines`);
    await page.getByRole('table').getByText('قاعدة البيانات (PostgreSQL)').waitFor();
    expect(await overflow(page)).toBe(0);
    expect(await violations(page)).toEqual([]);
    await picture(page, 'console-engines-arabic');
    await page.goto(`${origin}/migrations`);
    await page.getByText('رُحّلت جميعها', { exact: true }).waitFor();
    expect(await button('إيقاف الترحيلات…').count()).toBe(0);
    expect(await overflow(page)).toBe(0);
    expect(await violations(page)).toEqual([]);
  });
});
