/**
 * Two journeys in a browser, with what axe says about each page: a receptionist registers a patient, and a doctor records
 * what is dangerous for the patient. test/web has the pages of every domain.
 */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { logIn, overflow, randomPhone, Scene, violations } from '../support/browser.ts';
import { until } from '../support/until.ts';

let scene: Scene;
let page: Page;
let patientId: string;

beforeAll(async () => {
  scene = await Scene.start("St. Mary's Hospital");
}, 120_000);
afterAll(() => scene?.stop());

const heading = (name: string) => page.getByRole('heading', { name, exact: true });

describe('a receptionist', () => {
  it('is told that the password is wrong, and logs in', async () => {
    const { email, password } = await scene.person('RECEPTION');
    page = await (await scene.context()).newPage();
    await page.goto(`${scene.origin}/`);
    await page.getByText("St. Mary's Hospital").waitFor();
    await logIn(page, email, 'wrong');
    await page.getByText('The email address or the password is wrong.').waitFor();
    expect(await violations(page)).toEqual([]);
    await logIn(page, email, password);
    await page.getByText('There are no patients yet.').waitFor();
  });

  it('registers a patient without a mouse, and is told which field is wrong', async () => {
    await page.getByRole('link', { name: 'Register a patient' }).press('Enter');
    await page.getByLabel('First name').focus();
    await page.keyboard.type('Nora');
    await page.keyboard.press('Enter');
    await page.keyboard.type('Quinn');
    await page.keyboard.press('Control+Enter');
    await page.getByText('Fill in this field. If nobody can tell').first().waitFor();
    expect(await violations(page)).toEqual([]);
    await page.getByLabel('Day of birth').fill('1988-02-29');
    await page.getByLabel('Phone').fill(randomPhone());
    await page.keyboard.press('Control+Enter');
    await page.waitForURL(/\/patients\/[0-9a-f-]{36}/);
    await heading('Nora Quinn').waitFor();
    patientId = page.url().split('/').at(-1) ?? '';
    expect(await violations(page)).toEqual([]);
  });

  it('keeps the record over a reload while the network is away, and is told so', async () => {
    const isKept = () => page.evaluate('navigator.serviceWorker.controller !== null');
    await until('the service worker', isKept, (is) => is === true);
    const notice = page.getByText('The server can not be reached.');
    await page.context().setOffline(true);
    await notice.waitFor();
    await page.reload();
    await heading('Nora Quinn').waitFor();
    await notice.waitFor();
    await page.context().setOffline(false);
    await notice.waitFor({ state: 'hidden' });
  });

  it('looks a patient up with at most four requests', async () => {
    const sent: string[] = [];
    page.on('request', (request) => void (request.url().includes('/api/') && sent.push(request.url())));
    await page.keyboard.press('/');
    await page.locator('[type=search]:focus').waitFor();
    await page.keyboard.type('quin', { delay: 80 });
    await page.keyboard.press('Enter');
    await page.waitForURL(`**/patients/${patientId}`);
    await heading('Nora Quinn').waitFor();
    await page.waitForTimeout(500);
    expect(sent.length).toBeLessThanOrEqual(4);
  });

  it('finds the patient by typing, also in Arabic and on a phone of 320 pixels', async () => {
    await page.getByRole('link', { name: 'Patients', exact: true }).click();
    await page.getByRole('searchbox').pressSequentially('quin', { delay: 40 });
    await page.getByRole('link', { name: 'Quinn, Nora' }).waitFor();
    expect(await violations(page)).toEqual([]);
    await page.getByRole('button', { name: 'Language: English' }).click();
    await page.getByRole('menuitem', { name: 'العربية' }).click();
    await page.getByRole('heading', { name: 'المرضى' }).waitFor();
    await page.setViewportSize({ width: 320, height: 640 });
    expect(await page.evaluate('document.documentElement.dir')).toBe('rtl');
    expect([await overflow(page), await violations(page)]).toEqual([0, []]);
  });
});

describe('a doctor', () => {
  it('records an allergy, which everybody sees above the record', async () => {
    page = await scene.loggedIn('DOCTOR');
    await page.goto(`${scene.origin}/patients/${patientId}`);
    const warnings = page.getByRole('region', { name: 'Allergies and alerts' });
    await warnings.getByText('Allergies: not asked yet').waitFor();
    await page.getByRole('tab', { name: 'Allergies and alerts' }).click();
    await page.getByRole('button', { name: 'Edit' }).press('Enter');
    await page.getByRole('button', { name: 'Add an allergy' }).press('Enter');
    await page.keyboard.type('Penicillin');
    await page.getByLabel('Severity').selectOption('severe');
    await page.keyboard.press('Control+Enter');
    await warnings.getByText('Penicillin: severe').waitFor();
    expect(await violations(page)).toEqual([]);
  });

  it('does not see what is not for a doctor', async () => {
    await page.goto(`${scene.origin}/audit`);
    await heading('Not for your role').waitFor();
    expect(await violations(page)).toEqual([]);
  });
});
