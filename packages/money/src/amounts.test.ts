import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { AmountError, cashRounding, includedTax, portion, spread, sum, times } from './amounts.ts';

const amounts = fc.integer({ min: -1_000_000_000_000, max: 1_000_000_000_000 });
const rates = fc.integer({ min: 0, max: 10_000 });

describe('a part of an amount', () => {
  it.each([
    // 334.5 is halfway, and counts as 335. Below zero it is the same, with the sign.
    [1338, 2500, 335],
    [-1338, 2500, -335],
    // 19 % of 7612.50: 1446.375, which a paper shows as 1446.38.
    [761_250, 1900, 144_638],
    [-761_250, 1900, -144_638],
    [1, 4999, 0],
    [1, 5000, 1],
    [0, 1900, 0],
    // Nine billion rupiah: the product is more than a number holds exactly.
    [900_000_000_000, 1100, 99_000_000_000],
    [900_719_925_475, 10_000, 900_719_925_475],
  ])('of %d at %d basis points is %d', (amount, bps, part) => {
    expect(portion(amount, bps)).toBe(part);
  });

  it('differs by at most half a unit from the exact one', () => {
    fc.assert(
      fc.property(amounts, rates, (amount, bps) => {
        const error = BigInt(portion(amount, bps)) * 10_000n - BigInt(amount) * BigInt(bps);
        expect(error >= -5_000n && error <= 5_000n).toBe(true);
      }),
    );
  });
});

describe('the tax that a price contains', () => {
  it.each([
    // 801 of which 20 % are added: 133.5.
    [801, 2000, 134],
    // 76.499…: rounded once, it is 76.
    [1070, 770, 76],
    // 11.5.
    [299, 400, 12],
    [1080, 1000, 98],
    [0, 1900, 0],
    [119, 1900, 19],
  ])('of %d at %d basis points is %d', (gross, bps, tax) => {
    expect(includedTax(gross, bps)).toBe(tax);
  });

  it('is never more than the price', () => {
    fc.assert(
      fc.property(fc.nat(1_000_000_000), rates, (gross, bps) => {
        const tax = includedTax(gross, bps);
        expect(tax >= 0 && tax <= gross).toBe(true);
      }),
    );
  });
});

describe('an amount that is spread', () => {
  it.each([
    [7, [60, 25, 15], [4, 2, 1]],
    [19, [33, 33, 33], [7, 6, 6]],
    [1000, [2599, 1250, 4999], [294, 141, 565]],
    [10, [0, 0, 5], [0, 0, 10]],
    [0, [0, 0], [0, 0]],
    [0, [], []],
    [-7, [60, 25, 15], [-4, -2, -1]],
    [1, [1, 1], [1, 0]],
  ])('%d over %j is %j', (amount, weights, shares) => {
    expect(spread(amount, weights)).toEqual(shares);
  });

  it('loses nothing, and takes from nobody more than there is', () => {
    const weights = fc.array(fc.nat(1_000_000_000), { minLength: 1, maxLength: 30 });
    fc.assert(
      fc.property(weights, fc.nat(10_000), (all, bps) => {
        const total = all.reduce((one, other) => one + other, 0);
        const amount = Math.floor((total * bps) / 10_000);
        const shares = spread(amount, all);
        expect(shares.reduce((one, other) => one + other, 0)).toBe(amount);
        for (const [index, share] of shares.entries()) {
          expect(share >= 0 && share <= (all[index] ?? 0)).toBe(true);
          // The exact share, rounded up or down.
          const exact = total === 0 ? 0 : (amount * (all[index] ?? 0)) / total;
          expect(Math.abs(share - exact)).toBeLessThan(1.000_001);
        }
      }),
    );
  });

  it('is refused if there is nothing to spread it over', () => {
    expect(() => spread(5, [0, 0])).toThrow(AmountError);
    expect(() => spread(5, [-1, 2])).toThrow(AmountError);
  });
});

describe('cash', () => {
  it.each([
    // Five rappen.
    [9997, 5, 9995],
    [9998, 5, 10_000],
    // Fifty øre: 10.74 is 10.50, and 10.75 is 11.00.
    [1074, 50, 1050],
    [1075, 50, 1100],
    // Whole kronor.
    [19_949, 100, 19_900],
    [19_950, 100, 20_000],
    // Five forint are 500, because ISO 4217 gives the forint two digits.
    [1250, 500, 1500],
    [1249, 500, 1000],
    [1250, 1, 1250],
    [-9998, 5, -10_000],
  ])('of %d in steps of %d is %d', (amount, step, paid) => {
    expect(amount + cashRounding(amount, step)).toBe(paid);
  });

  it('differs by at most half a coin', () => {
    fc.assert(
      fc.property(fc.nat(1_000_000_000), fc.integer({ min: 1, max: 1000 }), (amount, step) => {
        const rounding = cashRounding(amount, step);
        expect((amount + rounding) % step).toBe(0);
        expect(Math.abs(rounding) * 2).toBeLessThanOrEqual(step);
      }),
    );
  });
});

it('refuses what is no safe integer', () => {
  for (const wrong of [0.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 53]) {
    expect(() => portion(wrong, 1900)).toThrow(AmountError);
    expect(() => sum([1, wrong])).toThrow(AmountError);
  }
  expect(() => sum([Number.MAX_SAFE_INTEGER, 1])).toThrow(AmountError);
  expect(() => times(Number.MAX_SAFE_INTEGER, 2, 'lines.0.quantity')).toThrow('is more than an amount can be');
});
