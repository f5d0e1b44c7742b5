/**
 * Phone numbers are kept in international form, such as +353861234567. People read them in groups, and type those of
 * their own country without its code. The library with the numbers of all countries is loaded when a page needs it.
 */
import { useSyncExternalStore } from 'react';
import { westernDigits } from '../forms/numbers.ts';
import { countryOfHospital } from '../i18n/i18n.ts';

type Library = typeof import('libphonenumber-js/min');

let library: Library | undefined;
const listeners = new Set<() => void>();

/** Without the library, numbers are shown as they are kept. Whoever needs it next tries again. */
function follow(listener: () => void): () => void {
  listeners.add(listener);
  void import('libphonenumber-js/min').then(
    (loaded) => {
      if (library) return;
      library = loaded;
      for (const each of listeners) each();
    },
    () => undefined,
  );
  return () => listeners.delete(listener);
}

export interface Phones {
  /** A number in groups: without the code of the hospital's own country. @param kept in international form. */
  show(kept: string): string;
  /** A typed number in international form. Undefined if it is not a whole one. */
  read(typed: string): string | undefined;
}

/** Renders again when the library is there. */
export function usePhones(): Phones {
  const loaded = useSyncExternalStore(follow, () => library);
  const country = countryOfHospital();
  return {
    show: (kept) => (loaded ? shown(loaded, kept, country) : kept),
    read: (typed) => (loaded ? readPhone(loaded, typed, country) : international(typed)),
  };
}

function shown({ parsePhoneNumberFromString }: Library, kept: string, country: string | undefined): string {
  const number = parsePhoneNumberFromString(kept);
  if (!number) return kept;
  return number.country === country ? number.formatNational() : number.formatInternational();
}

/** @param country of the hospital: its numbers need no code. @returns nothing if nobody can tell which number it is. */
export function readPhone(
  { parsePhoneNumberFromString }: Pick<Library, 'parsePhoneNumberFromString'>,
  typed: string,
  country: string | undefined,
): string | undefined {
  const plain = plainNumber(typed);
  if (isDecimal(plain)) return undefined;
  const number = parsePhoneNumberFromString(plain, {
    extract: false,
    ...(country === undefined ? {} : { defaultCountry: country as 'IE' }),
  });
  return number?.isPossible() && !number.ext ? number.number : undefined;
}

/** Without the library: only numbers that begin with + and the country. */
function international(typed: string): string | undefined {
  const plain = plainNumber(typed);
  const bare = plain.replaceAll(/[\s().-]/g, '');
  return isPhone(bare) && !isDecimal(plain) ? bare : undefined;
}

/** As it was typed or pasted, with the digits 0 to 9 and without invisible marks. */
function plainNumber(typed: string): string {
  return westernDigits(typed)
    .replaceAll(/[\p{Default_Ignorable_Code_Point}\p{Bidi_Control}]/gu, '')
    .replaceAll('＋', '+')
    .trim()
    .replace(/^tel:/i, '');
}

/** A number that a spreadsheet has taken for an amount, such as 353861234567.0. */
function isDecimal(plain: string): boolean {
  return /\.\d?$|^\+?\d+\.(?:\d\d|0+)$/.test(plain);
}

/** Whether a text is a number in international form. */
export function isPhone(text: string): boolean {
  return /^\+[1-9]\d{6,14}$/.test(text);
}
