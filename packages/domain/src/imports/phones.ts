/** Phone numbers as spreadsheets leave them: without the plus sign, without the first zero, for the hospital's country. */
import { fields } from '@hms/service';
import { isSupportedCountry, type PhoneNumber, parsePhoneNumberFromString } from 'libphonenumber-js/min';

export type ReadPhone =
  /** As the cell says it, to be checked like any other number. */
  | { readonly written: string }
  /** What was missing. */
  | { readonly number: string; readonly lacked: 'plus' | 'zero' | 'country' }
  | { readonly problem: 'exponent' };

/** @param country ISO 3166 code of numbers without the code of a country. */
export function readPhone(cell: string, country: string | undefined): ReadPhone {
  const text = fields.plainNumber(cell).trim();
  // A large number in a narrow column: most of its digits are gone.
  if (/^[+-]?\d+(?:[.,]\d+)?E[+-]?\d+$/i.test(text)) return { problem: 'exponent' };
  const digits = fields.bareNumber(text.replace(/^tel:/i, ''));
  if (!/^\d{6,17}$/.test(digits)) return { written: cell };
  if (digits.startsWith('00')) return found(`+${digits.slice(2)}`, 'plus') ?? { written: cell };
  const national = country === undefined ? undefined : nationalNumber(digits, country);
  return national ?? found(`+${digits}`, 'plus') ?? { written: cell };
}

function nationalNumber(digits: string, country: string): ReadPhone | undefined {
  if (!isSupportedCountry(country)) return undefined;
  const asWritten = parsePhoneNumberFromString(digits, country);
  // With the code of the country, but without the plus sign.
  if (asWritten?.isValid()) return readAs(asWritten, asWritten.number === `+${digits}` ? 'plus' : 'country');
  // In Italy, the zero belongs to the number.
  const withZero = parsePhoneNumberFromString(`0${digits}`, country);
  return withZero?.isValid() ? readAs(withZero, 'zero') : undefined;
}

function found(number: string, lacked: 'plus'): ReadPhone | undefined {
  const parsed = parsePhoneNumberFromString(number);
  return parsed?.isValid() && parsed.number === number ? readAs(parsed, lacked) : undefined;
}

function readAs({ number }: PhoneNumber, lacked: 'plus' | 'zero' | 'country'): ReadPhone {
  return { number, lacked };
}
