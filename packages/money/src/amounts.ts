/**
 * Amounts are integers in the smallest unit of their currency: 1250 is EUR 12.50, JPY 1250 or KWD 1.250. Everything is
 * computed in BigInt, because an amount times a rate is soon more than a number can hold exactly. An amount that is no
 * safe integer is refused.
 */

/** A safe integer, in the smallest unit of a currency. */
export type Amount = number;

/** A sum or a product that is no amount, or a rule that is broken. */
export class AmountError extends Error {
  override readonly name = 'AmountError';
  /** The field of the input, such as `lines.0.quantity`. Undefined: the result of several. */
  readonly field: string | undefined;

  /** @param message continues the field’s name to a sentence. */
  constructor(message: string, field?: string) {
    super(message);
    this.field = field;
  }
}

/** Basis points of the whole. */
const WHOLE = 10_000n;

/** @throws AmountError */
export function demandAmount(value: number, field?: string): bigint {
  if (!Number.isSafeInteger(value)) throw new AmountError('must be a whole number of at most 15 digits', field);
  return BigInt(value);
}

/** @throws AmountError */
export function amountOf(value: bigint, field?: string): Amount {
  const amount = Number(value);
  if (!Number.isSafeInteger(amount)) throw new AmountError('is more than an amount can be', field);
  // Never the negative zero.
  return amount === 0 ? 0 : amount;
}

/** @throws AmountError if the sum is no amount. */
export function sum(amounts: Iterable<Amount>): Amount {
  let total = 0n;
  for (const amount of amounts) total += demandAmount(amount);
  return amountOf(total);
}

/** A price times a quantity. @throws AmountError */
export function times(price: Amount, quantity: number, field?: string): Amount {
  return amountOf(demandAmount(price, field) * demandAmount(quantity, field), field);
}

/** Half a unit counts as a whole one, away from zero. @param divisor above zero. */
function halfUp(dividend: bigint, divisor: bigint): bigint {
  const isNegative = dividend < 0n;
  const rounded = ((isNegative ? -dividend : dividend) * 2n + divisor) / (divisor * 2n);
  return isNegative ? -rounded : rounded;
}

/** A part of an amount. @param bps in basis points: 1900 is 19 %. @throws AmountError */
export function portion(amount: Amount, bps: number): Amount {
  return amountOf(halfUp(demandAmount(amount) * demandAmount(bps), WHOLE));
}

/** The tax in a price that contains it. @param bps rate in basis points. @throws AmountError */
export function includedTax(gross: Amount, bps: number): Amount {
  const rate = demandAmount(bps);
  return amountOf(halfUp(demandAmount(gross) * rate, WHOLE + rate));
}

/**
 * Spreads an amount by weights, so that the shares sum to it. Each share is the exact one, rounded down. The units that
 * are left go to the largest remainders, and among equal ones to the first.
 * @param weights none below zero. No share is more than its weight if the amount is not more than all of them.
 * @throws AmountError if there is an amount to spread and every weight is zero.
 */
export function spread(amount: Amount, weights: readonly Amount[]): Amount[] {
  const whole = demandAmount(amount);
  const isNegative = whole < 0n;
  const size = isNegative ? -whole : whole;
  const parts = weights.map((weight) => demandAmount(weight));
  if (parts.some((part) => part < 0n)) throw new AmountError('can not be spread by a weight below zero');
  const total = parts.reduce((all, part) => all + part, 0n);
  if (total === 0n) {
    if (size !== 0n) throw new AmountError('can not be spread: nothing is left');
    return parts.map(() => 0);
  }
  const shares = parts.map((part) => (size * part) / total);
  const left = Number(size - shares.reduce((all, share) => all + share, 0n));
  const byRemainder = parts
    .map((part, index) => ({ index, remainder: (size * part) % total }))
    .sort((a, b) => (a.remainder === b.remainder ? a.index - b.index : a.remainder > b.remainder ? -1 : 1));
  const favored = new Set(byRemainder.slice(0, left).map(({ index }) => index));
  return shares.map((share, index) => {
    const own = share + (favored.has(index) ? 1n : 0n);
    return amountOf(isNegative ? -own : own);
  });
}

/**
 * What is added to an amount that is paid in cash, because there are no smaller coins. It is below zero if less is paid.
 * @param step the smallest coin, from 1.
 * @throws AmountError
 */
export function cashRounding(amount: Amount, step: number): Amount {
  const exact = demandAmount(amount);
  const coin = demandAmount(step);
  if (coin < 1n) throw new AmountError('must be 1 or more');
  return amountOf(halfUp(exact, coin) * coin - exact);
}
