/** Slots of a working time, for visits of some length. */
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { ScheduledTime } from '../schedules/schedules.ts';
import { inZone, momentOf, weekdayOf, workingTimes } from '../schedules/times.ts';
import { slotsIn } from './slots.ts';

const MINUTE = 60_000;
const always = { validFrom: '2026-01-01', validTo: null };

/** The working times of a day. @param away from when to when the doctor is absent, by the clock */
function timesOn(
  day: string,
  zone: string,
  hours: readonly [string, string, number],
  away?: readonly [string, string],
) {
  const [startTime, endTime, slotMinutes] = hours;
  const schedule = { ...always, weekday: weekdayOf(day), startTime, endTime, slotMinutes, of: {} };
  const absences = away ? [{ from: momentOf(day, away[0], zone), to: momentOf(day, away[1], zone) }] : [];
  return workingTimes([schedule], () => absences, [day], zone) as readonly object[] as readonly ScheduledTime[];
}

const slots = (times: readonly ScheduledTime[], zone: string, minutes?: number) =>
  times
    .flatMap((time) => slotsIn(time, minutes))
    .map(({ from, to }) => `${inZone(from, zone).slice(11, 16)} ${inZone(to, zone).slice(11, 16)}`);

describe('slots of a visit', () => {
  it('begin where those of the schedule do, and fit before its end', () => {
    const morning = timesOn('2026-11-24', 'Asia/Jakarta', ['09:00', '10:00', 20]);
    expect(slots(morning, 'Asia/Jakarta')).toEqual(['09:00 09:20', '09:20 09:40', '09:40 10:00']);
    expect(slots(morning, 'Asia/Jakarta', 35)).toEqual(['09:00 09:35', '09:20 09:55']);
    expect(slots(morning, 'Asia/Jakarta', 10)).toEqual(['09:00 09:10', '09:20 09:30', '09:40 09:50']);
    expect(slots(morning, 'Asia/Jakarta', 65)).toEqual([]);
  });

  it('fit before an absence and after it, and move for none', () => {
    const times = timesOn('2026-11-24', 'Asia/Jakarta', ['09:00', '11:00', 20], ['09:50', '10:10']);
    expect(slots(times, 'Asia/Jakarta', 30)).toEqual(['09:00 09:30', '09:20 09:50', '10:20 10:50']);
  });

  it('take as long as the time that passes, when clocks change', () => {
    // From 01:00 to 02:00, and from 02:00 back to 01:00.
    const spring = timesOn('2026-03-29', 'Europe/Dublin', ['00:00', '03:00', 30]);
    expect(slots(spring, 'Europe/Dublin', 90)).toEqual(['00:00 02:30', '00:30 03:00']);
    const autumn = timesOn('2026-10-25', 'Europe/Dublin', ['00:00', '02:00', 60]);
    expect(slots(autumn, 'Europe/Dublin', 90)).toEqual(['00:00 01:30', '01:00 01:30']);
    // By half an hour, from 02:00 to 02:30.
    const half = timesOn('2026-10-04', 'Australia/Lord_Howe', ['01:00', '04:00', 30]);
    expect(slots(half, 'Australia/Lord_Howe', 60)).toEqual([
      '01:00 02:30',
      '01:30 03:00',
      '02:30 03:30',
      '03:00 04:00',
    ]);
  });

  it('have their length and are within the hours, in every zone on every day', () => {
    const zone = fc.constantFrom('Europe/Dublin', 'Australia/Lord_Howe', 'Asia/Kolkata', 'Africa/Cairo', 'Asia/Beirut');
    const day = fc.integer({ min: 0, max: 364 }).map((days) => new Date(Date.UTC(2026, 0, 1 + days)));
    const minutes = fc.integer({ min: 5, max: 480 });
    fc.assert(
      fc.property(zone, day, minutes, minutes, (at, date, grid, length) => {
        const on = date.toISOString().slice(0, 10);
        const [time] = timesOn(on, at, ['00:00', '24:00', grid]);
        const found = time ? slotsIn(time, length) : [];
        const [begin, end] = [momentOf(on, '00:00', at), momentOf(on, '24:00', at)];
        for (const { from, to } of found) {
          expect(to - from).toBe(length * MINUTE);
          expect((from - begin) % (grid * MINUTE)).toBe(0);
          expect(from >= begin && to <= end).toBe(true);
        }
        expect(found).toHaveLength(Math.floor((end - begin - length * MINUTE) / (grid * MINUTE)) + 1);
      }),
    );
  });
});
