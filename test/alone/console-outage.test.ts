/** The console while the API server, the operator and its own process are away, in a browser. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { platform } from '../platform.ts';
import { enterConsole, Scene, violations } from '../support/browser.ts';
import { consolePerson } from '../support/console-people.ts';
import { freshPrefix, whenDeleted } from '../support/hospitals.ts';
import { kill, signal } from '../support/signal.ts';
import { until } from '../support/until.ts';

const SLOW = 180_000;
const prefix = freshPrefix();
const NAME = 'Hospital of the North';

let scene: Scene;
let page: Page;

beforeAll(async () => {
  scene = await Scene.start(NAME);
  page = await enterConsole(scene, await consolePerson('PLATFORM_ADMIN'));
}, SLOW);
afterEach(() => {
  signal('kube-apiserver', 'SIGCONT');
  signal('operator', 'SIGCONT');
  signal('s3', 'SIGCONT');
});
afterAll(() => scene?.stop());

const heading = (on: Page, name: string) => on.getByRole('heading', { name, exact: true });
const button = (name: string) => page.getByRole('button', { name, exact: true });
const row = () => page.getByRole('link', { name: NAME });
const noServer = () => page.getByText('The Kubernetes API server can not be reached. This page shows the state of');
const noOperator = () => page.getByText('The operator has not answered since');

/** Shows the page in Arabic, waits for the text, and goes back to English. */
async function inArabic(text: string): Promise<void> {
  await page.getByRole('button', { name: /Language/ }).click();
  await page.getByRole('menuitem', { name: 'العربية' }).click();
  await page.getByText(text).waitFor();
  expect(await violations(page)).toEqual([]);
  await page.getByRole('button', { name: /اللغة/ }).click();
  await page.getByRole('menuitem', { name: 'English' }).click();
}

describe('while the API server does not answer', () => {
  it(
    'what was known is shown with its age, changes are refused with a sentence, and everything comes back',
    async () => {
      await row().click();
      await heading(page, NAME).waitFor();
      await page.getByRole('row', { name: /Hospital Yes/ }).waitFor();
      signal('kube-apiserver', 'SIGSTOP');
      await noServer().waitFor({ timeout: 60_000 });
      await page.getByRole('row', { name: /Hospital Yes/ }).waitFor();
      await button('Try again now').click();
      await page.getByRole('alert').getByText('The Kubernetes API server can not be reached at the moment.').waitFor();
      await page.getByRole('link', { name: 'Hospitals' }).click();
      await row().waitFor();
      await noServer().waitFor({ timeout: 60_000 });
      await inArabic('لا يمكن الوصول إلى خادم Kubernetes');

      // A process that starts now has never read anything from the API server.
      await kill('console');
      await until(
        'the new process to answer',
        () =>
          fetch(`http://127.0.0.1:${platform().ports.console}/ready`).then(
            ({ status }) => status,
            () => 0,
          ),
        (status) => status === 200,
        60_000,
      );
      await page.reload();
      await row().waitFor({ timeout: 60_000 });
      await noServer().waitFor({ timeout: 60_000 });

      signal('kube-apiserver', 'SIGCONT');
      await noServer().waitFor({ state: 'detached', timeout: 90_000 });
      await row().waitFor();
    },
    SLOW,
  );
});

describe('while an engine does not answer', () => {
  it(
    'the page of engines says which, and since when',
    async () => {
      const files = page.getByRole('row', { name: /Files/ });
      await page.getByRole('link', { name: 'Engines', exact: true }).click();
      await files.getByText('Answers', { exact: true }).waitFor();
      signal('s3', 'SIGSTOP');
      await files.getByText('Not as it should be').waitFor({ timeout: 60_000 });
      await files.getByText('BackendUnavailable').waitFor();
      signal('s3', 'SIGCONT');
      await files.getByText('Answers', { exact: true }).waitFor({ timeout: 60_000 });
    },
    SLOW,
  );
});

describe('while no operator works', () => {
  it(
    'a new hospital waits and says so, and is provisioned when the operator is back',
    async () => {
      signal('operator', 'SIGSTOP');
      await page.goto(`http://console.${platform().domain}:${platform().ports.gateway}/hospitals`);
      await noOperator().waitFor({ timeout: 60_000 });
      await inArabic('لم يُجب المشغّل منذ');
      await page.getByRole('link', { name: 'New hospital' }).click();
      await page
        .getByLabel('Name *', { exact: true })
        .or(page.getByLabel('Name', { exact: true }))
        .first()
        .fill('Clinic of the South');
      await page.getByLabel('Short name').fill(prefix);
      await page.keyboard.press('Control+Enter');
      await button('Create the hospital').click();
      await heading(page, 'Clinic of the South').waitFor();
      await page.getByText('The operator has not begun yet.').waitFor();
      await page.getByText(/No progress for \d+ seconds/).waitFor({ timeout: 60_000 });
      signal('operator', 'SIGCONT');
      await page.locator('main').getByText('Active', { exact: true }).first().waitFor({ timeout: 90_000 });
      await noOperator().waitFor({ state: 'detached', timeout: 60_000 });
      await page.getByRole('tab', { name: 'Suspend or delete' }).click();
      await page.getByLabel('Delete all records, files and accounts for good').check();
      await page.getByLabel(`To confirm, type ${prefix}`).fill(prefix);
      await button('Delete everything for good').click();
      await heading(page, 'This hospital is deleted').waitFor({ timeout: 60_000 });
      await whenDeleted(prefix);
      expect(await page.getByText('is not there any more').count()).toBe(1);
    },
    SLOW,
  );
});
