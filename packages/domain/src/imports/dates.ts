/** Days as spreadsheets and people write them. Pure. */
import { fields } from '@hms/service';

/** The order of day and month in dates whose year is last. */
export const DATE_ORDERS = ['dmy', 'mdy'] as const;
export type DateOrder = (typeof DATE_ORDERS)[number];

/** What a cell says. */
type Written =
  | { readonly year: number; readonly month: number; readonly day: number }
  /** The year is last, and either number may be the day. */
  | { readonly year: number; readonly first: number; readonly second: number; readonly hasDots: boolean };

/** Why a cell is no day. */
type DayProblem = 'notADate' | 'timeZone' | 'serialDate' | 'twoDigitYear' | 'otherCalendar' | 'dateOrder';

export type ReadDay =
  | { readonly day: string; readonly isBuddhist: boolean }
  /** The suggestion is the day that is probably meant, `YYYY-MM-DD`. */
  | { readonly problem: DayProblem; readonly suggestion?: string };

/** @param order of dates with the year last. */
export function readDay(cell: string, order: DateOrder | undefined): ReadDay {
  if (hasOtherDays(cell)) return { problem: 'timeZone' };
  const text = plain(cell);
  const written = writtenIn(text);
  if (!written) return { problem: 'notADate', ...misreadIn(text) };
  if ('month' in written) return dayOf(written.year, written.month, written.day);
  const { year, first, second } = written;
  const [day, month] = order === 'mdy' ? [second, first] : [first, second];
  const read = dayOf(year, month, day);
  if (!('problem' in read) || read.problem !== 'notADate') return read;
  return 'day' in dayOf(year, day, month) ? { problem: 'dateOrder' } : read;
}

/** What the dates of a whole column say about their order. */
export interface OrderEvidence {
  /** Undefined if nobody can tell it. Dates that all have the year first need none. */
  readonly order?: DateOrder;
  /** Lines of a day first and of a month first, if both occur. */
  readonly contradiction?: readonly [dmy: number, mdy: number];
  /** The line of a date that can be read both ways, if no other date decides. */
  readonly ambiguous?: number;
}

/** @param cells with their lines in the file */
export function orderOf(cells: Iterable<readonly [line: number, cell: string]>): OrderEvidence {
  let [dmy, mdy, either]: (number | undefined)[] = [];
  let hasDots = true;
  for (const [line, cell] of cells) {
    const written = writtenIn(plain(cell));
    if (!written || !('first' in written)) continue;
    const { first, second } = written;
    if (first > 12 && second <= 12) dmy ??= line;
    else if (second > 12 && first <= 12) mdy ??= line;
    else if (first !== second && first <= 12) {
      either ??= line;
      hasDots &&= written.hasDots;
    }
  }
  if (dmy !== undefined && mdy !== undefined) return { contradiction: [dmy, mdy] };
  if (dmy !== undefined) return { order: 'dmy' };
  if (mdy !== undefined) return { order: 'mdy' };
  if (either === undefined) return {};
  // Nobody writes the month first with dots.
  return hasDots ? { order: 'dmy' } : { ambiguous: either };
}

/** Whether a cell has a moment whose day depends on the place: `1980-02-27T23:00:00Z` is 28 February in Berlin. */
function hasOtherDays(cell: string): boolean {
  const moment = fields.plainNumber(cell).trim();
  const [, time] =
    moment.match(/\d[T ]+(\d{1,2}:\d\d(?::\d\d(?:[.,]\d+)?)?) ?(?:Z|UTC|GMT|[+-]\d\d(?::?\d\d)?)$/i) ?? [];
  return time !== undefined && /[1-9]/.test(time);
}

/** Without the time that spreadsheets add, and without signs that only some languages have. */
function plain(cell: string): string {
  return fields
    .plainNumber(cell)
    .trim()
    .replace(/[T ]+\d{1,2}:\d\d(?::\d\d(?:\.\d+)?)?(?: ?[AaPp]\.?[Mm]\.?| ?Z)?$/, '')
    .replace(/^(\d{4})年(\d{1,2})月(\d{1,2})日$/, '$1-$2-$3')
    .replace(/^(\d{8})\.0+$/, '$1');
}

function writtenIn(text: string): Written | undefined {
  const numbers = (match: RegExpMatchArray) => match.slice(1).map(Number);
  const yearFirst = text.match(/^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})$/) ?? text.match(/^([12]\d{3})(\d\d)(\d\d)$/);
  if (yearFirst) {
    const [year = 0, month = 0, day = 0] = numbers(yearFirst);
    return { year, month, day };
  }
  const yearLast = text.match(/^(\d{1,2})([-/. ])(\d{1,2})\2(\d{4})$/);
  if (yearLast) {
    const [first = 0, , second = 0, year = 0] = numbers(yearLast);
    return { year, first, second, hasDots: yearLast[2] === '.' };
  }
  const named =
    text.match(/^(?<day>\d{1,2})[-/. ]+(?<month>\p{L}+)[-/., ]+(?<year>\d{4})$/u) ??
    text.match(/^(?<month>\p{L}+)\.? (?<day>\d{1,2}),? (?<year>\d{4})$/u);
  const month = MONTHS.get(named?.groups?.month?.toLowerCase() ?? '');
  return named?.groups && month !== undefined
    ? { year: Number(named.groups.year), month, day: Number(named.groups.day) }
    : undefined;
}

/** The languages whose names of months are read. A name that two of them have for two months is none. */
const LANGUAGES = ['en', 'ar', 'ar-EG', 'de', 'es', 'fr', 'id', 'it', 'nl', 'pt'];

const MONTHS = new Map(
  [
    ...Map.groupBy(
      LANGUAGES.flatMap((language) =>
        (['short', 'long'] as const).flatMap((length) => {
          const format = new Intl.DateTimeFormat(language, { month: length, timeZone: 'UTC', calendar: 'gregory' });
          return Array.from({ length: 12 }, (_, at) => ({
            name: format
              .format(Date.UTC(2024, at, 15))
              .replace(/\.$/, '')
              .toLowerCase(),
            month: at + 1,
          }));
        }),
      ),
      ({ name }) => name,
    ),
  ].flatMap(([name, [first, ...others]]) =>
    first && others.every(({ month }) => month === first.month) ? [[name, first.month] as const] : [],
  ),
);

/** What probably became of a date that can't be read as one. */
function misreadIn(text: string): { problem?: DayProblem; suggestion?: string } {
  const serial = Number(text.match(/^(\d{3,5})(?:\.\d+)?$/)?.[1]);
  // 1980 alone is a year.
  if (serial < LAST_SERIAL && !(serial > 1800 && serial < 2100)) {
    const day = new Date(Date.UTC(1899, 11, 30) + serial * DAY_MS).toISOString().slice(0, 10);
    return { problem: 'serialDate', suggestion: day };
  }
  return /^\d{1,2}[-/. ]+(?:\d{1,2}|\p{L}+)[-/., ]+\d\d$/u.test(text) ? { problem: 'twoDigitYear' } : {};
}

const DAY_MS = 86_400_000;
/** In the year 2099. */
const LAST_SERIAL = 73_050;

function dayOf(year: number, month: number, day: number): ReadDay {
  const isBuddhist = year > 2400 && year < 2600;
  // Hijri and Persian years of people who live.
  if (year >= 1300 && year < 1500) return { problem: 'otherCalendar' };
  const western = isBuddhist ? year - 543 : year;
  const date = new Date(Date.UTC(western, month - 1, day));
  const isReal = date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
  return isReal ? { day: date.toISOString().slice(0, 10), isBuddhist } : { problem: 'notADate' };
}
