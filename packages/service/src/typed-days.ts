/** Calendar days in a search, in any form in which people write them. A day as `YYYY-MM-DD`. */
import { foldText } from './fold.ts';

/** Languages whose names of months are read, in this platform's pages and in papers that patients bring. */
const LOCALES =
  'en ar ar-LB ar-MA am bn cs da de el es fa-u-ca-gregory fi fr he hi hu id it ms nb nl pl pt ro ru sv sw th-u-ca-gregory tr uk ur vi'.split(
    ' ',
  );

const MONTH = String.raw`(?<month>\p{L}[\p{L}\p{M}]*)\.?`;
const DAY = String.raw`(?<day>\d{1,2})(?:st|nd|rd|th|er|º|ª|\.)?`;
const YEAR = String.raw`(?<year>\d{4})`;
/** Between the parts, perhaps with “of”. */
const GAP = String.raw`[\s.,/-]*(?:(?:de|del|of)\s+)?`;
const NAMED = [
  `${DAY}${GAP}${MONTH}${GAP}${YEAR}`,
  `${MONTH}[\\s-]*${DAY}[\\s.,-]+${YEAR}`,
  `${YEAR}${GAP}${MONTH}${GAP}${DAY}`,
].map((form) => new RegExp(String.raw`(?<![\p{L}\p{N}])${form}(?![\p{L}\p{N}])`, 'giu'));
const EAST_ASIAN = /(?<year>\d{4})\s*[年년]\s*(?<month>\d{1,2})\s*[月월]\s*(?<day>\d{1,2})\s*[日일]?/gu;

/**
 * Takes the days with the name of a month out of a text, such as `9 May 1974`.
 * @returns the days, and what is left of the text. Its digits must be 0 to 9.
 */
export function takeNamedDays(text: string): { readonly days: readonly string[]; readonly rest: string } {
  const days: string[] = [];
  let rest = text;
  for (const form of [EAST_ASIAN, ...NAMED]) {
    rest = rest.replaceAll(form, (written, ...found) => {
      const { year, month = '', day } = found.at(-1) as Readonly<Record<string, string>>;
      const [named] = dayOf(year, /^\d/.test(month) ? month : monthNamed(month), day);
      if (named === undefined) return written;
      days.push(named);
      return ' ';
    });
  }
  return { days, rest };
}

/**
 * Days that a word may mean: the year first, or the day or the month first, also without separators. Of a year with two
 * digits, the last one that is not in the future.
 */
export function daysIn(word: string, now = new Date()): readonly string[] {
  const [, year, second, third] =
    /^(\d{4})[-./](\d{1,2})[-./](\d{1,2})$/.exec(word) ?? /^(\d{4})(\d\d)(\d\d)$/.exec(word) ?? [];
  const [, one, other, last = ''] =
    /^(\d{1,2})[-./](\d{1,2})[-./](\d{4}|\d\d)$/.exec(word) ?? /^(\d\d)(\d\d)(\d{4})$/.exec(word) ?? [];
  const full = last.length === 2 ? pastYear(last, now) : last;
  return [...new Set([...dayOf(year, second, third), ...dayOf(full, other, one), ...dayOf(full, one, other)])];
}

function pastYear(twoDigits: string, now: Date): string {
  const present = now.getUTCFullYear();
  const year = Math.floor(present / 100) * 100 + Number(twoDigits);
  return String(year > present ? year - 100 : year);
}

/** @returns one day, or none if the calendar has no such day. */
function dayOf(year = '', month = '', day = ''): readonly string[] {
  const text = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
  const date = new Date(`${text}T00:00:00Z`);
  return year !== '0000' && !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text) ? [text] : [];
}

/** @returns its number, or nothing if no month has this name. */
function monthNamed(name: string): string {
  names ??= monthNames();
  return names.get(foldText(name)) ?? '';
}

let names: ReadonlyMap<string, string> | undefined;

function monthNames(): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  const inAll = LOCALES.flatMap((locale) =>
    FORMS.map((form) => new Intl.DateTimeFormat(locale, { ...form, timeZone: 'UTC' })),
  );
  for (const format of inAll) {
    for (let month = 1; month <= 12; month += 1) {
      const parts = format.formatToParts(Date.UTC(2000, month - 1, 1));
      const name = foldText(parts.find(({ type }) => type === 'month')?.value ?? '').trim();
      // A name that two languages give to different months means that of the first.
      if (/^\p{L}/u.test(name) && !found.has(name)) found.set(name, String(month));
    }
  }
  found.set('sept', '9');
  return found;
}

/** As a month is called alone, and within a date. */
const FORMS = [
  { month: 'long' },
  { month: 'short' },
  { month: 'long', day: 'numeric' },
  { month: 'short', day: 'numeric' },
] as const;
