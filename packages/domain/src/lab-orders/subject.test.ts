import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { momentOf, momentsOf } from '../schedules/times.ts';
import { ageInDays, subjectOf } from './subject.ts';

const RUNS = 300 * Number(process.env.FUZZ_TIMES ?? 1);
const HOUR = 3_600_000;

const ZONES = ['Europe/Dublin', 'Asia/Jakarta', 'America/New_York', 'Australia/Lord_Howe', 'Asia/Beirut'];
const two = (number: number) => String(number).padStart(2, '0');
const time = fc.tuple(fc.nat(23), fc.nat(59)).map(([hours, minutes]) => `${two(hours)}:${two(minutes)}`);
const birth = fc.record({
  zone: fc.constantFrom(...ZONES),
  day: fc.nat(1000).map((days) => new Date(Date.UTC(2025, 0, 1 + days)).toISOString().slice(0, 10)),
  time,
});
const born = (day: string, timeOfBirth: string | null) => ({
  ...{ gender: 'female' as const, dateOfBirth: `${day}T00:00:00.000Z`, timeOfBirth },
});
const at = (moment: number) => new Date(moment).toISOString();

describe('the age in days', () => {
  it.each([
    ['2026-03-01', '2026-03-01', 0],
    ['2024-02-28', '2024-03-01', 2],
    ['2023-02-28', '2023-03-01', 1],
    ['1990-05-17', '2026-05-17', 13_149],
    // Collected before midnight of the day of birth, by another clock.
    ['2026-03-02', '2026-03-01', 0],
  ])('from %s to %s is %d', (birth, on, days) => {
    expect(ageInDays(birth, on)).toBe(days);
  });
});

describe('the age of a newborn', () => {
  it('is the hours that have passed, whatever the clock on the wall did meanwhile', () => {
    fc.assert(
      fc.property(birth, fc.nat(671), fc.nat(59), ({ zone, day, time: clock }, hours, minutes) => {
        const [first, last] = momentsOf(day, clock, zone);
        const { ages, ageHours } = subjectOf(born(day, clock), at(first + hours * HOUR + minutes * 60_000), zone);
        const least = Math.max(0, Math.floor(hours + minutes / 60 - (last - first) / HOUR));
        expect({ ages, ageHours }).toEqual({
          ...{ ages: { days: { from: least, to: hours + 1 }, hours: { from: least, to: hours + 1 } }, ageHours: least },
        });
      }),
      { numRuns: RUNS },
    );
  });

  it('without a time of birth is the day, and each hour that it may be', () => {
    fc.assert(
      fc.property(birth, fc.integer({ min: 1, max: 60_000 }), ({ zone, day, time: clock }, minutes) => {
        const collected = momentOf(day, '24:00', zone) + minutes * 60_000;
        const { ages, ageDays, ageHours } = subjectOf(born(day, null), at(collected), zone);
        expect(ageHours).toBeNull();
        expect(ages?.days).toEqual({ from: 24 * (ageDays ?? 0), to: 24 * (ageDays ?? 0) + 24 });
        const hours = ages?.hours ?? { from: 0, to: 0 };
        for (const moment of momentsOf(day, clock, zone)) {
          const passed = (collected - moment) / HOUR;
          expect(hours.from <= passed && passed < hours.to).toBe(true);
        }
        expect(hours.from <= (ages?.days.from ?? 0) && (ages?.days.to ?? 0) <= hours.to).toBe(true);
      }),
      { numRuns: RUNS },
    );
  });

  it('counts in days again after 28 times 24 hours', () => {
    const age = (collectedAt: string) => subjectOf(born('2026-06-01', '10:00'), collectedAt, 'Asia/Jakarta');
    expect(age('2026-06-29T02:59:59Z')).toMatchObject({ ageHours: 671, ages: { days: { from: 671, to: 672 } } });
    expect(age('2026-06-29T03:00:00Z')).toMatchObject({ ageHours: null, ages: { days: { from: 672, to: 696 } } });
  });

  it('may be either of two hours, if the clock showed the time of birth twice', () => {
    // On 25 October 2026, it is half past one in Dublin at 00:30 and at 01:30 UTC.
    const { ages } = subjectOf(born('2026-10-25', '01:30'), '2026-10-25T06:45:00Z', 'Europe/Dublin');
    expect(ages?.hours).toEqual({ from: 5, to: 7 });
  });
});
