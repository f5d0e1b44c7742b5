/** Amounts as people read and type them. */
import type { Amount } from './amounts.ts';
import { digitsOf } from './currencies.ts';

/** An amount with its currency, such as €12.50. @param locale as for Intl. */
export function showAmount(amount: Amount, currency: string, locale: string): string {
  const digits = digitsOf(currency);
  const format = new Intl.NumberFormat(locale, {
    style: 'currency',
    currency,
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  });
  // A decimal text stays exact, where a number would not.
  return format.format(decimal(amount, digits) as Intl.StringNumericLiteral);
}

/** An amount without its currency and without groups, to be changed in a field: 1234.50, or 1234,50. */
export function writeAmount(amount: Amount, currency: string, locale: string): string {
  return decimal(amount, digitsOf(currency)).replace('.', separatorsOf(locale).decimal);
}

/**
 * An amount as it was typed, with or without groups and the currency: 1,234.50 or €1234.5, and 1.234,50 in German. Groups
 * have three digits, so that 12.5 is never taken for 125 where the dot separates groups.
 * @returns undefined if it is no amount, or has more decimals than the currency.
 */
export function typedAmount(text: string, currency: string, locale: string): Amount | undefined {
  const digits = digitsOf(currency);
  const { decimal: point, group } = separatorsOf(locale);
  const plain = westernDigits(text)
    .replaceAll(MARKS, '')
    .replaceAll(/^[\p{Sc}\p{L}\s]+|[\p{Sc}\p{L}\s]+$/gu, '');
  const groups = `[\\s'’${escaped(group)}]`;
  const pattern = new RegExp(
    `^(?<sign>[-−]?)(?<whole>\\d+|\\d{1,3}(?:${groups}\\d{3})+)(?:[${escaped(point)}\u066B](?<part>\\d+))?$`,
    'u',
  );
  const { sign, whole, part = '' } = pattern.exec(plain)?.groups ?? {};
  if (whole === undefined || part.length > digits) return undefined;
  const units = BigInt(whole.replaceAll(/\D/g, '') + part.padEnd(digits, '0'));
  const amount = Number(sign ? -units : units);
  if (!Number.isSafeInteger(amount)) return undefined;
  return amount === 0 ? 0 : amount;
}

/** Invisible marks of direction, which some locales have in amounts. */
const MARKS = /[\u200E\u200F\u061C]/gu;

function decimal(amount: Amount, digits: number): string {
  const text = String(Math.abs(amount)).padStart(digits + 1, '0');
  const sign = amount < 0 ? '-' : '';
  return digits === 0 ? sign + text : `${sign}${text.slice(0, -digits)}.${text.slice(-digits)}`;
}

function separatorsOf(locale: string) {
  const parts = new Intl.NumberFormat(locale, { numberingSystem: 'latn', useGrouping: true }).formatToParts(1234567.5);
  const of = (type: string, otherwise: string) => parts.find((part) => part.type === type)?.value ?? otherwise;
  return { decimal: of('decimal', '.'), group: of('group', ',') };
}

/** For a class of a regular expression. */
function escaped(text: string): string {
  return text.replaceAll(/[\\\]^-]/g, String.raw`\$&`);
}

/** Arabic and Persian digits as 0 to 9. */
function westernDigits(text: string): string {
  return text.replaceAll(/[\u0660-\u0669\u06F0-\u06F9]/gu, (digit) => String((digit.codePointAt(0) ?? 0) & 0xf));
}
