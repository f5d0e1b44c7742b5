/**
 * Values of patients against ranges, worked out by hand: from who, when and what was typed to the value that is kept, the
 * flag and the range. All times are of Dublin, which is at UTC+1 in summer and at UTC in winter.
 */
import { describe, expect, it } from '@jest/globals';
import { type Range, rangeFor } from '../lab-tests/ranges.ts';
import { judge, readValue } from '../lab-tests/values.ts';
import { subjectOf } from './subject.ts';

const NUMERIC = { valueType: 'numeric', decimals: null, options: null } as const;
const ZONE = 'Europe/Dublin';

type Who = Parameters<typeof subjectOf>[0];
type Sex = Who['gender'];

/** `2026-06-14 10:00` is a birth with its time. */
const who = (gender: Sex, born: string | null): Who => {
  const [day, time = null] = born?.split(' ') ?? [];
  return { gender, dateOfBirth: day === undefined ? null : `${day}T00:00:00.000Z`, timeOfBirth: time };
};
const range = (name: string, whom: Partial<Range>, [criticalLow, low, high, criticalHigh]: Limits) => ({
  ...{ sex: 'any' as const, ageUnit: 'days' as const, fromAge: 0, toAge: null, ...whom },
  ...{ name, criticalLow, low, high, criticalHigh },
});
type Limit = string | null;
type Limits = readonly [criticalLow: Limit, low: Limit, high: Limit, criticalHigh: Limit];

const TESTS = {
  /** For everybody, with all four limits. */
  potassium: [range('all', {}, ['2.5', '3.5', '5.1', '6.5'])],
  /** By sex from 16 years on, which are 5844 days. No range for any sex from then on. */
  haemoglobin: [
    range('child', { toAge: 5844 }, ['7', '11', '15', '20']),
    range('woman', { sex: 'female', fromAge: 5844 }, ['7', '12', '15.5', '20']),
    range('man', { sex: 'male', fromAge: 5844 }, ['7', '13.5', '17.5', '20']),
  ],
  /** By age: 28 days, a year of 365 days, and 18 years, which are 6575 days. */
  phosphatase: [
    range('newborn', { toAge: 28 }, [null, '50', '300', null]),
    range('infant', { fromAge: 28, toAge: 365 }, [null, '80', '400', null]),
    range('minor', { fromAge: 365, toAge: 6575 }, [null, '70', '350', null]),
    range('adult', { fromAge: 6575 }, [null, '40', '130', null]),
  ],
  /** By the hour: until 6 hours, until 24 hours, until 2 days, and then in days. */
  bilirubin: [
    range('0–6 h', { ageUnit: 'hours', toAge: 6 }, [null, null, '70', '100']),
    range('6–24 h', { ageUnit: 'hours', fromAge: 6, toAge: 24 }, [null, null, '103', '137']),
    range('24–48 h', { ageUnit: 'hours', fromAge: 24, toAge: 48 }, [null, null, '171', '205']),
    range('2–28 d', { fromAge: 2, toAge: 28 }, [null, null, '205', '257']),
    range('28 d', { fromAge: 28 }, [null, null, '21', '250']),
  ],
  /** Whatever the sex is, by the hour. */
  glucose: [
    range('first day', { ageUnit: 'hours', toAge: 24 }, ['2.2', '2.6', '6.0', '22']),
    range('later', { fromAge: 1 }, ['2.8', '3.9', '5.6', '25']),
  ],
  /** One-sided. */
  hdl: [range('low only', {}, [null, '1.00', null, null])],
  crp: [range('high only', {}, [null, null, '5', null])],
  troponin: [range('critical only', {}, [null, null, null, '52'])],
  /** The critical limits are the limits. */
  ph: [range('same', {}, ['7.35', '7.35', '7.45', '7.45'])],
  /** Below zero. */
  baseExcess: [range('all', {}, ['-10', '-2.0', '2.0', '10'])],
} satisfies Readonly<Record<string, readonly (Range & { readonly name: string })[]>>;

const ADULT = who('female', '1990-05-17');
const NOON = '2026-06-14T12:00:00+01:00';

type Case = readonly [
  test: keyof typeof TESTS,
  who: Who,
  collectedAt: string,
  typed: string,
  kept: string,
  flag: string,
  isCritical: boolean,
  range: string | undefined,
];

/** A limit belongs to the range, also as `5.10` for 5.1. Only what is beyond a critical limit is critical. */
const LIMITS: readonly Case[] = [
  ['potassium', ADULT, NOON, '5.10', '5.10', 'N', false, 'all'],
  ['potassium', ADULT, NOON, '5.100001', '5.100001', 'H', false, 'all'],
  ['potassium', ADULT, NOON, '3.500', '3.500', 'N', false, 'all'],
  ['potassium', ADULT, NOON, ' 3.4999 ', '3.4999', 'L', false, 'all'],
  ['potassium', ADULT, NOON, '6.5', '6.5', 'H', false, 'all'],
  ['potassium', ADULT, NOON, '6.50001', '6.50001', 'HH', true, 'all'],
  ['potassium', ADULT, NOON, '2.50', '2.50', 'L', false, 'all'],
  ['potassium', ADULT, NOON, '2.49', '2.49', 'LL', true, 'all'],
  ['ph', ADULT, NOON, '7.35', '7.35', 'N', false, 'same'],
  ['ph', ADULT, NOON, '7.349', '7.349', 'LL', true, 'same'],
  ['ph', ADULT, NOON, '7.451', '7.451', 'HH', true, 'same'],
];

/**
 * `<2.5` is below 2.5 for sure, `<=2.5` may be 2.5 itself, which is only low. What may be normal or not is uncertain. What
 * may be beyond a critical limit is critical, whatever is certain: `<2.51` may be 1. Without a limit on that side, it is
 * not: `>1.00` of a test that has only a low limit, or `<22` of one whose critical limit is high.
 */
const COMPARATORS: readonly Case[] = [
  ['potassium', ADULT, NOON, '< 2.5', '<2.5', 'LL', true, 'all'],
  ['potassium', ADULT, NOON, '≤2.5', '<=2.5', 'L', true, 'all'],
  ['potassium', ADULT, NOON, '<3.5', '<3.5', 'L', true, 'all'],
  ['potassium', ADULT, NOON, '<=3.5', '<=3.5', 'uncertain', true, 'all'],
  ['potassium', ADULT, NOON, '>5.1', '>5.1', 'H', true, 'all'],
  ['potassium', ADULT, NOON, '>=5.1', '>=5.1', 'uncertain', true, 'all'],
  ['potassium', ADULT, NOON, '>6.50', '>6.50', 'HH', true, 'all'],
  ['potassium', ADULT, NOON, '≥6.5', '>=6.5', 'H', true, 'all'],
  ['potassium', ADULT, NOON, '>4', '>4', 'uncertain', true, 'all'],
  ['potassium', ADULT, NOON, '<2.51', '<2.51', 'L', true, 'all'],
  ['potassium', ADULT, NOON, '>5.2', '>5.2', 'H', true, 'all'],
  ['potassium', ADULT, NOON, '٤٫٥', '4.5', 'N', false, 'all'],
  ['bilirubin', ADULT, NOON, '<22', '<22', 'uncertain', false, '28 d'],
  ['bilirubin', ADULT, NOON, '<21', '<21', 'N', false, '28 d'],
  ['bilirubin', ADULT, NOON, '>30', '>30', 'H', true, '28 d'],
  ['phosphatase', ADULT, NOON, '>130', '>130', 'H', false, 'adult'],
  ['baseExcess', ADULT, NOON, '<-2', '<-2', 'L', true, 'all'],
];

/** Nothing is too high for a range without a high limit, and nothing too low for one without a low limit. */
const ONE_SIDED: readonly Case[] = [
  ['hdl', ADULT, NOON, '0.99', '0.99', 'L', false, 'low only'],
  ['hdl', ADULT, NOON, '999', '999', 'N', false, 'low only'],
  ['hdl', ADULT, NOON, '>1', '>1', 'N', false, 'low only'],
  ['crp', ADULT, NOON, '0', '0', 'N', false, 'high only'],
  ['crp', ADULT, NOON, '<5', '<5', 'N', false, 'high only'],
  ['crp', ADULT, NOON, '5.0001', '5.0001', 'H', false, 'high only'],
  ['troponin', ADULT, NOON, '52', '52', 'N', false, 'critical only'],
  ['troponin', ADULT, NOON, '52.1', '52.1', 'HH', true, 'critical only'],
];

/** −2.1 is less than −2.0, and −10.1 less than −10. */
const NEGATIVE: readonly Case[] = [
  ['baseExcess', ADULT, NOON, '-2', '-2', 'N', false, 'all'],
  ['baseExcess', ADULT, NOON, '−2.1', '-2.1', 'L', false, 'all'],
  ['baseExcess', ADULT, NOON, '-10.1', '-10.1', 'LL', true, 'all'],
  ['baseExcess', ADULT, NOON, '<-10', '<-10', 'LL', true, 'all'],
  ['baseExcess', ADULT, NOON, '-0.0', '-0.0', 'N', false, 'all'],
];

/**
 * Of somebody who is neither female nor male, or of whom nothing is recorded, only ranges for any sex count. Without a day
 * of birth, only those for any age do.
 */
const SEXES: readonly Case[] = [
  ['haemoglobin', who('female', '1990-05-17'), NOON, '12.9', '12.9', 'N', false, 'woman'],
  ['haemoglobin', who('male', '1990-05-17'), NOON, '12.9', '12.9', 'L', false, 'man'],
  ['haemoglobin', who('other', '1990-05-17'), NOON, '6', '6', 'no_range', false, undefined],
  ['haemoglobin', who(null, '1990-05-17'), NOON, '6', '6', 'no_range', false, undefined],
  ['haemoglobin', who('unknown', '2020-05-17'), NOON, '6', '6', 'LL', true, 'child'],
  ['haemoglobin', who('female', null), NOON, '12.9', '12.9', 'no_range', false, undefined],
  ['potassium', who(null, null), NOON, '7', '7', 'HH', true, 'all'],
];

/**
 * Days are counted on the calendar of Dublin: 17 May to 14 June are 28 days, and 18 May to 14 June are 27. 14 June 2025 to
 * 14 June 2026 are 365 days. From 14 June 2010 to 14 June 2026 there are four 29ths of February (2012 to 2024), which
 * makes 16 × 365 + 4 = 5844 days. From 14 June 2008 to 14 June 2026 there are four as well, which makes 18 × 365 + 4 =
 * 6574 days: a day less than the range has, so that the range begins on the day after the birthday. From 29 February 2008
 * to 28 February 2026 there are five with the day itself, which makes 6574 days, and 6575 to the day after.
 */
const DAYS: readonly Case[] = [
  ['phosphatase', who('male', '2026-05-18'), NOON, '60', '60', 'N', false, 'newborn'],
  ['phosphatase', who('male', '2026-05-17'), NOON, '60', '60', 'L', false, 'infant'],
  ['phosphatase', who('male', '2025-06-15'), NOON, '75', '75', 'L', false, 'infant'],
  ['phosphatase', who('male', '2025-06-14'), NOON, '75', '75', 'N', false, 'minor'],
  ['haemoglobin', who('male', '2010-06-15'), NOON, '13', '13', 'N', false, 'child'],
  ['haemoglobin', who('male', '2010-06-14'), NOON, '13', '13', 'L', false, 'man'],
  ['phosphatase', who('female', '2008-06-14'), NOON, '135', '135', 'N', false, 'minor'],
  ['phosphatase', who('female', '2008-06-13'), NOON, '135', '135', 'H', false, 'adult'],
  ['phosphatase', who('female', '2008-02-29'), '2026-02-28T12:00:00Z', '135', '135', 'N', false, 'minor'],
  ['phosphatase', who('female', '2008-02-29'), '2026-03-01T12:00:00Z', '135', '135', 'H', false, 'adult'],
  // 23:30 UTC is half past midnight of the next day in Dublin: the 28th day has begun.
  ['phosphatase', who('male', '2026-05-18'), '2026-06-14T23:30:00Z', '60', '60', 'L', false, 'infant'],
];

/** Born at 10:00 on 14 June: 15:59 is 5 h 59 later, 16:00 is 6 h, 09:59 of the next day is 23 h 59, and 10:00 is 24 h. */
const TIMED = who('female', '2026-06-14 10:00');
const HOURS: readonly Case[] = [
  ['bilirubin', TIMED, '2026-06-14T15:59:00+01:00', '101', '101', 'HH', true, '0–6 h'],
  ['bilirubin', TIMED, '2026-06-14T16:00:00+01:00', '101', '101', 'N', false, '6–24 h'],
  ['bilirubin', TIMED, '2026-06-15T09:59:00+01:00', '150', '150', 'HH', true, '6–24 h'],
  ['bilirubin', TIMED, '2026-06-15T10:00:00+01:00', '150', '150', 'N', false, '24–48 h'],
  // 47 h on the second day of the calendar, where a range in days would begin.
  ['bilirubin', TIMED, '2026-06-16T09:30:00+01:00', '200', '200', 'H', false, '24–48 h'],
  ['bilirubin', TIMED, '2026-06-16T10:00:00+01:00', '200', '200', 'N', false, '2–28 d'],
  // 671 h, and 672 h, which are 28 days.
  ['bilirubin', TIMED, '2026-07-12T09:59:00+01:00', '22', '22', 'N', false, '2–28 d'],
  ['bilirubin', TIMED, '2026-07-12T10:00:00+01:00', '22', '22', 'H', false, '28 d'],
];

/**
 * Without a time of birth. On the day of birth at 16:00, between 0 and 16 hours have passed: two ranges are possible. On
 * the next day at 10:00, between 10 and 34 hours have. On the day after that, it is the range in days.
 */
const UNTIMED = who('female', '2026-06-14');
const NO_TIME: readonly Case[] = [
  ['bilirubin', UNTIMED, '2026-06-14T16:00:00+01:00', '300', '300', 'no_range', false, undefined],
  ['bilirubin', UNTIMED, '2026-06-15T10:00:00+01:00', '300', '300', 'no_range', false, undefined],
  ['bilirubin', UNTIMED, '2026-06-16T10:00:00+01:00', '206', '206', 'H', false, '2–28 d'],
  // All of the day of birth is in the first 24 hours.
  ['glucose', UNTIMED, '2026-06-14T23:59:00+01:00', '2.5', '2.5', 'L', false, 'first day'],
  ['glucose', UNTIMED, '2026-06-15T00:00:00+01:00', '2.5', '2.5', 'LL', true, 'later'],
];

/**
 * On 29 March 2026, the clocks of Dublin go from 01:00 to 02:00 (01:00 UTC). Born at 20:00 the evening before: 03:00 is
 * 6 h later, though the clock says 7. On 25 October, they go from 02:00 back to 01:00 (01:00 UTC). Born at 20:00 (19:00
 * UTC) the evening before: 01:30 in winter time (01:30 UTC) is 6 h 30 later, though the clock says 5 h 30. Born at 01:30
 * that night, which is 00:30 or 01:30 UTC: at 07:00 UTC, 6 h 30 or 5 h 30 have passed, and at 08:00 UTC 7 h 30 or 6 h 30.
 */
const CLOCKS: readonly Case[] = [
  ['bilirubin', who('male', '2026-03-28 20:00'), '2026-03-29T02:59:00+01:00', '101', '101', 'HH', true, '0–6 h'],
  ['bilirubin', who('male', '2026-03-28 20:00'), '2026-03-29T03:00:00+01:00', '101', '101', 'N', false, '6–24 h'],
  ['bilirubin', who('male', '2026-10-24 20:00'), '2026-10-25T01:30:00+01:00', '101', '101', 'HH', true, '0–6 h'],
  ['bilirubin', who('male', '2026-10-24 20:00'), '2026-10-25T01:30:00+00:00', '101', '101', 'N', false, '6–24 h'],
  ['bilirubin', who('male', '2026-10-25 01:30'), '2026-10-25T07:00:00Z', '101', '101', 'no_range', false, undefined],
  ['bilirubin', who('male', '2026-10-25 01:30'), '2026-10-25T08:00:00Z', '101', '101', 'N', false, '6–24 h'],
];

describe.each([
  ['a limit', LIMITS],
  ['a comparator', COMPARATORS],
  ['a range with one side', ONE_SIDED],
  ['a negative number', NEGATIVE],
  ['a sex', SEXES],
  ['an age in days', DAYS],
  ['an age in hours', HOURS],
  ['no time of birth', NO_TIME],
  ['a change of clocks', CLOCKS],
])('by %s', (_, cases) => {
  it.each(cases)('%s of %j at %s: %s is kept as %s and is %s', (...given) => {
    const [test, patient, collectedAt, typed, kept, flag, isCritical, name] = given;
    const read = readValue(NUMERIC, typed);
    expect(read).toEqual({ value: kept });
    const ranges: readonly (Range & { readonly name: string })[] = TESTS[test];
    const fits = rangeFor(ranges, subjectOf(patient, new Date(collectedAt).toISOString(), ZONE));
    expect(ranges.find((one) => one === fits)?.name).toBe(name);
    const judged = judge(NUMERIC, kept, fits);
    expect({ flag: judged.flag ?? judged.unflagged, isCritical: judged.isCritical }).toEqual({ flag, isCritical });
  });
});
