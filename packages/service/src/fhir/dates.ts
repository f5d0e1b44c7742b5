/** Dates of searches: each is a period, from a year to a fraction of a second. */
import type { Knex } from 'knex';
import { Temporal } from 'temporal-polyfill';

const PREFIXES = ['eq', 'ne', 'gt', 'lt', 'ge', 'le', 'sa', 'eb'] as const;

/** The period of a date. Without an offset, its bounds are what the clock of the hospital shows. */
export interface FhirDate {
  readonly prefix: (typeof PREFIXES)[number];
  readonly from: string;
  /** Not included. */
  readonly to: string;
  /** Whether the bounds are moments in UTC. */
  readonly isUtc: boolean;
}

const DATE =
  /^(?<prefix>[a-z]{2})?(?<year>\d{4})(?:-(?<month>\d\d)(?:-(?<day>\d\d)(?:T(?<time>\d\d:\d\d(?<seconds>:\d\d(?<fraction>\.\d{1,9})?)?)(?<offset>Z|[+ -]\d\d:\d\d)?)?)?)?$/;
const LONGEST = 40;

/** Reads a date as a client sends it, such as `ge2026-01`. @returns undefined if it is none in the years 0001 to 9998. */
export function parseDate(text: string): FhirDate | undefined {
  const { prefix = 'eq', ...parts } = (text.length <= LONGEST && DATE.exec(text)?.groups) || {};
  if (parts.year === undefined || !isPrefix(prefix)) return undefined;
  if (parts.year === '0000' || parts.year === '9999') return undefined;
  try {
    return { prefix, ...periodOf(parts) };
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/** @throws RangeError if the calendar or the clock has no such time. */
function periodOf({ year, month, day, time, seconds, fraction, offset }: Partial<Record<string, string>>) {
  if (time === undefined) {
    const from = Temporal.PlainDate.from(`${year}-${month ?? '01'}-${day ?? '01'}`, { overflow: 'reject' });
    const step = month === undefined ? { years: 1 } : day === undefined ? { months: 1 } : { days: 1 };
    return { from: from.toString(), to: from.add(step).toString(), isUtc: false };
  }
  const step = seconds === undefined ? { minutes: 1 } : { nanoseconds: 10 ** (9 - fractionDigits(fraction)) };
  const written = `${year}-${month}-${day}T${time}`;
  if (offset === undefined) {
    const from = Temporal.PlainDateTime.from(written, { overflow: 'reject' });
    return { from: from.toString(), to: from.add(step).toString(), isUtc: false };
  }
  // A plus sign in a query is a space, unless it is encoded.
  const from = Temporal.Instant.from(`${written}${offset.replace(' ', '+')}`);
  const to = from.add(step).toString();
  // An offset may lead into another year. PostgreSQL knows no year 0000, and writes others in another way.
  if ([from.toString(), to].some((text) => /^(?:[-+]|0000)/.test(text))) throw new RangeError('an unknown year');
  return { from: from.toString(), to, isUtc: true };
}

/** PostgreSQL has microseconds. @param fraction such as `.123` */
function fractionDigits(fraction = '.'): number {
  return Math.min(fraction.length - 1, 6);
}

function isPrefix(text: string): text is FhirDate['prefix'] {
  return (PREFIXES as readonly string[]).includes(text);
}

/** Restricts rows to those of a date. @param column expression of a day or a moment. @param timezone IANA name of the hospital's time zone. */
export function restrictDate(
  rows: Knex.QueryBuilder,
  column: string,
  precision: 'day' | 'moment',
  { prefix, from, to, isUtc }: FhirDate,
  timezone: string,
): void {
  const isDay = precision === 'day';
  const bound = isDay ? '?::timestamp::date' : isUtc ? '?::timestamptz' : '(?::timestamp AT TIME ZONE ?)';
  const bindings = (text: string) => (isDay ? [text.slice(0, 10)] : isUtc ? [text] : [text, timezone]);
  // A time within a day means that day.
  const end = isDay && from.slice(0, 10) === to.slice(0, 10) ? nextDay(from) : to;
  const compare = (operator: string, text: string) =>
    ({ sql: `${column} ${operator} ${bound}`, bindings: bindings(text) }) as const;
  const [atLeast, below] = [compare('>=', from), compare('<', end)];
  const chosen = {
    eq: [`(${atLeast.sql} AND ${below.sql})`, [...atLeast.bindings, ...below.bindings]],
    ne: [`NOT (${atLeast.sql} AND ${below.sql})`, [...atLeast.bindings, ...below.bindings]],
    ge: [atLeast.sql, atLeast.bindings],
    lt: [`${column} < ${bound}`, bindings(from)],
    eb: [`${column} < ${bound}`, bindings(from)],
    le: [below.sql, below.bindings],
    gt: [`${column} >= ${bound}`, bindings(end)],
    sa: [`${column} >= ${bound}`, bindings(end)],
  } as const;
  const [sql, values] = chosen[prefix];
  rows.whereRaw(sql, [...values]);
}

function nextDay(text: string): string {
  return Temporal.PlainDate.from(text.slice(0, 10)).add({ days: 1 }).toString();
}
