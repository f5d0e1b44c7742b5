/** Looking up one patient after the other, as a receptionist does it. */
import { expect } from '@jest/globals';
import type { Page } from 'playwright-core';
import { api, tokenOf } from './gateway.ts';

/** Registers patients of whom each is found alone by the last name. The first name is Nora. @returns the last names. */
export async function registerFindable(hospital: string, count: number): Promise<readonly string[]> {
  const desk = api(await tokenOf(hospital, 'RECEPTION'));
  const names: string[] = [];
  for (let index = 0; index < count; index++) {
    const letters = [...String(100 + index)].map((digit) => 'abcdefghij'[Number(digit)]).join('');
    const lastName = `Wat${letters}`;
    const body = { firstName: 'Nora', lastName, dateOfBirth: '1980-01-01', gender: 'female' as const };
    const phone = `+353865${String(100_000 + index)}`;
    const { error } = await desk.POST('/api/hms/patients', { body: { ...body, phone, rejectDuplicates: false } });
    expect(error).toBeUndefined();
    names.push(lastName);
  }
  return names;
}

/** Types a name and opens what is found, with the keyboard. @param delay milliseconds from key to key. */
export async function lookUp(page: Page, lastName: string, delay: number): Promise<void> {
  await page.keyboard.press('/');
  await page.locator('[type=search]:focus').waitFor();
  await page.keyboard.type(lastName, { delay });
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: `Nora ${lastName}`, exact: true }).waitFor();
}

/** Looks up everybody, one each 1.5 seconds. @returns how many milliseconds it took. */
export async function lookUpAll(page: Page, lastNames: readonly string[]): Promise<number> {
  const begun = Date.now();
  for (const [index, lastName] of lastNames.entries()) {
    await lookUp(page, lastName, 80);
    await page.waitForTimeout(Math.max(0, begun + (index + 1) * 1_500 - Date.now()));
  }
  return Date.now() - begun;
}
