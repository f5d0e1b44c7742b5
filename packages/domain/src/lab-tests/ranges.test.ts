import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { overlapOf, type Range, rangeFor, rangeName, rangeProblem } from './ranges.ts';

const RUNS = 500 * Number(process.env.FUZZ_TIMES ?? 1);

const range = (changes: Partial<Range>): Range => {
  const none = { low: null, high: '10', criticalLow: null, criticalHigh: null };
  return { sex: 'any', ageUnit: 'days', fromAge: 0, toAge: null, ...none, ...changes };
};
const sexes = fc.constantFrom('any', 'female', 'male');
const daysOfAge = fc.tuple(fc.nat(20), fc.option(fc.integer({ min: 1, max: 10 }), { nil: null }));
const hoursOfAge = fc.tuple(fc.nat(500), fc.integer({ min: 1, max: 172 }));
const anyRange = fc
  .tuple(
    sexes,
    fc.oneof(
      daysOfAge.map(([fromAge, length]) => ({
        ...{ ageUnit: 'days' as const, fromAge, toAge: length === null ? null : fromAge + length },
      })),
      hoursOfAge.map(([fromAge, length]) => ({ ageUnit: 'hours' as const, fromAge, toAge: fromAge + length })),
    ),
  )
  .map(([sex, ages]) => range({ sex: sex as Range['sex'], ...ages }));

/** Somebody whose hours count. */
const hour = (from: number) => ({ days: { from, to: from + 1 }, hours: { from, to: from + 1 } });
/** Somebody whose days count. @param early and @param late hours of age that are possible beside that day. */
const day = (age: number, early = 0, late = 0) => {
  const days = { from: 24 * age, to: 24 * age + 24 };
  return { days, hours: { from: Math.max(0, days.from - early), to: days.to + late } };
};
const anyAge = fc.oneof(
  fc.nat(720).map(hour),
  fc.tuple(fc.nat(30), fc.nat(25), fc.nat(2)).map((parts) => day(...parts)),
  fc.constant(undefined),
);
const SEXES = ['female', 'male', undefined] as const;
const EVERY_HOUR = SEXES.flatMap((sex) => Array.from({ length: 721 }, (_, from) => ({ sex, ages: hour(from) })));

describe('ranges', () => {
  it('overlap exactly when somebody is in both', () => {
    fc.assert(
      fc.property(anyRange, anyRange, (one, other) => {
        const shared = EVERY_HOUR.some((subject) => rangeFor([one], subject) && rangeFor([other], subject));
        expect(overlapOf([one, other]) !== undefined).toBe(shared);
      }),
      { numRuns: RUNS },
    );
  });

  it('that do not overlap leave one choice, in any order', () => {
    fc.assert(
      fc.property(fc.array(anyRange, { maxLength: 6 }), anyAge, (ranges, ages) => {
        fc.pre(overlapOf(ranges) === undefined);
        for (const sex of SEXES) {
          const subject = { sex, ages };
          expect(ranges.filter((one) => rangeFor([one], subject)).length).toBeLessThan(2);
          expect(rangeFor(ranges, subject)).toEqual(rangeFor(ranges.toReversed(), subject));
        }
      }),
      { numRuns: RUNS },
    );
  });

  it('count only for somebody who is in them at every age that is possible', () => {
    fc.assert(
      fc.property(anyRange, anyAge, (one, ages) => {
        fc.pre(ages !== undefined);
        const { from, to } = ages[one.ageUnit];
        const all = Array.from({ length: to - from }, (_, index) => hour(from + index));
        const inAll = all.every((each) => rangeFor([{ ...one, sex: 'any' }], { sex: undefined, ages: each }));
        expect(rangeFor([{ ...one, sex: 'any' }], { sex: undefined, ages }) !== undefined).toBe(inAll);
      }),
      { numRuns: RUNS },
    );
  });

  it('of somebody whose age is unknown are those for any age', () => {
    const unknown = { sex: 'female', ages: undefined } as const;
    const all = range({ sex: 'female', high: 'women' });
    expect(rangeFor([all, range({ sex: 'male', toAge: 28 })], unknown)).toBe(all);
    expect(rangeFor([range({ fromAge: 28 })], unknown)).toBeUndefined();
    expect(rangeFor([range({ toAge: 50_000 })], unknown)).toBeUndefined();
    expect(rangeFor([range({ ageUnit: 'hours', toAge: 672 })], unknown)).toBeUndefined();
  });

  it.each([
    ['newborn girl', 'female', 0, '0-28 any'],
    ['girl of 27 days', 'female', 27, '0-28 any'],
    ['girl of 28 days', 'female', 28, '28- female'],
    ['man', 'male', 12_000, '28- male'],
    ['person of no recorded sex', undefined, 12_000, undefined],
    ['woman of unknown age', 'female', undefined, undefined],
    ['newborn of no recorded sex', undefined, 3, '0-28 any'],
  ] as const)('of a %s', (_, sex, age, expected) => {
    const catalogue = [
      range({ fromAge: 0, toAge: 28, high: '0-28 any' }),
      range({ sex: 'female', fromAge: 28, high: '28- female' }),
      range({ sex: 'male', fromAge: 28, high: '28- male' }),
    ];
    const ages = age === undefined ? undefined : day(age);
    expect(rangeFor(catalogue, { sex, ages })?.high).toBe(expected);
  });

  it('for any sex overlap those for each sex, and touch without overlapping', () => {
    const any = range({ fromAge: 0, toAge: 365 });
    const female = range({ sex: 'female', fromAge: 364 });
    expect(overlapOf([any, female])?.map(rangeName)).toEqual(['any sex, from 0 to 365 days', 'female, from 364 days']);
    expect(overlapOf([any, range({ sex: 'female', fromAge: 365 })])).toBeUndefined();
    expect(overlapOf([range({ sex: 'male' }), range({ sex: 'female' })])).toBeUndefined();
  });

  it('in hours overlap those in days, and touch without overlapping', () => {
    const newborn = range({ ageUnit: 'hours', toAge: 48 });
    expect(overlapOf([newborn, range({ fromAge: 1 })])?.map(rangeName)).toEqual([
      'any sex, from 0 to 48 hours',
      'any sex, from 1 days',
    ]);
    expect(overlapOf([newborn, range({ fromAge: 2 })])).toBeUndefined();
  });

  it.each([
    [{ fromAge: 5, toAge: 5 }, 'toAge', 'larger than fromAge'],
    [{ ageUnit: 'hours', fromAge: 5, toAge: 5 }, 'toAge', 'larger than fromAge'],
    [{ ageUnit: 'hours' }, 'toAge', 'at most 672 in a range in hours, which is 28 days: use days'],
    [{ ageUnit: 'hours', toAge: 673 }, 'toAge', 'at most 672'],
    [{ high: null }, 'low', 'one of high'],
    [{ low: '10.0', high: '10' }, 'high', 'above low'],
    [{ low: '1', criticalLow: '1.01' }, 'low', 'above criticalLow'],
    [{ high: '9', criticalHigh: '8.999999' }, 'criticalHigh', 'above high'],
    [{ high: null, criticalLow: '5', criticalHigh: '4' }, 'criticalHigh', 'above criticalLow'],
  ] as const)('%j is refused, and the field %s named', (changes, field, message) => {
    expect(rangeProblem(range(changes))).toEqual({ field, message: expect.stringContaining(message) });
  });

  it('in hours may last 28 days', () => {
    expect(rangeProblem(range({ ageUnit: 'hours', toAge: 672 }))).toBeUndefined();
  });

  it('may have a critical limit that is the limit itself', () => {
    expect(rangeProblem(range({ low: '3.50', criticalLow: '3.5', high: '5', criticalHigh: '5.0' }))).toBeUndefined();
  });
});
