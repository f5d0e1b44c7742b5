import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { AmountError } from './amounts.ts';
import { type Discount, invoiceOf, type LineInput, type Terms } from './invoice.ts';

const ADDED: Terms = { pricesIncludeTax: false };
const INCLUDED: Terms = { pricesIncludeTax: true };
const line = (unitPrice: number, taxBps: number, more: Partial<LineInput> = {}): LineInput => ({
  ...{ unitPrice, taxBps, quantity: 1 },
  ...more,
});

describe('an invoice worked out by hand', () => {
  it('rounds each line, so that the paper adds up', () => {
    // 19 % of 33 is 6.27. Three times 6 is 18, although 19 % of 99 is 18.81.
    const invoice = invoiceOf([line(33, 1900), line(33, 1900), line(33, 1900)], ADDED);
    expect(invoice).toMatchObject({ subtotal: 99, discount: 0, tax: 18, total: 117 });
    expect(invoice.taxes).toEqual([{ bps: 1900, base: 99, tax: 18 }]);
  });

  it('takes the discount of a line before tax', () => {
    // 16 × 348.35 = 5573.60. 4 % of it is 222.944. 22 % of the rest, 5350.66, is 1177.1452.
    expect(invoiceOf([line(34_835, 2200, { quantity: 16, discount: { bps: 400 } })], ADDED)).toMatchObject({
      ...{ subtotal: 557_360, discount: 22_294, net: 535_066, tax: 117_715, total: 652_781 },
    });
  });

  it.each([
    ['801 with 20 % in it: 133.5', 801, 2000, 134, 667],
    ['1070 with 7.7 % in it: 76.499', 1070, 770, 76, 994],
    ['299 with 4 % in it: 11.5', 299, 400, 12, 287],
    ['JPY 1080 with 10 % in it: 98.18', 1080, 1000, 98, 982],
    ['a price without tax', 500, 0, 0, 500],
    ['one unit with 19 % in it: 0.16', 1, 1900, 0, 1],
    ['three units with 19 % in them: 0.479', 3, 1900, 0, 3],
    ['four units with 19 % in them: 0.639', 4, 1900, 1, 3],
  ])('finds the tax in %s', (_why, price, bps, tax, net) => {
    expect(invoiceOf([line(price, bps)], INCLUDED)).toMatchObject({ subtotal: price, tax, net, total: price });
  });

  it.each([
    ['KWD 12.345 and 5 %: 617.25', 12_345, 500, 617],
    ['JPY 999 and 10 %: 99.9', 999, 1000, 100],
    ['half a unit of tax: 1.5 of 15 at 10 %', 15, 1000, 2],
    ['less than half a unit of tax', 4, 1000, 0],
    ['the largest rate', 250, 10_000, 250],
  ])('adds the tax to %s', (_why, price, bps, tax) => {
    expect(invoiceOf([line(price, bps)], ADDED)).toMatchObject({ net: price, tax, total: price + tax });
  });

  it('spreads the discount of the invoice over lines with different rates', () => {
    // 1000 over 25.99, 12.50 and 49.99: 293.74, 141.27 and 564.98, so the units that are left go to the last and the first.
    const inputs = [line(2599, 2000), line(1250, 700), line(4999, 0)];
    const invoice = invoiceOf(inputs, { ...ADDED, discount: { amount: 1000 } });
    expect(invoice.lines.map(({ invoiceDiscount }) => invoiceDiscount)).toEqual([294, 141, 565]);
    expect(invoice.lines.map(({ tax }) => tax)).toEqual([461, 78, 0]);
    expect(invoice).toMatchObject({ subtotal: 8848, discount: 1000, tax: 539, total: 8387 });
    expect(invoice.taxes.map(({ bps }) => bps)).toEqual([0, 700, 2000]);
  });

  it('takes the discount of a line first, then the benefit, then the discount of the invoice', () => {
    // 10000 − 1000 = 9000. A tenth of it is 900. Half of the rest, 8100, is 4050. 19 % of 4050 is 769.5.
    const own = line(10_000, 1900, { discount: { amount: 1000 }, benefitBps: 1000 });
    expect(invoiceOf([own], { ...ADDED, discount: { bps: 5000 } }).lines[0]).toEqual({
      ...{ gross: 10_000, lineDiscount: 1000, benefit: 900, invoiceDiscount: 4050, discount: 5950 },
      ...{ net: 4050, tax: 770, total: 4820 },
    });
  });

  it('rounds a benefit of half a unit up', () => {
    // 12.5 % of 4 is 0.5.
    expect(invoiceOf([line(4, 0, { benefitBps: 1250 })], ADDED)).toMatchObject({ discount: 1, total: 3 });
  });

  it('gives everything away', () => {
    const all = { ...INCLUDED, discount: { bps: 10_000 } };
    expect(invoiceOf([line(500, 1900), line(77, 700)], all)).toMatchObject({ discount: 577, tax: 0, total: 0 });
    const free = line(500, 1900, { discount: { amount: 500 } });
    expect(invoiceOf([free], { ...ADDED, discount: { amount: 0 } })).toMatchObject({ discount: 500, total: 0 });
  });

  it('takes nothing from a line that is free already', () => {
    const inputs = [line(0, 1900), line(100, 1900)];
    const invoice = invoiceOf(inputs, { ...ADDED, discount: { amount: 33 } });
    expect(invoice.lines.map(({ invoiceDiscount }) => invoiceDiscount)).toEqual([0, 33]);
  });

  it('gives the unit that is left to the first of equal lines', () => {
    const inputs = [line(50, 0), line(50, 0), line(50, 0)];
    const invoice = invoiceOf(inputs, { ...ADDED, discount: { amount: 100 } });
    expect(invoice.lines.map(({ invoiceDiscount }) => invoiceDiscount)).toEqual([34, 33, 33]);
  });

  it('counts a quantity of many', () => {
    expect(invoiceOf([line(3, 1900, { quantity: 333_333 })], ADDED)).toMatchObject({
      ...{ subtotal: 999_999, tax: 190_000, total: 1_189_999 },
    });
  });

  it('is exact for nine billion rupiah', () => {
    const invoice = invoiceOf([line(900_000_000_000, 1100)], ADDED);
    expect(invoice).toMatchObject({ tax: 99_000_000_000, total: 999_000_000_000 });
  });

  it('may have no lines yet', () => {
    expect(invoiceOf([], ADDED)).toEqual({
      ...{ lines: [], taxes: [], subtotal: 0, discount: 0, net: 0, tax: 0, total: 0 },
    });
  });
});

describe('an invoice is refused', () => {
  const field = (inputs: readonly LineInput[], terms = ADDED) => {
    try {
      invoiceOf(inputs, terms);
    } catch (error) {
      if (error instanceof AmountError) return error.field;
      throw error;
    }
    return 'nothing';
  };

  it.each([
    ['a price below zero', [line(-1, 0)], 'lines.0.unitPrice'],
    ['a price with a fraction', [line(1, 0), line(1.5, 0)], 'lines.1.unitPrice'],
    ['no quantity', [line(1, 0, { quantity: 0 })], 'lines.0.quantity'],
    ['a part of a unit', [line(1, 0, { quantity: 0.5 })], 'lines.0.quantity'],
    ['too much', [line(Number.MAX_SAFE_INTEGER, 0, { quantity: 2 })], 'lines.0.quantity'],
    ['a rate above the whole', [line(1, 10_001)], 'lines.0.taxBps'],
    ['a rate below zero', [line(1, -1)], 'lines.0.taxBps'],
    ['a benefit above the whole', [line(1, 0, { benefitBps: 10_001 })], 'lines.0.benefitBps'],
    ['a discount above the price', [line(1, 0, { discount: { amount: 2 } })], 'lines.0.discount'],
    ['a discount below zero', [line(1, 0, { discount: { amount: -1 } })], 'lines.0.discount'],
    ['a sum that is no amount', [line(Number.MAX_SAFE_INTEGER, 0), line(1, 0)], 'lines'],
  ])('with %s', (_what, inputs, name) => {
    expect(field(inputs)).toBe(name);
  });

  it('with a discount that is more than what is left', () => {
    expect(field([line(10, 0, { benefitBps: 5000 })], { ...ADDED, discount: { amount: 6 } })).toBe('discount');
    expect(field([line(10, 0)], { ...ADDED, discount: { bps: 20_000 } })).toBe('discount');
    expect(field([], { ...ADDED, discount: { amount: 1 } })).toBe('discount');
  });
});

describe('every invoice', () => {
  const discounts = (most: number): fc.Arbitrary<Discount | undefined> =>
    fc.oneof(
      fc.constant(undefined),
      fc.record({ bps: fc.integer({ min: 0, max: 10_000 }) }),
      fc.record({ amount: fc.nat(most) }),
    );
  const rates = fc.constantFrom(0, 500, 700, 770, 1000, 1900, 2000, 2200, 10_000);
  const lines = fc
    .record({ unitPrice: fc.nat(1_000_000), quantity: fc.integer({ min: 1, max: 50 }), taxBps: rates })
    .chain((own) =>
      fc.record({
        own: fc.constant(own),
        discount: discounts(own.unitPrice),
        benefitBps: fc.integer({ min: 0, max: 10_000 }),
      }),
    )
    .map(({ own, ...more }): LineInput => ({ ...own, ...more }));

  it('adds up: each line, each rate, and the whole', () => {
    fc.assert(
      fc.property(
        fc.array(lines, { maxLength: 20 }),
        fc.boolean(),
        fc.integer({ min: 0, max: 10_000 }),
        (inputs, pricesIncludeTax, bps) => {
          const invoice = invoiceOf(inputs, { pricesIncludeTax, discount: { bps } });
          const of = (key: 'gross' | 'discount' | 'net' | 'tax' | 'total' | 'invoiceDiscount') =>
            invoice.lines.reduce((sum, one) => sum + one[key], 0);
          for (const one of invoice.lines) {
            expect(one.discount).toBe(one.lineDiscount + one.benefit + one.invoiceDiscount);
            expect(
              Math.min(one.lineDiscount, one.benefit, one.invoiceDiscount, one.net, one.tax),
            ).toBeGreaterThanOrEqual(0);
            expect(one.total).toBe(one.net + one.tax);
            expect(one.gross - one.discount).toBe(pricesIncludeTax ? one.total : one.net);
          }
          expect(invoice).toMatchObject({
            ...{ subtotal: of('gross'), discount: of('discount'), net: of('net'), tax: of('tax'), total: of('total') },
          });
          expect(invoice.subtotal - invoice.discount + (pricesIncludeTax ? 0 : invoice.tax)).toBe(invoice.total);
          expect(invoice.taxes.reduce((sum, { base }) => sum + base, 0)).toBe(invoice.net);
          expect(invoice.taxes.reduce((sum, { tax }) => sum + tax, 0)).toBe(invoice.tax);
        },
      ),
    );
  });
});
