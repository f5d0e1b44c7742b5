/**
 * The slots of days on which clocks change, in every zone of the IANA database that changes them in 2026. They are compared
 * with the clock itself: what `Intl` shows every five minutes.
 */
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { Temporal } from 'temporal-polyfill';
import type { Schedule } from '../schedules/record.ts';
import { inZone, momentOf } from '../schedules/times.ts';
import { slotsIn } from './slots.ts';

const MINUTE = 60_000;
const STEP = 5 * MINUTE;
const DAY = 86_400_000;
const [FIRST, LAST] = [Date.UTC(2026, 0, 1), Date.UTC(2027, 0, 1)];

interface Change {
  readonly zone: string;
  /** Of the clock, before or after it changes. */
  readonly day: string;
}

/** The day of each change, and those beside it. */
const changes: readonly Change[] = Intl.supportedValuesOf('timeZone').flatMap((zone) =>
  transitionsIn(zone).flatMap((at) =>
    [-DAY, 0, DAY].map((away) => ({ zone, day: inZone(at + away, zone).slice(0, 10) })),
  ),
);

function transitionsIn(zone: string): readonly number[] {
  const found: number[] = [];
  let at = Temporal.Instant.fromEpochMilliseconds(FIRST).toZonedDateTimeISO(zone);
  for (;;) {
    const next = at.getTimeZoneTransition('next');
    if (!next || next.epochMilliseconds >= LAST) return found;
    found.push(next.epochMilliseconds);
    at = next;
  }
}

const clocks = new Map<string, readonly { readonly at: number; readonly wall: string }[]>();

/** What the clock shows around a day, every five minutes, in the order of the moments. */
function clockAround({ zone, day }: Change): readonly { readonly at: number; readonly wall: string }[] {
  const key = `${zone} ${day}`;
  const known = clocks.get(key);
  if (known) return known;
  const format = new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short', timeStyle: 'short' });
  const noon = Date.parse(`${day}T12:00Z`);
  const moments = Array.from({ length: (4 * DAY) / STEP }, (_, index) => noon - 2 * DAY + index * STEP);
  const shown = moments.map((at) => ({ at, wall: format.format(at).replace(' ', 'T') }));
  clocks.set(key, shown);
  return shown;
}

/** The first moment at which the clock shows a time, or a later one if it skips it. */
function firstMoment(change: Change, minutes: number): number {
  const { day } = change;
  const wall =
    minutes === 1440 ? `${Temporal.PlainDate.from(day).add({ days: 1 })}T00:00` : `${day}T${timeOf(minutes)}`;
  return clockAround(change).find((one) => one.wall >= wall)?.at ?? Number.NaN;
}

function timeOf(minutes: number): string {
  return `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`;
}

const isOnDay = { validFrom: '2026-01-01', validTo: null, weekday: 1 } as const;

function slotsOf({ zone, day }: Change, start: number, end: number, slotMinutes: number, minutes?: number) {
  const of = { id: 's', doctorId: 'd', clinicId: 'c', roomId: null, capacity: 1 } as unknown as Schedule;
  const plan = { ...isOnDay, startTime: timeOf(start), endTime: end === 1440 ? '24:00' : timeOf(end), slotMinutes, of };
  const whole = { from: momentOf(day, plan.startTime, zone), to: momentOf(day, plan.endTime, zone) };
  return slotsIn({ schedule: plan, day, whole, period: whole }, minutes);
}

const hours = fc
  .tuple(fc.integer({ min: 0, max: 287 }), fc.integer({ min: 1, max: 288 }))
  .filter(([start, end]) => start < end)
  .map(([start, end]) => [start * 5, end * 5] as const);
const lengths = fc.constantFrom(5, 10, 15, 20, 25, 30, 45, 50, 60, 90);
const runs = { numRuns: 800 };

describe('the slots of a day on which clocks change', () => {
  it('are of all zones that change them', () => {
    expect(new Set(changes.map(({ zone }) => zone)).size).toBeGreaterThan(100);
    for (const zone of ['Africa/Cairo', 'America/Santiago', 'Antarctica/Troll', 'Asia/Beirut', 'Australia/Lord_Howe'])
      expect(changes.some((change) => change.zone === zone)).toBe(true);
  });

  it('fill the hours from the first moment that the clock shows, as minutes pass', () => {
    fc.assert(
      fc.property(fc.constantFrom(...changes), hours, lengths, (change, [start, end], length) => {
        const [begin, over] = [firstMoment(change, start), firstMoment(change, end)];
        const expected: number[] = [];
        for (let at = begin; at + length * MINUTE <= over; at += length * MINUTE) expected.push(at);
        const slots = slotsOf(change, start, end, length);
        expect(slots.map(({ from }) => from)).toEqual(expected);
        for (const { from, to } of slots) expect(to - from).toBe(length * MINUTE);
      }),
      runs,
    );
  });

  it('have the time that the clock shows, and belong to the day on which their schedule is', () => {
    fc.assert(
      fc.property(fc.constantFrom(...changes), lengths, (change, length) => {
        const walls = new Map(clockAround(change).map(({ at, wall }) => [at, wall]));
        for (const { from } of slotsOf(change, 0, 1440, length)) {
          const text = inZone(from, change.zone);
          expect([text.slice(0, 16), Date.parse(text)]).toEqual([walls.get(from), from]);
          expect(text.slice(0, 10)).toBe(change.day);
        }
      }),
      runs,
    );
  });

  it('of a longer visit begin at the same times, and end within the hours', () => {
    fc.assert(
      fc.property(fc.constantFrom(...changes), hours, lengths, lengths, (change, [start, end], length, minutes) => {
        const over = firstMoment(change, end);
        const usual = slotsOf(change, start, end, length).map(({ from }) => from);
        const longer = slotsOf(change, start, end, length, minutes);
        for (const { from, to } of longer) {
          expect(to - from).toBe(minutes * MINUTE);
          expect(to).toBeLessThanOrEqual(over);
        }
        if (minutes >= length)
          expect(longer.map(({ from }) => from)).toEqual(usual.filter((from) => from + minutes * MINUTE <= over));
      }),
      runs,
    );
  });
});
