/** Decimal numbers as texts, exact to the last digit. Pure. */
import { z } from 'zod';

const DECIMAL = String.raw`-?[0-9]{1,12}(?:\.[0-9]{1,6})?`;

/** A number as a text, because JSON's own would lose digits, such as the last of 5.10. */
export const decimal = z
  .string()
  .max(20)
  .regex(new RegExp(`^${DECIMAL}$`), 'must be a number as a text, like "5.10", with at most 12 digits and 6 decimals');

/** Which side of a number the true value is on, for what an instrument can't measure exactly. */
type Comparator = '<' | '<=' | '>' | '>=';

export interface Measured {
  readonly comparator: Comparator | undefined;
  readonly number: string;
}

const MEASURED = new RegExp(`^(<=|>=|<|>)?\\s*(${DECIMAL})$`);

/**
 * Reads `5.10`, `<0.01`, `≥ 1000`, and `٤٫٥`, which is typed on Arabic keyboards. A blank inside a number may be a point
 * that was missed or one for thousands, and a point without a digit before it is easily overlooked: both are refused.
 */
export function readMeasured(text: string): Measured | { readonly problem: string } {
  const plain = withLatinDigits(text).trim().replace('≤', '<=').replace('≥', '>=').replace('−', '-').replace(/^\+/, '');
  const [, comparator, number] = MEASURED.exec(plain) ?? [];
  if (number !== undefined) return { comparator: comparator as Comparator | undefined, number };
  if (/[-0-9.,]\s+[0-9.,]/.test(plain)) {
    return { problem: 'must have no blank inside the number: write 4.5 or 1000, not "4 5" or "1 000"' };
  }
  if (/^[^0-9]*\.[0-9]+$|^[^.]*[0-9]\.$/.test(plain)) {
    return { problem: 'must have a digit before and after the point: write 0.5 for .5, and 5 for 5.' };
  }
  return { problem: 'must be a number, like 5.1, or one with a comparator, like <0.01 or >1000' };
}

const ZEROS = [0x0660, 0x06f0];

/** With Arabic digits, as Arabs and Persians write them, in Latin ones, and the Arabic decimal point as a point. */
function withLatinDigits(text: string): string {
  const latin = (digit: string) => {
    const code = digit.charCodeAt(0);
    return String(code - (ZEROS.findLast((zero) => zero <= code) ?? 0));
  };
  return text.replaceAll(/[\u0660-\u0669\u06f0-\u06f9]/g, latin).replaceAll('\u066b', '.');
}

/** @returns a negative number if the first is smaller, 0 if both are equal, a positive number otherwise. */
export function compareDecimals(one: string, other: string): number {
  const scale = Math.max(decimalsOf(one), decimalsOf(other));
  const [first, second] = [scaled(one, scale), scaled(other, scale)];
  return first < second ? -1 : first > second ? 1 : 0;
}

/** How many decimals a number is written with. */
export function decimalsOf(number: string): number {
  return number.split('.')[1]?.length ?? 0;
}

function scaled(number: string, scale: number): bigint {
  const [whole = '', decimals = ''] = number.split('.');
  return BigInt(whole + decimals.padEnd(scale, '0'));
}
