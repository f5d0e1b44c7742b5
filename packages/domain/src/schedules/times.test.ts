import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { Temporal } from 'temporal-polyfill';
import { daysFrom, type Hours, inZone, momentOf, type Period, weekdayOf, workingTimes } from './times.ts';

const MINUTE = 60_000;
const DUBLIN = 'Europe/Dublin';
/** Clocks go from 01:00 to 02:00. */
const SPRING = '2026-03-29';
/** Clocks go from 02:00 back to 01:00. */
const AUTUMN = '2026-10-25';

const always = { validFrom: '2026-01-01', validTo: null };
const sunday = (startTime: string, endTime: string): Hours => ({ ...always, weekday: 7, startTime, endTime });
const none = () => [];

function shown(schedules: readonly Hours[], days: readonly string[], zone: string, absences: readonly Period[] = []) {
  return workingTimes(schedules, () => absences, days, zone).map(
    ({ period: { from, to } }) => `${inZone(from, zone)} ${inZone(to, zone)}`,
  );
}

describe('the first and the last days of the calendar', () => {
  it('have moments that PostgreSQL can read', () => {
    for (const zone of ['Asia/Jakarta', 'America/New_York']) {
      for (const day of ['0001-01-01', '9999-12-31']) {
        const ends = [momentOf(day, '00:00', zone), momentOf(day, '24:00', zone)];
        expect(ends.map((end) => new Date(end).toISOString())).toEqual([
          expect.stringMatching(/^\d{4}-/),
          expect.stringMatching(/^\d{4}-/),
        ]);
      }
    }
    expect(daysFrom('9999-12-30', 7)).toEqual(['9999-12-30', '9999-12-31']);
  });
});

describe('a moment and what the clock shows', () => {
  const zones = fc.constantFrom(...Intl.supportedValuesOf('timeZone'));
  const moments = fc.integer({ min: Date.parse('1850-01-01'), max: Date.parse('2100-01-01') });

  it('follow from each other as the database of zones says', () => {
    fc.assert(
      fc.property(zones, moments, (zone, at) => {
        const zoned = Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(zone);
        expect(inZone(at, zone)).toBe(zoned.toString({ timeZoneName: 'never', smallestUnit: 'second' }));
        const wall = zoned.toPlainDateTime().round({ smallestUnit: 'minute', roundingMode: 'floor' });
        const first = wall.toZonedDateTime(zone, { disambiguation: 'earlier' }).epochMilliseconds;
        expect(momentOf(wall.toPlainDate().toString(), wall.toPlainTime().toString().slice(0, 5), zone)).toBe(first);
      }),
      { numRuns: 2000 },
    );
  });

  it('are right on each side of a change, and as often as one asks', () => {
    for (const day of [SPRING, AUTUMN]) {
      const noon = Date.parse(`${day}T12:00Z`);
      for (let at = noon - 36 * 60 * MINUTE; at < noon + 36 * 60 * MINUTE; at += 10 * MINUTE) {
        const zoned = Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(DUBLIN);
        expect(inZone(at, DUBLIN)).toBe(zoned.toString({ timeZoneName: 'never', smallestUnit: 'second' }));
      }
    }
  });
});

describe('the times of a week', () => {
  it('are those of the weekday, with the offset of the zone', () => {
    const monday = { ...always, weekday: 1, startTime: '08:00', endTime: '12:30' };
    expect(shown([monday], daysFrom('2026-11-20', 7), 'Asia/Jakarta')).toEqual([
      '2026-11-23T08:00:00+07:00 2026-11-23T12:30:00+07:00',
    ]);
  });

  it('begin and end with the first and the last day', () => {
    const daily = [1, 2, 3, 4, 5, 6, 7].map((weekday) => ({
      ...{ weekday, startTime: '08:00', endTime: '09:00' },
      ...{ validFrom: '2026-11-24', validTo: '2026-11-26' },
    }));
    const days = workingTimes(daily, none, daysFrom('2026-11-23', 7), DUBLIN).map(({ day }) => day);
    expect(days).toEqual(['2026-11-24', '2026-11-25', '2026-11-26']);
  });

  it('last until midnight', () => {
    expect(shown([sunday('22:00', '24:00')], ['2026-11-22'], DUBLIN)).toEqual([
      '2026-11-22T22:00:00+00:00 2026-11-23T00:00:00+00:00',
    ]);
  });

  it('leave out what an absence covers', () => {
    const away = { from: momentOf('2026-11-22', '09:00', DUBLIN), to: momentOf('2026-11-22', '10:00', DUBLIN) };
    expect(shown([sunday('08:00', '12:00')], ['2026-11-22'], DUBLIN, [away])).toEqual([
      '2026-11-22T08:00:00+00:00 2026-11-22T09:00:00+00:00',
      '2026-11-22T10:00:00+00:00 2026-11-22T12:00:00+00:00',
    ]);
  });
});

describe('when clocks change', () => {
  it('a time that does not exist is the moment of the change', () => {
    expect(shown([sunday('00:30', '01:30'), sunday('01:30', '03:00')], [SPRING], DUBLIN)).toEqual([
      `${SPRING}T00:30:00+00:00 ${SPRING}T02:00:00+01:00`,
      `${SPRING}T02:00:00+01:00 ${SPRING}T03:00:00+01:00`,
    ]);
    expect(shown([sunday('01:10', '01:50')], [SPRING], DUBLIN)).toEqual([]);
  });

  it('a time that exists twice is the first of the two', () => {
    expect(shown([sunday('00:30', '01:30'), sunday('01:30', '03:00')], [AUTUMN], DUBLIN)).toEqual([
      `${AUTUMN}T00:30:00+01:00 ${AUTUMN}T01:30:00+01:00`,
      `${AUTUMN}T01:30:00+01:00 ${AUTUMN}T03:00:00+00:00`,
    ]);
  });

  it('a day can begin after midnight', () => {
    // Clocks in Beirut go from 00:00 to 01:00.
    expect(inZone(momentOf(SPRING, '00:00', 'Asia/Beirut'), 'Asia/Beirut')).toBe(`${SPRING}T01:00:00+03:00`);
  });
});

/** With changes by an hour, by half an hour, at midnight, and without changes. */
const zone = fc.constantFrom(DUBLIN, 'Australia/Lord_Howe', 'Asia/Beirut', 'America/Santiago', 'Asia/Jakarta', 'UTC');
/** Around the changes of the clocks. */
const day = fc.constantFrom(
  '2026-03-29',
  '2026-04-05',
  '2026-04-04',
  '2026-09-05',
  '2026-10-04',
  '2026-10-25',
  '2026-06-17',
);
const two = (number: number) => String(number).padStart(2, '0');
const timeAt = (minutes: number) => `${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`;
/** Hours of one day that don't overlap, by their begin. */
const plan = fc
  .uniqueArray(fc.integer({ min: 0, max: 1440 }), { minLength: 2, maxLength: 8 })
  .map((cuts) => cuts.sort((one, other) => one - other))
  .map((cuts) => cuts.slice(1).map((end, index) => [timeAt(cuts[index] ?? 0), timeAt(end)] as const));
const absences = fc.array(fc.tuple(fc.integer({ min: -300, max: 1800 }), fc.integer({ min: 1, max: 600 })), {
  maxLength: 4,
});

describe('whatever the schedules, absences and zones are', () => {
  const onDay = (date: string, hours: readonly (readonly [string, string])[]): Hours[] =>
    hours.map(([startTime, endTime]) => ({ ...always, weekday: weekdayOf(date), startTime, endTime }));
  const awayOn = (date: string, at: string, periods: readonly (readonly [number, number])[]): Period[] => {
    const midnight = momentOf(date, '00:00', at);
    return periods.map(([begin, length]) => ({
      from: midnight + begin * MINUTE,
      to: midnight + (begin + length) * MINUTE,
    }));
  };

  it('a doctor is never in two places at a time', () => {
    fc.assert(
      fc.property(zone, day, plan, absences, (at, date, hours, away) => {
        const times = workingTimes(onDay(date, hours), () => awayOn(date, at, away), [date], at);
        for (const [index, { period }] of times.entries()) {
          expect(period.from).toBeLessThan(period.to);
          expect(period.from).toBeGreaterThanOrEqual(times[index - 1]?.period.to ?? 0);
        }
      }),
    );
  });

  it('somebody works exactly when a schedule says so and no absence does not', () => {
    const isIn = (moment: number, periods: readonly Period[]) =>
      periods.some(({ from, to }) => from <= moment && moment < to);
    fc.assert(
      fc.property(zone, day, plan, absences, fc.integer({ min: 0, max: 1500 }), (at, date, hours, away, minute) => {
        const absent = awayOn(date, at, away);
        const moment = momentOf(date, '00:00', at) + minute * MINUTE;
        const planned = workingTimes(onDay(date, hours), none, [date], at).map(({ period }) => period);
        const worked = workingTimes(onDay(date, hours), () => absent, [date], at).map(({ period }) => period);
        expect(isIn(moment, worked)).toBe(isIn(moment, planned) && !isIn(moment, absent));
      }),
    );
  });

  it('the clock on the wall shows the times of the schedule, where it shows them at all', () => {
    fc.assert(
      fc.property(zone, day, plan, (at, date, hours) => {
        for (const { schedule, period } of workingTimes(onDay(date, hours), none, [date], at)) {
          const [start, end] = [inZone(period.from, at), inZone(period.to, at)];
          // A skipped time becomes a later one of the same day.
          expect(start.slice(0, 16) >= `${date}T${schedule.startTime}`).toBe(true);
          if (schedule.endTime !== '24:00') expect(end.slice(0, 16) >= `${date}T${schedule.endTime}`).toBe(true);
        }
      }),
    );
  });

  it('without a change of clocks, they last as long as the schedule says', () => {
    fc.assert(
      fc.property(fc.constantFrom('Asia/Jakarta', 'UTC'), day, plan, (at, date, hours) => {
        const worked = workingTimes(onDay(date, hours), none, [date], at);
        const sum = worked.reduce((total, { period }) => total + period.to - period.from, 0);
        const first = hours[0]?.[0] ?? '';
        const last = hours.at(-1)?.[1] ?? '';
        expect(sum).toBe(momentOf(date, last, at) - momentOf(date, first, at));
      }),
    );
  });
});
