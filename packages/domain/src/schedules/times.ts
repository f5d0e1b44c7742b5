/**
 * When doctors work: the moments that follow from schedules and absences. Pure, so that the slots of appointments are
 * computed in the same way.
 *
 * A schedule says what the clock on the hospital's wall shows. The order of two such times is the order of their moments,
 * also when clocks change, so schedules that don't overlap give moments that don't overlap:
 * - a time that does not exist, because clocks are set forward, is the moment of the change,
 * - a time that exists twice, because clocks are set back, is the first of the two.
 */
import { Temporal } from 'temporal-polyfill';
import { DAY, offsetOn } from './offsets.ts';

/** Hours on one weekday, as the fields of a schedule. */
export interface Hours {
  /** 1 is Monday, as in ISO 8601. */
  readonly weekday: number;
  /** `HH:MM`. */
  readonly startTime: string;
  /** `HH:MM`, at most 24:00. */
  readonly endTime: string;
  /** First and last day, as `YYYY-MM-DD`. Null: until somebody ends it. */
  readonly validFrom: string;
  readonly validTo: string | null;
}

/** From a moment until before another one, in milliseconds since 1970. */
export interface Period {
  readonly from: number;
  readonly to: number;
}

export interface WorkingTime<Schedule> {
  readonly schedule: Schedule;
  /** The day on which it begins, as `YYYY-MM-DD`. */
  readonly day: string;
  /** The hours of the schedule, also what an absence cuts out. */
  readonly whole: Period;
  readonly period: Period;
}

/**
 * The times at which doctors work, by their begin. An absence cuts out of a schedule what it covers.
 * @param days each as `YYYY-MM-DD`
 * @param absencesOf those of the schedule's doctor
 * @param zone IANA name of the hospital's time zone
 */
export function workingTimes<Schedule extends Hours>(
  schedules: readonly Schedule[],
  absencesOf: (schedule: Schedule) => readonly Period[],
  days: readonly string[],
  zone: string,
): readonly WorkingTime<Schedule>[] {
  const ofWeekday = Map.groupBy(schedules, ({ weekday }) => weekday);
  const times = days.flatMap((day) => {
    // Most doctors begin and end at the same times.
    const moments = new Map<string, number>();
    const at = (time: string) => {
      const known = moments.get(time) ?? momentOf(day, time, zone);
      moments.set(time, known);
      return known;
    };
    return (ofWeekday.get(weekdayOf(day)) ?? [])
      .filter((schedule) => isValidOn(schedule, day))
      .flatMap((schedule) => {
        const whole = { from: at(schedule.startTime), to: at(schedule.endTime) };
        return without(whole, absencesOf(schedule)).map((period) => ({ schedule, day, whole, period }));
      });
  });
  return times.sort((one, other) => one.period.from - other.period.from);
}

/** Days in a row, as `YYYY-MM-DD`. None of them is after the year 9999. */
export function daysFrom(first: string, count: number): readonly string[] {
  const start = Temporal.PlainDate.from(first);
  const days = Array.from({ length: count }, (_, days) => start.add({ days }).toString());
  return days.filter((day) => day.length === first.length);
}

/** 1 for a Monday, 7 for a Sunday. @param day `YYYY-MM-DD` */
export function weekdayOf(day: string): number {
  return Temporal.PlainDate.from(day).dayOfWeek;
}

/**
 * The moment at which the clock on the wall shows a time, in milliseconds since 1970. It is within the years 0001 to 9999
 * in UTC, because PostgreSQL does not read others. @param time `HH:MM`
 */
export function momentOf(day: string, time: string, zone: string): number {
  return Math.min(Math.max(exactMomentOf(day, time, zone), FIRST_MOMENT), LAST_MOMENT);
}

/**
 * The first and the last moment at which the clock on the wall shows a time. They differ if it exists twice, because
 * clocks are set back. @param time `HH:MM`
 */
export function momentsOf(day: string, time: string, zone: string): readonly [first: number, last: number] {
  const first = momentOf(day, time, zone);
  const wall = Temporal.PlainDate.from(day).toPlainDateTime(Temporal.PlainTime.from(time));
  const late = wall.toZonedDateTime(zone, { disambiguation: 'later' });
  return [first, late.toPlainDateTime().equals(wall) ? late.epochMilliseconds : first];
}

const FIRST_MOMENT = Date.parse('0001-01-01T00:00:00Z');
const LAST_MOMENT = Date.parse('9999-12-31T23:59:59.999Z');

function exactMomentOf(day: string, time: string, zone: string): number {
  const wallInUtc = Date.parse(`${day}T${time}Z`);
  const around = Math.floor(wallInUtc / DAY);
  const offset = offsetOn(around, zone);
  const isSteady = offset !== undefined && [-1, 1].every((away) => offsetOn(around + away, zone) === offset);
  return isSteady ? wallInUtc - offset : changingMomentOf(day, time, zone);
}

/** As `momentOf`, near a change of the clock. */
function changingMomentOf(day: string, time: string, zone: string): number {
  const date = Temporal.PlainDate.from(day);
  const wall =
    time === END_OF_DAY ? date.add({ days: 1 }).toPlainDateTime() : date.toPlainDateTime(Temporal.PlainTime.from(time));
  const early = wall.toZonedDateTime(zone, { disambiguation: 'earlier' });
  if (early.toPlainDateTime().equals(wall)) return early.epochMilliseconds;
  // The clock skips this time.
  return early.getTimeZoneTransition('next')?.epochMilliseconds ?? early.epochMilliseconds;
}

/** A moment with the offset of the zone, such as `2026-11-23T08:00:00+07:00`. */
export function inZone(moment: number, zone: string): string {
  const offset = offsetOn(Math.floor(moment / DAY), zone);
  if (offset !== undefined) return `${new Date(moment + offset).toISOString().slice(0, -5)}${offsetText(offset)}`;
  const zoned = Temporal.Instant.fromEpochMilliseconds(moment).toZonedDateTimeISO(zone);
  return zoned.toString({ timeZoneName: 'never', smallestUnit: 'second' });
}

function offsetText(offset: number): string {
  const minutes = Math.abs(offset) / MINUTE;
  const two = (value: number) => String(value).padStart(2, '0');
  return `${offset < 0 ? '-' : '+'}${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`;
}

const MINUTE = 60_000;
const END_OF_DAY = '24:00';

function isValidOn({ validFrom, validTo }: Hours, day: string): boolean {
  return validFrom <= day && (validTo === null || day <= validTo);
}

/** What is left of a period. */
function without(whole: Period, taken: readonly Period[]): readonly Period[] {
  return taken.reduce<readonly Period[]>(
    (left, { from, to }) =>
      left
        .flatMap((part) => [
          { from: part.from, to: Math.min(part.to, from) },
          { from: Math.max(part.from, to), to: part.to },
        ])
        .filter((part) => part.from < part.to),
    whole.from < whole.to ? [whole] : [],
  );
}
