/** The days of a report, the period before it, and the parts into which both are divided. Pure. */
import { momentOf } from '@hms/domain/schedules';
import { type FieldProblem, fields, invalidFields, Problem, RANGE_TOO_WIDE } from '@hms/service';
import { Temporal } from 'temporal-polyfill';
import type { PeriodGroup, Span } from './declare.ts';

const { PlainDate, Instant } = Temporal;

const MOST_DAYS = 366;
const USUAL_DAYS = 30;
/** Far from the days that PostgreSQL or ISO 8601 can't write, also with the period before. */
const [EARLIEST, LATEST] = ['1900-01-01', '2999-12-31'];

export interface WantedDays {
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

/**
 * The span of a report. Without `from` and `to`: the last 30 days, with today.
 * @param zone IANA name of the hospital's time zone. @param place where the request has the days.
 * @throws Problem VALIDATION_FAILED, RANGE_TOO_WIDE
 */
export function spanOf({ from, to }: WantedDays, zone: string, now: Date, place: FieldProblem['in'] = 'query'): Span {
  const outside = Object.entries({ from, to }).filter(
    ([, day]) => day !== undefined && (day < EARLIEST || day > LATEST),
  );
  if (outside.length > 0)
    throw invalidFields(
      outside.map(([field]) => ({ field, in: place, message: `must be from ${EARLIEST} to ${LATEST}` })),
    );
  const today = PlainDate.from(fields.today(zone, now));
  const begin = from === undefined ? undefined : PlainDate.from(from);
  const tomorrow = today.add({ days: 1 });
  const end =
    to !== undefined ? PlainDate.from(to) : begin && isBefore(today, begin) ? begin.add({ days: 1 }) : tomorrow;
  const first = begin ?? end.subtract({ days: USUAL_DAYS });
  if (!isBefore(first, end)) throw invalidFields([{ ...AFTER, in: place }]);
  if (daysBetween(first, end) > MOST_DAYS) throw new Problem(RANGE_TOO_WIDE);
  return spanBetween(first, end, zone, now);
}

const AFTER = {
  field: 'to',
  message: 'must be after from: it is the day after the last one',
};

/**
 * The period before a span: whole months before whole months, and as many days before other days. If the span is not over,
 * the period before ends at the same time of its day as it is now.
 */
export function spanBefore(span: Span, zone: string, now: Date): Span {
  const [from, to] = [PlainDate.from(span.from), PlainDate.from(span.to)];
  const months = from.day === 1 && to.day === 1 ? from.until(to, { largestUnit: 'months' }).months : 0;
  const length = months > 0 ? { months } : { days: daysBetween(from, to) };
  const before = from.subtract(length);
  const later = months > 0 ? `${months} months` : `${length.days} days`;
  const whole = { ...spanBetween(before, from, zone, now), later };
  if (now.getTime() < span.begin.getTime() || span.until.getTime() < now.getTime()) return whole;
  const here = Instant.fromEpochMilliseconds(now.getTime()).toZonedDateTimeISO(zone);
  const day = before.add({ days: daysBetween(from, here.toPlainDate()) });
  const same = day.toZonedDateTime({ timeZone: zone, plainTime: here.toPlainTime() }).epochMilliseconds;
  return { ...whole, until: new Date(Math.min(same, whole.until.getTime())) };
}

/**
 * First days of the parts of a span: days, months, or weeks. Those that have not begun are left out.
 * @param firstWeekday 1 is Monday
 */
export function partsOf(
  span: Pick<Span, 'from' | 'until'>,
  group: PeriodGroup,
  firstWeekday: number,
  zone: string,
): readonly string[] {
  // The end of a day is the beginning of the next one.
  const last = Instant.fromEpochMilliseconds(span.until.getTime() - 1)
    .toZonedDateTimeISO(zone)
    .toPlainDate();
  const parts: string[] = [];
  for (let day = PlainDate.from(span.from); !isBefore(last, day); ) {
    const first = firstOf(day, group, firstWeekday);
    parts.push(first.toString());
    day = afterPart(first, group);
  }
  return parts;
}

/** The part of a span that begins on a day, without what is outside of the span. */
export function partIn(
  span: Pick<Span, 'from' | 'to'>,
  group: PeriodGroup,
  first: string,
): { from: string; to: string } {
  const to = afterPart(PlainDate.from(first), group).toString();
  const [isBegun, isOver] = [first < span.from, to > span.to];
  return { from: isBegun ? span.from : first, to: isOver ? span.to : to };
}

/** `2026-W48`, if weeks begin on Mondays as in ISO 8601. Otherwise their first day. */
export function weekName(first: string, firstWeekday: number): string {
  if (firstWeekday !== 1) return first;
  const { yearOfWeek, weekOfYear } = PlainDate.from(first);
  return `${yearOfWeek}-W${String(weekOfYear).padStart(2, '0')}`;
}

/** The first day of the week where the hospital is, 1 for Monday. @param locale BCP 47 with its region */
export function firstWeekdayOf(locale: string): number {
  return new Intl.Locale(locale).getWeekInfo().firstDay;
}

function firstOf(day: Temporal.PlainDate, group: PeriodGroup, firstWeekday: number): Temporal.PlainDate {
  if (group === 'month') return day.with({ day: 1 });
  return group === 'day' ? day : day.subtract({ days: (day.dayOfWeek - firstWeekday + 7) % 7 });
}

function afterPart(first: Temporal.PlainDate, group: PeriodGroup): Temporal.PlainDate {
  return first.add(group === 'month' ? { months: 1 } : { days: group === 'week' ? 7 : 1 });
}

function spanBetween(from: Temporal.PlainDate, to: Temporal.PlainDate, zone: string, now: Date): Span {
  const begin = new Date(momentOf(from.toString(), '00:00', zone));
  const end = new Date(momentOf(to.toString(), '00:00', zone));
  const until = new Date(Math.max(begin.getTime(), Math.min(end.getTime(), now.getTime())));
  return { from: from.toString(), to: to.toString(), begin, until };
}

function isBefore(one: Temporal.PlainDate, other: Temporal.PlainDate): boolean {
  return PlainDate.compare(one, other) < 0;
}

function daysBetween(from: Temporal.PlainDate, to: Temporal.PlainDate): number {
  return from.until(to).days;
}
