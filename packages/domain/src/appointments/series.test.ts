/** Times of a series, over changes of clocks. */
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { addDays } from '../schedules/rules.ts';
import { inZone, momentOf } from '../schedules/times.ts';
import { timesOf } from './series.ts';

describe('the times of a series', () => {
  it('are the same on the clock before and after it changes', () => {
    expect(timesOf('2026-10-19T08:00:00Z', 1, 3, 'Europe/Dublin')).toEqual([
      '2026-10-19T08:00:00Z',
      '2026-10-26T09:00:00+00:00',
      '2026-11-02T09:00:00+00:00',
    ]);
  });

  it('are some weeks apart in every zone, unless the clock skips one', () => {
    const zone = fc.constantFrom(
      'Europe/Dublin',
      'Australia/Lord_Howe',
      'Asia/Beirut',
      'America/Santiago',
      'Asia/Kolkata',
    );
    const day = fc.integer({ min: 0, max: 20_000 }).map((days) => addDays('1990-01-01', days));
    const minutes = fc.integer({ min: 0, max: 1439 });
    fc.assert(
      fc.property(zone, day, minutes, fc.integer({ min: 1, max: 52 }), (at, first, minute, weeks) => {
        const clock = `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`;
        const begin = inZone(momentOf(first, clock, at), at);
        const shown = begin.slice(11, 16);
        timesOf(begin, weeks, 5, at).forEach((time, index) => {
          const wanted = addDays(begin.slice(0, 10), 7 * weeks * index);
          expect(Date.parse(time)).toBe(momentOf(wanted, shown, at));
          expect(time.slice(0, 10)).toBe(wanted);
          expect(time.slice(11, 16) >= shown).toBe(true);
        });
      }),
    );
  });
});
