/** The audit log as an owner reads it: sentences in two languages, filters, details on demand, and the file. */
import fs from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { type Login, logIn, overflow, picture, register, Scene, violations } from '../support/browser.ts';
import { until } from '../support/until.ts';

const SLOW = 60_000;

let scene: Scene;
let doctor: Login;
let patientCode: string;
let owner: Page;

beforeAll(async () => {
  scene = await Scene.start("St. Mary's Hospital");
  doctor = await scene.hire('Dara', 'Quinn', 'DOCTOR');
  const desk = await scene.loggedIn('RECEPTION');
  const id = await register(desk, scene.origin, { firstName: 'Nora', lastName: 'Byrne', day: '1988-02-29' });
  patientCode = (await desk.locator('.hms-number').first().textContent()) ?? '';
  const reader = await scene.loggedIn(doctor);
  await reader.goto(`${scene.origin}/patients/${id}`);
  await reader.getByRole('heading', { name: 'Nora Byrne' }).waitFor();
  const wrong = await (await scene.context()).newPage();
  await wrong.goto(`${scene.origin}/`);
  await logIn(wrong, doctor.email, 'wrong');
  await wrong.getByText('The email address or the password is wrong.').waitFor();
  owner = await scene.loggedIn('OWNER');
}, 240_000);
afterAll(() => scene?.stop());

const sentences = (page: Page) => page.getByRole('row').locator('td:nth-child(2) p:first-child').allTextContents();

describe('an owner', () => {
  it(
    'reads what one person did, in sentences',
    async () => {
      await owner.goto(`${scene.origin}/audit`);
      await owner.getByRole('combobox', { name: 'Person' }).fill('dara');
      await owner.getByRole('listbox', { name: 'Person' }).getByRole('option').first().click();
      await owner.waitForURL(/actor=/);
      expect(await owner.getByRole('textbox', { name: 'Person' }).inputValue()).toBe('Dara Quinn');
      // Keycloak reports its events some seconds later.
      const said = await until(
        'everything that the doctor did',
        () => sentences(owner),
        (all) => all.every((one) => one.includes('Dara Quinn')) && all.length > 0,
      );
      expect(said).toContain('Dara Quinn opened the record of a patient');
      expect(await violations(owner)).toEqual([]);
      await picture(owner, 'audit');
    },
    SLOW,
  );

  it(
    'reads who failed to log in, and why',
    async () => {
      await owner.getByRole('button', { name: 'Clear the filters' }).click();
      await owner.getByLabel('Action').selectOption('Failed to log in');
      const failed = owner.getByText('Dara Quinn failed to log in: the password was wrong');
      await until(
        'the event of Keycloak',
        async () => {
          await owner.reload();
          await owner.getByRole('heading', { name: 'Audit log' }).waitFor();
          await owner.waitForLoadState('networkidle');
          return failed.count();
        },
        (count) => count === 1,
      );
    },
    SLOW,
  );

  it('reads what happened to one kind of record, with the details on demand', async () => {
    await owner.getByRole('button', { name: 'Clear the filters' }).click();
    await owner.getByLabel('Kind of record').selectOption('Patients');
    await owner.getByLabel('Action').selectOption('Created');
    await owner.waitForURL(/record=patients/);
    const row = owner.getByRole('row').filter({ hasText: 'registered a patient' });
    await row.getByText(patientCode).waitFor();
    expect(await owner.getByText('Last name: Byrne').count()).toBe(0);
    await row.getByText('Details').click();
    await row.getByText('Last name: Byrne').waitFor();
    await row.getByText('Address of the device').waitFor();
    await row.getByText('Reception', { exact: true }).waitFor();
    expect(await violations(owner)).toEqual([]);
    // The line still leads to the record, and its details do not.
    expect(new URL(owner.url()).pathname).toBe('/audit');
  });

  it('saves what is filtered as a file', async () => {
    const waiting = owner.waitForEvent('download');
    await owner.getByRole('button', { name: 'Save as CSV' }).click();
    const file = await waiting;
    expect(file.suggestedFilename()).toBe('audit.csv');
    const [header = '', ...lines] = (await fs.readFile(await file.path(), 'utf8')).trimEnd().split('\r\n');
    expect(header.startsWith('\uFEFFposition,')).toBe(true);
    expect(lines.length).toBeGreaterThan(0);
    expect(lines.filter((line) => !line.includes(',create,patients,'))).toEqual([]);
  });

  it('finds by an address what nobody of the hospital did', async () => {
    await owner.getByRole('button', { name: 'Clear the filters' }).click();
    await owner.getByRole('combobox', { name: 'Person' }).fill('nobody@nowhere.example');
    await owner.keyboard.press('Enter');
    await owner.waitForURL(/actorEmail=nobody/);
    await owner.getByText('There are no events.').waitFor();
    await owner.getByRole('button', { name: 'All people' }).click();
    await owner.getByRole('link', { name: patientCode }).first().waitFor();
  });

  it('reads the same in Arabic, on a phone', async () => {
    const phone = await scene.loggedIn('OWNER', { viewport: { width: 360, height: 740 } });
    await phone.evaluate("localStorage.setItem('hms-language', 'ar')");
    await phone.goto(`${scene.origin}/audit?action=create&record=patients`);
    await phone.getByText('تم تسجيل مريض بواسطة').first().waitFor();
    await phone.getByText('التفاصيل').first().click();
    await phone.getByText('اسم العائلة').first().waitFor();
    expect(await overflow(phone)).toBe(0);
    expect(await violations(phone)).toEqual([]);
  });
});
