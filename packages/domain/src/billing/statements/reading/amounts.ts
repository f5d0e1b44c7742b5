/** Amounts as files write them. No floating point: 1.15 is 115, and never 114. */
import { digitsOf } from '@hms/money';
import { StatementError } from './statement.ts';

export interface AmountSigns {
  readonly decimal: '.' | ',';
  /** Between groups of digits. A space is any kind of space. */
  readonly group: '' | '.' | ',' | ' ' | "'";
}

/** An amount of an XML file, which has no sign. @param place such as `Line 12`. @throws StatementError */
export function xmlAmount(text: string, currency: string, place: string): number {
  const match = text.trim().match(/^\+?(\d*)(?:\.(\d{0,5}))?$/);
  if (!match || !/\d/.test(text)) throw noAmount(text, place);
  return minorUnits(match[1] ?? '', match[2] ?? '', currency, place);
}

/** An amount with its sign before or after it. @throws StatementError */
export function writtenAmount(text: string, signs: AmountSigns, currency: string, place: string): number {
  const plain = text.replaceAll('\u2212', '-').replaceAll('\u2019', "'").replaceAll(/\s/g, ' ').trim();
  const [, before = '', digits = '', after = ''] = plain.match(/^([+-]?) ?(.*?) ?([+-]?)$/) ?? [];
  const [whole = '', fraction = '', ...more] = digits.split(signs.decimal);
  const groups = signs.group === '' ? [whole] : whole.split(signs.group);
  const isWrong =
    more.length > 0 ||
    (before !== '' && after !== '') ||
    !/\d/.test(digits) ||
    !/^\d*$/.test(fraction) ||
    !areGroups(groups);
  if (isWrong) throw noAmount(text, place);
  const amount = minorUnits(groups.join(''), fraction, currency, place);
  return before === '-' || after === '-' ? minus(amount) : amount;
}

/** Never the negative zero. */
export function minus(amount: number): number {
  return amount === 0 ? 0 : -amount;
}

/** The last group has three digits. Those before it have two in India, and the first one may have one. */
function areGroups(groups: readonly string[]): boolean {
  const written = groups.join(' ');
  return groups.length === 1 ? /^\d*$/.test(written) : /^\d{1,3}( \d{2,3})* \d{3}$/.test(written);
}

function minorUnits(whole: string, fraction: string, currency: string, place: string): number {
  const digits = digitsOf(currency);
  if (/[1-9]/.test(fraction.slice(digits))) {
    throw new StatementError(
      `${place} has an amount with more decimals than ${currency} has (${digits}): check the currency of the account.`,
    );
  }
  const amount = Number(BigInt(`0${whole}${fraction.slice(0, digits).padEnd(digits, '0')}`));
  if (!Number.isSafeInteger(amount)) {
    throw new StatementError(`${place} has an amount that is too large: check the file.`);
  }
  return amount;
}

function noAmount(text: string, place: string): StatementError {
  return new StatementError(
    `${place} has "${text.trim().slice(0, 40)}" where an amount is expected: check the columns, the decimal sign and the group sign.`,
  );
}
