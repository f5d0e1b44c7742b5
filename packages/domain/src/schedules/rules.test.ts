import { describe, expect, it } from '@jest/globals';
import { firstDayOf, type Plan, problemsOf } from './rules.ts';

/** 2026-11-24 is a Tuesday. */
const plan: Plan = {
  ...{ weekday: 2, startTime: '08:00', endTime: '12:00', slotMinutes: 15 },
  ...{ validFrom: '2026-11-24', validTo: null },
};
const today = { field: 'validFrom', day: '2026-11-24' };
const wrong = (changes: Partial<Plan>) => problemsOf({ ...plan, ...changes }, today).map(({ field }) => field);

describe('hours of a schedule', () => {
  it('are right', () => {
    expect(wrong({})).toEqual([]);
    expect(wrong({ startTime: '00:00', endTime: '24:00', validTo: '2026-11-24' })).toEqual([]);
    expect(wrong({ slotMinutes: 240 })).toEqual([]);
  });

  it.each<[Partial<Plan>, string]>([
    [{ endTime: '08:00' }, 'endTime'],
    [{ startTime: '12:01' }, 'endTime'],
    [{ slotMinutes: 241 }, 'slotMinutes'],
    [{ validFrom: '2026-11-23' }, 'validFrom'],
    [{ validTo: '2026-11-23' }, 'validTo'],
    [{ weekday: 1, validTo: '2026-11-29' }, 'validTo'],
  ])('%o are not, because of %s', (changes, field) => {
    expect(wrong(changes)).toEqual([field]);
  });

  it('name all that is wrong, and the field of the client', () => {
    const changed = { ...plan, endTime: '07:00', validFrom: '2026-11-01', validTo: '2026-11-02' };
    const fields = problemsOf(changed, { field: 'from', day: '2026-11-24' }).map(({ field }) => field);
    expect(fields).toEqual(['endTime', 'from', 'validTo']);
  });
});

it.each([
  [1, '2026-11-30'],
  [2, '2026-11-24'],
  [3, '2026-11-25'],
  [7, '2026-11-29'],
])('the first day for weekday %i is %s', (weekday, day) => {
  expect(firstDayOf({ validFrom: '2026-11-24', weekday })).toBe(day);
});
