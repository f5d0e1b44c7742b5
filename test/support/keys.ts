/** What people do on a page without a mouse. */
import { expect } from '@jest/globals';
import type { Page } from 'playwright-core';
import { focused } from './browser.ts';
import { until } from './until.ts';

/** More would be a page that nobody wants to use without a mouse. */
const MOST_KEYS = 40;

/** Presses a key until the focus is on something whose name contains a text. */
export async function keyTo(page: Page, key: string, name: string): Promise<void> {
  for (let times = 1; times <= MOST_KEYS; times++) {
    await page.keyboard.press(key);
    if ((await focused(page)).includes(name)) return;
  }
  throw new Error(`${MOST_KEYS} times ${key} do not lead to “${name}”, but to “${await focused(page)}”`);
}

/** Waits until the focus has gone on to something. */
export async function goesOnAt(page: Page, name: string): Promise<void> {
  await until(
    `the focus on ${name}`,
    () => focused(page),
    (now) => now.includes(name),
    10_000,
  );
}

/** Chooses in the list that has the focus. */
export async function choose(page: Page, label: string): Promise<void> {
  const chosen = () => page.evaluate('document.activeElement.selectedOptions[0].textContent');
  await page.keyboard.press('Home');
  for (let times = 0; (await chosen()) !== label && times < MOST_KEYS; times++) await page.keyboard.press('ArrowDown');
  expect(await chosen()).toBe(label);
}
