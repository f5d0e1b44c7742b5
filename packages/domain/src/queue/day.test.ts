import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { endOfDay, serviceDay } from './day.ts';
import { turnAfterSkip, turnOf } from './order.ts';

const ZONES = [
  'UTC',
  'Europe/Dublin',
  'America/New_York',
  'Asia/Kolkata',
  'Asia/Kathmandu',
  'Australia/Lord_Howe',
  // Clocks change at midnight.
  'America/Santiago',
  'Asia/Beirut',
  // Skipped 30 December 2011.
  'Pacific/Apia',
  'Pacific/Kiritimati',
  'America/St_Johns',
];

it.each([
  ['2026-11-25T04:59:00Z', 'UTC', '05:00', '2026-11-24'],
  ['2026-11-25T05:00:00Z', 'UTC', '05:00', '2026-11-25'],
  ['2026-11-25T17:00:00Z', 'Asia/Jakarta', '00:00', '2026-11-26'],
  ['2011-12-30T10:00:00Z', 'Pacific/Apia', '00:00', '2011-12-31'],
  // The clock shows 02:30 twice.
  ['2026-10-25T00:45:00Z', 'Europe/Berlin', '02:30', '2026-10-25'],
  ['2026-10-25T01:15:00Z', 'Europe/Berlin', '02:30', '2026-10-25'],
])('at %s in %s, with days that begin at %s, it is %s', (moment, zone, begin, day) => {
  expect(serviceDay(new Date(moment), zone, begin)).toBe(day);
});

describe('days of service, in any zone and at any time', () => {
  const moments = fc.date({ min: new Date('2005-01-01'), max: new Date('2035-01-01'), noInvalidDate: true });
  const begins = fc
    .tuple(fc.integer({ min: 0, max: 23 }), fc.integer({ min: 0, max: 59 }))
    .map((parts) => parts.map((part) => String(part).padStart(2, '0')).join(':'));

  it('end after each of their moments, and within 26 hours', () => {
    fc.assert(
      fc.property(moments, fc.constantFrom(...ZONES), begins, (moment, zone, begin) => {
        const end = endOfDay(serviceDay(moment, zone, begin), zone, begin).getTime();
        // A day that a zone skipped lasts no time at all.
        expect(end).toBeGreaterThan(moment.getTime() - 86_400_000);
        expect(end - moment.getTime()).toBeLessThanOrEqual(26 * 3_600_000);
      }),
      { numRuns: 2_000 },
    );
  });

  it('never go back as time goes on', () => {
    fc.assert(
      fc.property(
        moments,
        fc.constantFrom(...ZONES),
        begins,
        fc.integer({ min: 1, max: 3_000 }),
        (moment, zone, begin, minutes) => {
          const later = new Date(moment.getTime() + minutes * 60_000);
          expect(serviceDay(later, zone, begin) >= serviceDay(moment, zone, begin)).toBe(true);
        },
      ),
      { numRuns: 2_000 },
    );
  });
});

describe('the order', () => {
  it('counts a level of priority as 20 minutes', () => {
    expect(turnOf('2026-11-25T10:00:00.000Z', 2)).toBe('2026-11-25T09:20:00.000Z');
  });

  it.each([
    ['b', [], 'b'],
    ['2026-11-25T09:00:00.000Z', ['2026-11-25T09:05:00.000Z', '2026-11-25T09:10:00.000Z'], '2026-11-25T09:10:00.001Z'],
    ['2026-11-25T09:20:00.000Z', ['2026-11-25T09:05:00.000Z'], '2026-11-25T09:20:00.001Z'],
  ])('of %s, skipped before %j, is %s', (own, turns, turn) => {
    expect(turnAfterSkip(own, turns)).toBe(turn);
  });
});
