/** What lines of invoices come to: benefits, discounts and sums. Pure. */
import { AmountError, invoiceOf, type Invoice as MoneySums, portion, sum, type Terms } from '@hms/money';
import { invalidFields } from '@hms/service';
import { type ItemGroup, LARGEST_AMOUNT } from '../../prices/prices.ts';
import { type Benefit, benefitOf, type Counting } from '../../vip/vip.ts';
import { type Discount, MOST_LINES, type ShownLine } from './record.ts';

/** What somebody gets, before any benefit. */
export interface Service {
  readonly itemId: string | null;
  readonly chargeId: string | null;
  readonly itemGroup: ItemGroup;
  readonly description: string;
  readonly unitPrice: number;
  readonly quantity: number;
  readonly taxBps: number;
  readonly discount: Discount | undefined;
  /** What the insurer pays of it, in basis points. */
  readonly coverageBps: number;
}

export interface Sums extends MoneySums {
  /** What the insurer pays of all lines. */
  readonly insured: number;
  /** The same of each line. */
  readonly shares: readonly number[];
}

/** A line before anything is computed. */
export interface LineTerms extends Service, Benefit {}

/** Services with what memberships give on them now, whatever they gave before. */
export function withBenefits(services: readonly Service[], memberships: readonly Counting[]): readonly LineTerms[] {
  return services.map((service) => ({ ...service, ...benefitOf(memberships, service.itemGroup) }));
}

/** A written line, before anything is computed. */
export function termsFrom(line: ShownLine): LineTerms {
  const { itemId, chargeId, itemGroup, description, unitPrice, quantity, taxBps, coverageBps } = line;
  const { benefitBps, membershipNo, tierName } = line;
  const discount = discountFrom(line.discountAmount, line.discountBps);
  return {
    ...{ itemId, chargeId, itemGroup, description, unitPrice, quantity, taxBps, discount, coverageBps },
    ...{ benefitBps, membershipNo, tierName },
  };
}

export function discountFrom(amount: number | null, bps: number | null): Discount | undefined {
  if (amount !== null) return { amount };
  return bps === null ? undefined : { bps };
}

/** @throws Problem VALIDATION_FAILED with the field that is wrong. */
export function sumsOf(lines: readonly LineTerms[], terms: Terms): Sums {
  if (lines.length > MOST_LINES)
    throw invalidFields([
      { field: 'lines', in: 'body', message: `must not be more than ${MOST_LINES} on one invoice` },
    ]);
  try {
    const sums = invoiceOf(lines, terms);
    if (Math.max(sums.subtotal, sums.total) > LARGEST_AMOUNT)
      throw invalidFields([{ field: 'lines', in: 'body', message: 'must sum up to 15 digits at most, with tax' }]);
    const shares = sums.lines.map(({ total }, index) => portion(total, lines[index]?.coverageBps ?? 0));
    return { ...sums, shares, insured: sum(shares) };
  } catch (error) {
    if (!(error instanceof AmountError)) throw error;
    throw invalidFields([{ field: error.field ?? 'lines', in: 'body', message: error.message }]);
  }
}
