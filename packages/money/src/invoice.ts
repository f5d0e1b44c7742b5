/**
 * The sums of an invoice. A line is reduced by its own discount, then by the benefit of a member, then by its part of the
 * discount of the whole invoice. Tax is on the rest. Each line is rounded, and the invoice is the sum of its lines, so
 * that the paper adds up.
 */
import {
  type Amount,
  AmountError,
  amountOf,
  demandAmount,
  includedTax,
  portion,
  spread,
  sum,
  times,
} from './amounts.ts';

/** A fixed amount, or a part in basis points: 1250 is 12.5 %. */
export type Discount = { readonly amount: Amount } | { readonly bps: number };

export interface LineInput {
  /** Of one unit, zero or more. */
  readonly unitPrice: Amount;
  /** Whole units, one or more. */
  readonly quantity: number;
  /** Rate of the tax, in basis points. */
  readonly taxBps: number;
  readonly discount?: Discount | undefined;
  /** What a membership gives, in basis points of what is left after the line's own discount. */
  readonly benefitBps?: number | undefined;
}

export interface Terms {
  /** Whether prices contain the tax. Otherwise, it is added. */
  readonly pricesIncludeTax: boolean;
  /** Of the whole invoice, before tax is added. */
  readonly discount?: Discount | undefined;
}

export interface InvoiceLine {
  /** Price times quantity. */
  readonly gross: Amount;
  /** The three that reduce it, each zero or more. */
  readonly lineDiscount: Amount;
  readonly benefit: Amount;
  readonly invoiceDiscount: Amount;
  /** The sum of these three. */
  readonly discount: Amount;
  /** Without tax. */
  readonly net: Amount;
  readonly tax: Amount;
  /** What is paid. */
  readonly total: Amount;
}

/** The lines of one rate. */
export interface TaxSum {
  readonly bps: number;
  /** Sum of their nets. */
  readonly base: Amount;
  readonly tax: Amount;
}

export interface Invoice {
  readonly lines: readonly InvoiceLine[];
  /** Sum of gross. */
  readonly subtotal: Amount;
  readonly discount: Amount;
  readonly net: Amount;
  readonly tax: Amount;
  readonly total: Amount;
  /** By rate, the lowest first. */
  readonly taxes: readonly TaxSum[];
}

const WHOLE = 10_000;

/**
 * @throws AmountError that names the field: a value below zero, a rate above the whole, a discount that is more than what
 * is left, or a sum that is no amount.
 */
export function invoiceOf(inputs: readonly LineInput[], terms: Terms): Invoice {
  const reduced = inputs.map(reduceLine);
  const left = reduced.map(({ rest }) => rest);
  const discount = discountOn(sumOf(left), terms.discount, 'discount');
  const shares = spread(discount, left);
  const lines = reduced.map(({ gross, lineDiscount, benefit, rest, taxBps }, index): InvoiceLine => {
    const invoiceDiscount = shares[index] ?? 0;
    const due = rest - invoiceDiscount;
    const tax = terms.pricesIncludeTax ? includedTax(due, taxBps) : portion(due, taxBps);
    const net = terms.pricesIncludeTax ? due - tax : due;
    return {
      ...{ gross, lineDiscount, benefit, invoiceDiscount, discount: lineDiscount + benefit + invoiceDiscount },
      ...{ net, tax, total: sumOf([net, tax]) },
    };
  });
  const total = (key: keyof InvoiceLine) => sumOf(lines.map((line) => line[key]));
  return {
    lines,
    ...{ subtotal: total('gross'), discount: total('discount'), net: total('net'), tax: total('tax') },
    ...{ total: total('total'), taxes: taxesOf(inputs, lines) },
  };
}

function reduceLine({ unitPrice, quantity, taxBps, discount, benefitBps = 0 }: LineInput, index: number) {
  const field = (name: string) => `lines.${index}.${name}`;
  if (demandAmount(unitPrice, field('unitPrice')) < 0n) throw new AmountError('must be 0 or more', field('unitPrice'));
  if (demandAmount(quantity, field('quantity')) < 1n) throw new AmountError('must be 1 or more', field('quantity'));
  demandRate(taxBps, field('taxBps'));
  demandRate(benefitBps, field('benefitBps'));
  const gross = times(unitPrice, quantity, field('quantity'));
  const lineDiscount = discountOn(gross, discount, field('discount'));
  const benefit = portion(gross - lineDiscount, benefitBps);
  return { gross, lineDiscount, benefit, rest: gross - lineDiscount - benefit, taxBps };
}

/** @param left what there is to reduce. */
function discountOn(left: Amount, discount: Discount | undefined, field: string): Amount {
  if (!discount) return 0;
  if ('bps' in discount) {
    demandRate(discount.bps, field);
    return portion(left, discount.bps);
  }
  const amount = demandAmount(discount.amount, field);
  if (amount < 0n) throw new AmountError('must be 0 or more', field);
  if (amount > BigInt(left)) throw new AmountError(`must be at most ${left}, which is what it reduces`, field);
  return amountOf(amount, field);
}

function demandRate(bps: number, field: string): void {
  if (!Number.isInteger(bps) || bps < 0 || bps > WHOLE)
    throw new AmountError(`must be a whole number of basis points from 0 to ${WHOLE}`, field);
}

/** The field of a sum is the whole list. */
function sumOf(amounts: readonly Amount[]): Amount {
  try {
    return sum(amounts);
  } catch (error) {
    throw error instanceof AmountError ? new AmountError(error.message, 'lines') : error;
  }
}

function taxesOf(inputs: readonly LineInput[], lines: readonly InvoiceLine[]): readonly TaxSum[] {
  const rates = [...new Set(inputs.map(({ taxBps }) => taxBps))].sort((a, b) => a - b);
  return rates.map((bps) => {
    const own = lines.filter((_, index) => inputs[index]?.taxBps === bps);
    return { bps, base: sumOf(own.map(({ net }) => net)), tax: sumOf(own.map(({ tax }) => tax)) };
  });
}
