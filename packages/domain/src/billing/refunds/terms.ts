/** What is cancelled and what goes back, in sums. Pure. */
import type { Invoice, ShownLine } from '../invoices/record.ts';
import type { Part } from '../payments/ledger.ts';

/** What of a line is cancelled. */
export interface LineCredit {
  readonly lineId: string;
  readonly amount: number;
  readonly net: number;
  readonly tax: number;
  readonly insured: number;
  readonly discount: number;
}

/**
 * What of a line is cancelled. Each part is the difference of two sums, before and after, so that all credit notes of a
 * line together are the line, to the last unit.
 */
export function creditOf(line: ShownLine, amount: number): LineCredit {
  const after = line.credited + amount;
  const part = (of: number) => share(of, after, line.total) - share(of, line.credited, line.total);
  const tax = part(line.tax);
  return {
    ...{ lineId: line.id, amount, tax, net: amount - tax, insured: part(line.insured) },
    discount: part(line.lineDiscount + line.benefit + line.invoiceDiscount),
  };
}

/** Half a unit counts as a whole one. */
function share(of: number, credited: number, total: number): number {
  if (total === 0) return 0;
  return Number((BigInt(of) * BigInt(credited) * 2n + BigInt(total)) / (BigInt(total) * 2n));
}

/** What has to go back, because it is paid and not owed any more. */
export interface Excess {
  readonly patient: number;
  readonly insurer: number;
}

/** @param credits what is cancelled of the invoice now. */
export function excessOf(invoice: Invoice, credits: readonly LineCredit[]): Excess {
  const credited = credits.reduce((sum, { amount }) => sum + amount, 0);
  const insured = insuredCredit(invoice, credits);
  const insurer = invoice.insurerBalance - insured;
  const patient = invoice.balance - invoice.insurerBalance - (credited - insured);
  return { patient: Math.max(0, -patient), insurer: Math.max(0, -insurer) };
}

/** What of a credit the insurer would have paid. What the insurer has refused is the patient's already. */
export function insuredCredit(invoice: Invoice, credits: readonly LineCredit[]): number {
  const insured = credits.reduce((sum, line) => sum + line.insured, 0);
  return Math.min(insured, invoice.insured - invoice.declined - invoice.creditedInsured);
}

/** What goes back how. @param insurerAmount what of the amount goes back to the insurer. */
export function partsOfRefund(
  {
    amount,
    insurerAmount,
    method,
  }: { readonly amount: number; readonly insurerAmount: number; readonly method: Part['method'] },
  more: Pick<Part, 'reference' | 'rounding' | 'depositId'>,
): readonly Part[] {
  const part = (of: Part['method'], value: number, { rounding = 0, depositId = null as string | null } = {}): Part => ({
    ...{ method: of, amount: value, rounding, depositId, reference: more.reference, tendered: null, change: null },
  });
  return [
    ...(insurerAmount > 0 ? [part('INSURANCE', insurerAmount)] : []),
    ...(amount > insurerAmount ? [part(method, amount - insurerAmount, more)] : []),
  ];
}
