/** Phone numbers as spreadsheets leave them: without the plus sign, without the first zero, for the hospital's country. */
import { setImmediate } from 'node:timers/promises';
import { fields } from '@hms/service';
import {
  getCountryCallingCode,
  isSupportedCountry,
  type PhoneNumber,
  parsePhoneNumberFromString,
} from 'libphonenumber-js/min';

/** How the numbers of a column without a plus sign are meant: `international` ones have lost it. */
export type PhoneForm = 'national' | 'international';

export type ReadPhone =
  /** As the cell says it, to be checked like any other number. */
  | { readonly written: string }
  /** What was missing. */
  | Repaired
  | { readonly problem: 'exponent' }
  /** Nobody can tell which of two numbers it is. */
  | { readonly national: string; readonly international: string };

interface Repaired {
  readonly number: string;
  readonly lacked: 'plus' | 'zero' | 'country';
}

/**
 * @param country ISO 3166 code of numbers without the code of a country.
 * @param form of the column, if it has one.
 */
export function readPhone(cell: string, country: string | undefined, form?: PhoneForm): ReadPhone {
  const text = fields.plainNumber(cell).trim();
  // A large number in a narrow column: most of its digits are gone.
  if (/^[+-]?\d+(?:[.,]\d+)?E[+-]?\d+$/i.test(text)) return { problem: 'exponent' };
  const digits = digitsOf(text);
  if (!/^\d{6,17}$/.test(digits)) return { written: cell };
  const { national, international } = readings(digits, country);
  if (!national || !international) return national ?? international ?? { written: cell };
  if (form) return form === 'national' ? national : international;
  return { national: national.number, international: international.number };
}

/**
 * What the numbers of a column that have neither a plus sign nor a zero at the start say about each other. Others get
 * their turn in between.
 * @returns the form of those that can be read in one way only, if a few do and all have the same one.
 */
export async function formOf(cells: Iterable<string>, country: string | undefined): Promise<PhoneForm | undefined> {
  if (country === undefined) return undefined;
  const counts = { national: 0, international: 0 };
  let at = 0;
  for (const cell of cells) {
    at += 1;
    if (at % PIECE === 0) await setImmediate();
    const digits = digitsOf(
      fields
        .plainNumber(cell)
        .trim()
        .replace(/[.,]0$/, ''),
    );
    if (!/^[1-9]\d{5,16}$/.test(digits)) continue;
    const { national, international } = readings(digits, country);
    if (national && !international) counts.national += 1;
    if (international && !national) counts.international += 1;
    if (counts.national > 0 && counts.international > 0) return undefined;
  }
  if (counts.national >= FEW) return 'national';
  return counts.international >= FEW ? 'international' : undefined;
}

/** Fewer numbers decide nothing about others. */
const FEW = 3;
/** Numbers that are read without a pause. */
const PIECE = 200;

function digitsOf(text: string): string {
  return fields.bareNumber(text.replace(/^tel:/i, ''));
}

/** The valid numbers that digits can mean. With the code of the country itself, they are no national number. */
function readings(digits: string, country: string | undefined) {
  if (digits.startsWith('00')) return { international: inFull(digits.slice(2)) };
  const international = inFull(digits);
  if (country === undefined || !isSupportedCountry(country)) return { international };
  if (international && digits.startsWith(getCountryCallingCode(country))) return { international };
  const asWritten = parsePhoneNumberFromString(digits, country);
  if (asWritten?.isValid()) return { international, national: repaired(asWritten, 'country') };
  // In Italy, the zero belongs to the number.
  const withZero = parsePhoneNumberFromString(`0${digits}`, country);
  return withZero?.isValid() ? { international, national: repaired(withZero, 'zero') } : { international };
}

/** A number with the code of its country. */
function inFull(digits: string): Repaired | undefined {
  if (digits.startsWith('0')) return undefined;
  const parsed = parsePhoneNumberFromString(`+${digits}`);
  return parsed?.isValid() && parsed.number === `+${digits}` ? repaired(parsed, 'plus') : undefined;
}

function repaired({ number }: PhoneNumber, lacked: Repaired['lacked']): Repaired {
  return { number, lacked };
}
