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

const MEASURED = new RegExp(`^(<=|>=|<|>)?(${DECIMAL})$`);

/** Reads `5.10`, `<0.01`, `≥ 1000`. @returns undefined if it is none of these. */
export function readMeasured(text: string): Measured | undefined {
  const plain = text.replaceAll(/\s/g, '').replace('≤', '<=').replace('≥', '>=').replace('−', '-').replace(/^\+/, '');
  const [, comparator, number] = MEASURED.exec(plain) ?? [];
  return number === undefined ? undefined : { comparator: comparator as Comparator | undefined, number };
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
