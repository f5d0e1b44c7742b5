import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { ageInDays, overlapOf, type Range, rangeFor, rangeName, rangeProblem } from './ranges.ts';

const RUNS = 500 * Number(process.env.FUZZ_TIMES ?? 1);

const range = (changes: Partial<Range>): Range => {
  const none = { low: null, high: '10', criticalLow: null, criticalHigh: null };
  return { sex: 'any', fromDays: 0, toDays: null, ...none, ...changes };
};
const sexes = fc.constantFrom('any', 'female', 'male');
const ages = fc.tuple(fc.nat(40), fc.option(fc.integer({ min: 1, max: 20 }), { nil: null }));
const anyRange = fc.tuple(sexes, ages).map(([sex, [fromDays, length]]) => {
  return range({ sex: sex as Range['sex'], fromDays, toDays: length === null ? null : fromDays + length });
});
const everybody = (['female', 'male', undefined] as const).flatMap((sex) =>
  Array.from({ length: 70 }, (_, ageDays) => ({ sex, ageDays })),
);
it('of somebody whose age is unknown are those for any age', () => {
  const ageDays = undefined;
  const all = range({ sex: 'female', high: 'women' });
  expect(rangeFor([all, range({ sex: 'male', toDays: 28 })], { sex: 'female', ageDays })).toBe(all);
  expect(rangeFor([range({ fromDays: 28 })], { sex: 'female', ageDays })).toBeUndefined();
  expect(rangeFor([range({ toDays: 50_000 })], { sex: 'female', ageDays })).toBeUndefined();
});

const fits = (one: Range, sex: string | undefined, age: number) =>
  rangeFor([one], { sex: sex as 'male', ageDays: age });

describe('ranges', () => {
  it('overlap exactly when somebody is in both', () => {
    fc.assert(
      fc.property(anyRange, anyRange, (one, other) => {
        const shared = everybody.some(({ sex, ageDays }) => fits(one, sex, ageDays) && fits(other, sex, ageDays));
        expect(overlapOf([one, other]) !== undefined).toBe(shared);
      }),
      { numRuns: RUNS },
    );
  });

  it('that do not overlap leave one choice, in any order', () => {
    fc.assert(
      fc.property(fc.array(anyRange, { maxLength: 6 }), fc.nat(69), (ranges, ageDays) => {
        fc.pre(overlapOf(ranges) === undefined);
        for (const sex of ['female', 'male', undefined] as const) {
          const subject = { sex, ageDays };
          expect(rangeFor(ranges, subject)).toEqual(rangeFor(ranges.toReversed(), subject));
        }
      }),
      { numRuns: RUNS },
    );
  });

  it.each([
    ['newborn girl', 'female', 0, '0-28 any'],
    ['girl of 27 days', 'female', 27, '0-28 any'],
    ['girl of 28 days', 'female', 28, '28- female'],
    ['man', 'male', 12_000, '28- male'],
    ['person of no recorded sex', undefined, 12_000, undefined],
    ['woman of unknown age', 'female', undefined, undefined],
    ['newborn of no recorded sex', undefined, 3, '0-28 any'],
  ] as const)('of a %s', (_, sex, ageDays, expected) => {
    const catalogue = [
      range({ fromDays: 0, toDays: 28, high: '0-28 any' }),
      range({ sex: 'female', fromDays: 28, high: '28- female' }),
      range({ sex: 'male', fromDays: 28, high: '28- male' }),
    ];
    expect(rangeFor(catalogue, { sex, ageDays })?.high).toBe(expected);
  });

  it('for any sex overlap those for each sex, and touch without overlapping', () => {
    const any = range({ fromDays: 0, toDays: 365 });
    const female = range({ sex: 'female', fromDays: 364 });
    expect(overlapOf([any, female])?.map(rangeName)).toEqual(['any sex, from 0 to 365 days', 'female, from 364 days']);
    expect(overlapOf([any, range({ sex: 'female', fromDays: 365 })])).toBeUndefined();
    expect(overlapOf([range({ sex: 'male' }), range({ sex: 'female' })])).toBeUndefined();
  });

  it.each([
    [{ fromDays: 5, toDays: 5 }, 'toDays', 'larger than fromDays'],
    [{ high: null }, 'low', 'one of high'],
    [{ low: '10.0', high: '10' }, 'high', 'above low'],
    [{ low: '1', criticalLow: '1.01' }, 'low', 'above criticalLow'],
    [{ high: '9', criticalHigh: '8.999999' }, 'criticalHigh', 'above high'],
    [{ high: null, criticalLow: '5', criticalHigh: '4' }, 'criticalHigh', 'above criticalLow'],
  ])('%j is refused, and the field %s named', (changes, field, message) => {
    expect(rangeProblem(range(changes))).toEqual({ field, message: expect.stringContaining(message) });
  });

  it('may have a critical limit that is the limit itself', () => {
    expect(rangeProblem(range({ low: '3.50', criticalLow: '3.5', high: '5', criticalHigh: '5.0' }))).toBeUndefined();
  });
});

describe('age in days', () => {
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
