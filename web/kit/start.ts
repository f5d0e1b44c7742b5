/** What the server has written into the page. */
import type { StartData } from '../server/start-data.ts';

export const start: StartData = JSON.parse(document.getElementById('start')?.textContent ?? '{}');

/** The nonce of the content security policy, for styles that are added later. */
export function styleNonce(): string {
  return document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? '';
}
