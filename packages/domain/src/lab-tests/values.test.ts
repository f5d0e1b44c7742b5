import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { compareDecimals } from './decimals.ts';
import type { Range } from './ranges.ts';
import { judge, readValue } from './values.ts';

const RUNS = 500 * Number(process.env.FUZZ_TIMES ?? 1);

const NUMERIC = { valueType: 'numeric', decimals: null, options: null } as const;
const POTASSIUM: Range = {
  ...{ sex: 'any', ageUnit: 'days', fromAge: 0, toAge: null },
  ...{ criticalLow: '2.5', low: '3.5', high: '5.1', criticalHigh: '6.5' },
};
const flagOf = (value: string, range: Range | undefined = POTASSIUM) => {
  const { flag, unflagged } = judge(NUMERIC, value, range);
  return flag ?? unflagged;
};

describe('a number', () => {
  it.each([
    ['2.4999', 'LL'],
    ['2.5', 'L'],
    ['3.49', 'L'],
    ['3.5', 'N'],
    ['3.50', 'N'],
    ['5.10', 'N'],
    ['5.100001', 'H'],
    ['6.5', 'H'],
    ['6.51', 'HH'],
    ['0', 'LL'],
    ['-1', 'LL'],
  ])('%s is %s', (value, flag) => {
    expect(flagOf(value)).toBe(flag);
  });

  it.each([
    ['<2.5', 'LL'],
    ['<=2.5', 'L'],
    ['<3.5', 'L'],
    ['<=3.5', 'uncertain'],
    ['<5', 'uncertain'],
    ['>6.5', 'HH'],
    ['>=6.5', 'H'],
    ['>5.1', 'H'],
    ['>=5.1', 'uncertain'],
    ['>1', 'uncertain'],
    ['>1000', 'HH'],
    ['<0.01', 'LL'],
  ])('%s is %s: at least that is certain', (value, flag) => {
    expect(flagOf(value)).toBe(flag);
  });

  it.each([
    ['<2.5', true],
    ['<=2.5', true],
    ['<2.51', true],
    ['>5.2', true],
    ['>=6.5', true],
    ['<5', true],
    ['>1', true],
    ['2.51', false],
    ['6.5', false],
  ])('%s may be critical: %s', (value, isCritical) => {
    expect(judge(NUMERIC, value, POTASSIUM).isCritical).toBe(isCritical);
  });

  it.each(['<2.51', '<5', '>5.2', '>1'])('%s is not critical where nothing is', (value) => {
    expect(judge(NUMERIC, value, { ...POTASSIUM, criticalLow: null, criticalHigh: null }).isCritical).toBe(false);
  });

  it('below a number is normal where nothing is too low', () => {
    const troponin = { ...POTASSIUM, criticalLow: null, low: null, high: '0.04', criticalHigh: '0.4' };
    expect(['<0.01', '<0.04', '<=0.04', '<0.05', '>0.4'].map((value) => flagOf(value, troponin))).toEqual([
      ...['N', 'N', 'N', 'uncertain', 'HH'],
    ]);
  });

  it('above a number is normal where nothing is too high', () => {
    const saturation = { ...POTASSIUM, criticalLow: '85', low: '94', high: null, criticalHigh: null };
    expect(['>94', '>=94', '>93', '<85', '<94', '100'].map((value) => flagOf(value, saturation))).toEqual([
      ...['N', 'N', 'uncertain', 'LL', 'L', 'N'],
    ]);
  });

  it('has no flag without a range, and says so', () => {
    expect(judge(NUMERIC, '5', undefined)).toEqual({ flag: null, unflagged: 'no_range', isCritical: false });
  });

  it('with a comparator is flagged as every value that it may be', () => {
    const hundredths = fc.integer({ min: 0, max: 900 }).map((value) => (value / 100).toFixed(2));
    const severity = (flag: string | null) => ['LL', 'L', 'N', 'H', 'HH'].indexOf(flag ?? '') - 2;
    fc.assert(
      fc.property(fc.constantFrom('<', '<=', '>', '>='), hundredths, hundredths, (comparator, limit, actual) => {
        const difference = compareDecimals(actual, limit);
        const isPossible = comparator.startsWith('<') ? difference < 0 : difference > 0;
        fc.pre(isPossible || (difference === 0 && comparator.endsWith('=')));
        const { flag, isCritical } = judge(NUMERIC, comparator + limit, POTASSIUM);
        const judged = judge(NUMERIC, actual, POTASSIUM);
        if (judged.isCritical) expect(isCritical).toBe(true);
        if (flag === null) return;
        const [said, really] = [severity(flag), severity(judged.flag)];
        expect(Math.sign(really)).toBe(Math.sign(said));
        expect(Math.abs(really)).toBeGreaterThanOrEqual(Math.abs(said));
      }),
      { numRuns: RUNS },
    );
  });

  it('with a comparator is critical only if a value that it may be is', () => {
    const hundredths = fc.integer({ min: 0, max: 900 }).map((value) => (value / 100).toFixed(2));
    const limit = (one: fc.Arbitrary<string>) => fc.option(one, { nil: null });
    const ranges = fc.record({
      ...{ criticalLow: limit(fc.constant('2.5')), low: fc.constant('3.5'), high: fc.constant('5.1') },
      criticalHigh: limit(fc.constant('6.5')),
    });
    fc.assert(
      fc.property(fc.constantFrom('<', '<=', '>', '>='), hundredths, ranges, (comparator, number, limits) => {
        const range = { ...POTASSIUM, ...limits };
        // The most extreme values on that side.
        const extremes = comparator.startsWith('<') ? ['-1000', number] : ['1000', number];
        const mayBe = extremes.some((value) => judge(NUMERIC, value, range).isCritical);
        expect(judge(NUMERIC, comparator + number, range).isCritical).toBe(mayBe);
      }),
      { numRuns: RUNS },
    );
  });

  it('is compared exactly, to the last digit', () => {
    expect(flagOf('5.100000', { ...POTASSIUM, high: '5.1' })).toBe('N');
    expect(compareDecimals('999999999999.999999', '999999999999.999998')).toBe(1);
    expect(compareDecimals('0.1', '0.10')).toBe(0);
    expect(compareDecimals('-0.5', '-0.49')).toBe(-1);
    const anyNumber = fc.tuple(fc.bigInt({ min: -(10n ** 17n), max: 10n ** 17n }), fc.nat(6));
    const written = ([digits, scale]: [bigint, number]) => {
      const text = String(digits < 0n ? -digits : digits).padStart(scale + 1, '0');
      const number = scale === 0 ? text : `${text.slice(0, -scale)}.${text.slice(-scale)}`;
      return (digits < 0n ? '-' : '') + number;
    };
    fc.assert(
      fc.property(anyNumber, anyNumber, (one, other) => {
        const [first, second] = [one[0] * 10n ** BigInt(other[1]), other[0] * 10n ** BigInt(one[1])];
        expect(compareDecimals(written(one), written(other))).toBe(first < second ? -1 : first > second ? 1 : 0);
      }),
      { numRuns: RUNS },
    );
  });

  it.each([
    ['5.10', '5.10'],
    [' 5 ', '5'],
    ['+5.1', '5.1'],
    ['< 0.01', '<0.01'],
    ['≥1000', '>=1000'],
    ['−2.5', '-2.5'],
    ['٤٫٥', '4.5'],
    ['۴٫۵۰', '4.50'],
    ['< ١٠٠٠', '<1000'],
    ['-٠٫٥', '-0.5'],
    ['\u00a0≤\u00a05\u00a0', '<=5'],
  ])('%j is stored as %s', (written, value) => {
    expect(readValue(NUMERIC, written)).toEqual({ value });
  });

  it.each([
    ...['', 'high', '5,1', '1e3', '--5', '<>5', '0x10', '1234567890123', '٤٬٥٠٠', '٥,١', '٥.'],
    ...['4 5', '1 000', '< 1 000', '1\u202f000', '4 .5', '- 5', '< =5', '.5', '<.5', '-.5', '5.', '.'],
  ])('%j is refused', (written) => {
    expect(readValue(NUMERIC, written)).toHaveProperty('problem');
  });

  it.each([
    ['4 5', 'no blank inside'],
    ['< 1 000', 'no blank inside'],
    ['٤ ٥', 'no blank inside'],
    ['- 5', 'no blank inside'],
    ['.5', 'write 0.5 for .5'],
    ['< .5', 'write 0.5 for .5'],
    ['5.', '5 for 5.'],
    ['high', 'must be a number'],
    ['1.2.', 'must be a number'],
  ])('%j is refused with what to write', (written, message) => {
    expect(readValue(NUMERIC, written)).toEqual({ problem: expect.stringContaining(message) });
  });

  it('with more decimals than the test has is refused, not rounded', () => {
    const kind = { ...NUMERIC, decimals: 1 };
    expect(readValue(kind, '5.1')).toEqual({ value: '5.1' });
    expect(readValue(kind, '5.10')).toHaveProperty('problem');
    expect(readValue(kind, '<0.01')).toHaveProperty('problem');
  });
});

describe('other values', () => {
  const coded = {
    valueType: 'coded',
    decimals: null,
    options: [
      { code: 'NEG', name: 'Negative', meaning: 'normal' },
      { code: 'POS', name: 'Positive', meaning: 'abnormal' },
      { code: 'MRSA', name: 'MRSA found', meaning: 'critical' },
    ],
  } as const;

  it('that are coded are one of the options, which says what they mean', () => {
    expect(readValue(coded, 'pos')).toEqual({ value: 'POS' });
    expect(readValue(coded, 'maybe')).toEqual({ problem: 'must be one of NEG, POS, MRSA' });
    expect(['NEG', 'POS', 'MRSA'].map((value) => judge(coded, value, undefined))).toEqual([
      { flag: 'N', unflagged: null, isCritical: false },
      { flag: 'A', unflagged: null, isCritical: false },
      { flag: 'A', unflagged: null, isCritical: true },
    ]);
  });

  it('that are texts have no flag', () => {
    const kind = { valueType: 'text', decimals: null, options: null } as const;
    expect(readValue(kind, 'E. coli')).toEqual({ value: 'E. coli' });
    expect(judge(kind, '5', POTASSIUM)).toEqual({ flag: null, unflagged: 'text', isCritical: false });
  });
});
