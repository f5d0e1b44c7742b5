/** Days as people type them: in the order of the hospital, with any separator or none, with the name of the month, or pasted in ISO 8601. */
import { westernDigits } from '../forms/numbers.ts';
import { MARKS } from './time.ts';

type Part = 'year' | 'month' | 'day';

/** The order of a locale, such as day, month, year. @param locale as for Intl. */
export function orderOf(locale: string): readonly Part[] {
  return partsOf(locale).flatMap(({ type }) => (type === 'year' || type === 'month' || type === 'day' ? type : []));
}

function partsOf(locale: string): Intl.DateTimeFormatPart[] {
  const format = new Intl.DateTimeFormat(locale, { ...NUMERIC, timeZone: 'UTC', calendar: 'gregory' });
  return format.formatToParts(Date.UTC(2024, 10, 22));
}

const LEFT_TO_RIGHT = '\u200E';

const NUMERIC = { year: 'numeric', month: '2-digit', day: '2-digit' } as const;

/** A day as it is typed, such as 17/05/1990. @param iso `YYYY-MM-DD`, or anything else, which is returned as it is. */
export function writeDay(iso: string, locale: string): string {
  if (!isDay(iso)) return iso;
  const values = { year: iso.slice(0, 4), month: iso.slice(5, 7), day: iso.slice(8, 10) };
  return partsOf(locale)
    .map(({ type, value }) => (type === 'literal' ? value : (values[type as Part] ?? '')))
    .join('')
    .replaceAll(MARKS, '');
}

/**
 * What a field shows before anything is typed, such as dd/mm/yyyy. Its parts stand where those of a typed day do, from left
 * to right in every language. @param letters of the day, the month and the year.
 */
export function patternOf(locale: string, letters: Readonly<Record<Part, string>>): string {
  return partsOf(locale)
    .map(({ type, value }) => (type === 'literal' ? value.replaceAll(MARKS, '') : (letters[type as Part] ?? '')))
    .join(LEFT_TO_RIGHT);
}

/**
 * @param text as it was typed or pasted.
 * @param today `YYYY-MM-DD`. A year of two digits is the last one that is not after this year.
 * @returns `YYYY-MM-DD`, or undefined if it is no day.
 */
export function readDay(text: string, locale: string, today: string): string | undefined {
  const plain = westernDigits(text).replaceAll(MARKS, '').trim();
  const named = withMonthName(plain, locale, today);
  if (named) return named;
  const numbers = plain.match(/\d+/g) ?? [];
  // Only digits and what stands between them. A time after a day in ISO 8601 does not count.
  const isIso = /^\d{4}-\d{2}-\d{2}(?:T.*)?$/.test(plain);
  if (!isIso && /[^\d\s./\-,،年月日]/u.test(plain)) return undefined;
  const found = isIso ? numbers.slice(0, 3) : numbers.length === 1 ? splitDigits(numbers[0] ?? '', locale) : numbers;
  if (found.length !== 3) return undefined;
  const order: readonly Part[] = found[0]?.length === 4 ? ['year', 'month', 'day'] : orderOf(locale);
  const part = (name: Part) => found[order.indexOf(name)] ?? '';
  const year = fullYear(part('year'), today);
  if (year === undefined || part('month').length > 2 || part('day').length > 2) return undefined;
  const iso = `${year}-${part('month').padStart(2, '0')}-${part('day').padStart(2, '0')}`;
  return isDay(iso) ? iso : undefined;
}

/** 5 Aug 2019, as pages write it, or Aug 5, 2019. */
function withMonthName(text: string, locale: string, today: string): string | undefined {
  const [, day, name = '', year = ''] = /^(\d{1,2})\.?\s*(\p{L}[\p{L}\p{M} ]*)\.?,?\s*(\d{4}|\d{2})$/u.exec(text) ?? [];
  const [, first = '', second, third = ''] = /^(\p{L}[\p{L}\p{M} ]*)\.?\s*(\d{1,2}),?\s+(\d{4})$/u.exec(text) ?? [];
  const month = monthNamed((name || first).trim().toLocaleLowerCase(locale), locale);
  const wholeYear = fullYear(year || third, today);
  if (month === undefined || wholeYear === undefined) return undefined;
  const iso = `${wholeYear}-${month}-${(day ?? second ?? '').padStart(2, '0')}`;
  return isDay(iso) ? iso : undefined;
}

/** @returns 01 to 12. The first letters are enough, in the language of the page or in English. */
function monthNamed(name: string, locale: string): string | undefined {
  if (name.length < 3) return undefined;
  const months = Array.from({ length: 12 }, (_, month) => Date.UTC(2024, month, 15));
  for (const language of [locale, 'en']) {
    for (const style of ['long', 'short'] as const) {
      const format = new Intl.DateTimeFormat(language, { month: style, timeZone: 'UTC', calendar: 'gregory' });
      const found = months.findIndex((moment) => format.format(moment).toLocaleLowerCase(language).startsWith(name));
      if (found >= 0) return String(found + 1).padStart(2, '0');
    }
  }
  return undefined;
}

/** 17051990 or 170590, in the order of the locale. */
function splitDigits(digits: string, locale: string): string[] {
  const yearLength = digits.length - 4;
  if (yearLength !== 4 && yearLength !== 2) return [];
  let rest = digits;
  return orderOf(locale).map((part) => {
    const length = part === 'year' ? yearLength : 2;
    const taken = rest.slice(0, length);
    rest = rest.slice(length);
    return taken;
  });
}

function fullYear(year: string, today: string): string | undefined {
  if (year.length === 4) return year;
  if (year.length !== 2) return undefined;
  const century = Number(today.slice(0, 2));
  return `${Number(year) > Number(today.slice(2, 4)) ? century - 1 : century}${year}`;
}

/** Whether a text is a day as `YYYY-MM-DD`. */
export function isDay(iso: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(iso) || iso.startsWith('0000')) return false;
  const date = new Date(`${iso}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(iso);
}
