/**
 * Light or dark: what a person has chosen, otherwise as the device. The choice is in a cookie, so that the server writes it
 * into the page, and a browser draws nothing in the other colors first. A script can read this cookie.
 */
import type { MantineColorScheme, MantineColorSchemeManager } from '@mantine/core';
import { COLOR_SCHEME_COOKIE } from './colors.ts';

export const COLOR_SCHEMES = ['light', 'dark', 'auto'] as const satisfies readonly MantineColorScheme[];

const YEAR = 365 * 24 * 3600;

export const storedColorScheme: MantineColorSchemeManager = {
  get: (device) =>
    COLOR_SCHEMES.find((scheme) => document.cookie.split('; ').includes(`${COLOR_SCHEME_COOKIE}=${scheme}`)) ?? device,
  set: (scheme) => store(scheme, scheme === 'auto' ? 0 : YEAR),
  clear: () => store('', 0),
  subscribe: () => undefined,
  unsubscribe: () => undefined,
};

/** @param seconds after which the browser forgets it. */
function store(value: string, seconds: number): void {
  // biome-ignore lint/suspicious/noDocumentCookie: some browsers have no Cookie Store
  document.cookie = `${COLOR_SCHEME_COOKIE}=${value}; Path=/; Secure; SameSite=Lax; Max-Age=${seconds}`;
}

/** Paper is white, whatever the screen shows. */
export function printInLight(): void {
  const { dataset } = document.documentElement;
  let shown: string | undefined;
  addEventListener('beforeprint', () => {
    shown = dataset.mantineColorScheme;
    dataset.mantineColorScheme = 'light';
  });
  addEventListener('afterprint', () => {
    dataset.mantineColorScheme = shown;
  });
}
