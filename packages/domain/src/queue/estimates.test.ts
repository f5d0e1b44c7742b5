import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { estimateWait, historyOf, type Past } from './estimates.ts';

const rule = { slotMinutes: 15, rooms: 1 };
const past = (of: Past['of'], group: number | null, pace: number, waits = 30): Past => {
  return { of, group, waits, p50: pace, p80: pace * 2 };
};

describe('without a history', () => {
  it.each([
    [0, 0, { p50: 15, p80: 23, basis: 'rule' }],
    [1, 1, { p50: 30, p80: 45, basis: 'rule' }],
    [3, 2, { p50: 30, p80: 45, basis: 'rule' }],
    [1_000, 1, { p50: 1_440, p80: 1_440, basis: 'rule' }],
  ])('%i people ahead, with %i rooms in use, take the minutes of an appointment each', (ahead, rooms, expected) => {
    expect(estimateWait(historyOf([]), { slotMinutes: 15, rooms }, ahead)).toEqual(expected);
  });

  it('a clinic is not told by 29 waits', () => {
    const few = historyOf([past('clinic', null, 5, 29), past('clinic', 0, 5, 29)]);
    expect(estimateWait(few, rule, 0).basis).toBe('rule');
  });
});

describe('the history', () => {
  const whole = past('clinic', null, 2);

  it.each<[string, readonly Past[], number]>([
    ['hour_of_week', [past('hour_of_week', 0, 10), past('hour_of_day', 0, 20), past('clinic', 0, 30)], 10],
    ['hour_of_day', [past('hour_of_week', 0, 10, 29), past('hour_of_day', 0, 20), past('clinic', 0, 30)], 20],
    ['clinic', [past('hour_of_week', 0, 10, 29), past('hour_of_day', 0, 20, 29), past('clinic', 0, 30)], 30],
    ['clinic', [past('hour_of_week', 0, 10, 29), past('hour_of_day', 0, 20, 29), past('clinic', 0, 30, 29)], 2],
  ])('is that of the %s, if what is more like this hour is too little', (basis, parts, p50) => {
    // Others have no say in those who are next.
    const others = [1, 2, 3, 4, 5].map((group) => past('clinic', group, 100));
    expect(estimateWait(historyOf([...parts, ...others, whole]), rule, 0)).toEqual({ p50, p80: 2 * p50, basis });
  });

  it('counts a pace for each person ahead, and for the person', () => {
    expect(estimateWait(historyOf([past('clinic', null, 4)]), rule, 6)).toEqual({ p50: 28, p80: 56, basis: 'clinic' });
  });

  it.each([
    [0.01, 1],
    [10_000, 1_440],
  ])('with a pace of %d min is told as %i min', (pace, p50) => {
    expect(estimateWait(historyOf([past('clinic', null, pace)]), rule, 0).p50).toBe(p50);
  });
});

describe('a correction', () => {
  const corrected = (p50: number, p80: number, waits = 100) => {
    const history = historyOf([past('clinic', null, 10), { of: 'estimates', group: null, waits, p50, p80 }]);
    return estimateWait(history, rule, 0);
  };

  it('shortens estimates after people were called earlier, and lengthens them after they were called later', () => {
    expect(corrected(0.8, 1.1)).toMatchObject({ p50: 6, p80: 24 });
  });

  it('doubles or halves at most', () => {
    expect(corrected(3, 3)).toMatchObject({ p50: 20, p80: 40 });
    expect(corrected(0.1, 0.1)).toMatchObject({ p50: 5, p80: 10 });
  });

  it('needs a hundred estimates', () => {
    expect(corrected(0.8, 1.1, 99)).toMatchObject({ p50: 10, p80: 20 });
  });

  it('leaves p80 at p50 or above', () => {
    expect(corrected(1.4, 0.5)).toMatchObject({ p50: 20, p80: 20 });
  });

  it('does not touch the rule', () => {
    const history = historyOf([{ of: 'estimates', group: null, waits: 100, p50: 2, p80: 2 }]);
    expect(estimateWait(history, rule, 0)).toEqual({ p50: 15, p80: 23, basis: 'rule' });
  });
});

it('whatever the history is, nobody is told less than those ahead, and p80 is at least p50', () => {
  const part = fc.record({
    of: fc.constantFrom<Past['of'][]>('hour_of_week', 'hour_of_day', 'clinic', 'estimates'),
    group: fc.option(fc.integer({ min: 0, max: 5 })),
    waits: fc.integer({ min: 0, max: 200 }),
    p50: fc.double({ min: 0, max: 60, noNaN: true }),
    p80: fc.double({ min: 0, max: 60, noNaN: true }),
  });
  const parts = fc.array(part, { maxLength: 25 });
  fc.assert(
    fc.property(parts, fc.integer({ min: 0, max: 9 }), (some, rooms) => {
      const history = historyOf([...some, past('clinic', null, 5)]);
      const told = Array.from({ length: 60 }, (_, ahead) => estimateWait(history, { slotMinutes: 15, rooms }, ahead));
      const isFine = told.every(({ p50, p80 }, ahead) => {
        const before = told[ahead - 1] ?? { p50: 1, p80: 1 };
        const areWhole = Number.isInteger(p50) && Number.isInteger(p80) && p80 <= 1_440;
        return areWhole && p50 <= p80 && p50 >= before.p50 && p80 >= before.p80;
      });
      expect({ isFine, told }).toMatchObject({ isFine: true });
    }),
    { numRuns: 500 },
  );
});
