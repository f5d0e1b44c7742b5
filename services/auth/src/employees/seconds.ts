/** Tokens name the second in which they were issued. */
import { setTimeout as delay } from 'node:timers/promises';

/** When the current second began. */
export function thisSecond(): Date {
  return new Date(Math.floor(Date.now() / 1000) * 1000);
}

/** Waits for the next second. @returns when it began. */
export async function nextSecond(): Promise<Date> {
  const next = new Date(thisSecond().getTime() + 1_000);
  await delay(next.getTime() - Date.now());
  return next;
}
