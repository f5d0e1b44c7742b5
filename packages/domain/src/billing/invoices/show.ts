/** Invoices as they are shown: with their lines, the sums of each rate, and the names of people. */
import type { InvoiceLine } from '@hms/money';
import { type DataReply, Problem, type RecordQuery, records, today, type Work } from '@hms/service';
import { patientNames } from '../../patients/names.ts';
import type { ItemGroup } from '../../prices/prices.ts';
import { type Counting, membershipsFor } from '../../vip/vip.ts';
import { type Invoice, invoices, type ShownInvoice, type ShownLine } from './record.ts';
import { discountFrom, sumsOf, termsFrom, withBenefits } from './sums.ts';

export async function readInvoice(work: Work, id: string): Promise<ShownInvoice> {
  return showInvoice(work, await records(work, invoices).read(id));
}

export async function showInvoice(work: Work, invoice: Invoice): Promise<ShownInvoice> {
  const [shown] = await showAll(work, [invoice]);
  return shown as ShownInvoice;
}

export async function listInvoices(work: Work, query: RecordQuery): Promise<DataReply<ShownInvoice[]>> {
  const { data, ...reply } = await records(work, invoices).list(query);
  return { ...reply, data: await showAll(work, data) };
}

/** Invoices in any order. The audit log has no event. */
export async function invoicesById(work: Work, ids: readonly string[]): Promise<readonly ShownInvoice[]> {
  return showAll(work, await records(work, invoices).byIds(ids));
}

async function showAll(work: Work, all: readonly Invoice[]): Promise<ShownInvoice[]> {
  if (all.length === 0) return [];
  const people = all.flatMap(({ patientId, payerId }) => [patientId, payerId]);
  const drafts = all.filter(({ status }) => status === 'draft');
  const [lines, named, membershipsOf] = await Promise.all([
    linesOf(
      work,
      all.map(({ id }) => id),
    ),
    patientNames(work, people),
    membershipsFor(
      work,
      drafts.map(({ patientId }) => patientId),
      today(work),
    ),
  ]);
  const byInvoice = Map.groupBy(lines, ({ invoiceId }) => invoiceId);
  return all.map((written) => {
    const kept = (byInvoice.get(written.id) ?? []).map(({ invoiceId: _, ...line }) => line);
    const { invoice, lines: own } =
      written.status === 'draft'
        ? computedAnew(written, kept, membershipsOf(written.patientId))
        : { invoice: written, lines: kept };
    return {
      ...invoice,
      ...named(invoice.patientId),
      payerName: named(invoice.payerId).patientName,
      lines: own,
      taxes: taxesOf(own),
    };
  });
}

/**
 * A draft with what memberships give today, as it would be issued now. One that can't be computed, because a discount is
 * more than what is left, is shown as it was written: issuing it names what is wrong.
 */
function computedAnew(
  written: Invoice,
  kept: ShownLine[],
  memberships: readonly Counting[],
): { readonly invoice: Invoice; readonly lines: ShownLine[] } {
  const terms = withBenefits(kept.map(termsFrom), memberships);
  const discount = discountFrom(written.discountAmount, written.discountBps);
  try {
    const {
      lines,
      shares,
      taxes: _,
      ...sums
    } = sumsOf(terms, { pricesIncludeTax: written.pricesIncludeTax, discount });
    const computed = terms.map(({ benefitBps, membershipNo, tierName }, index) => {
      const { discount: __, ...amounts } = lines[index] as InvoiceLine;
      return { benefitBps, membershipNo, tierName, ...amounts, insured: shares[index] ?? 0 };
    });
    return { invoice: { ...written, ...sums }, lines: kept.map((line, index) => ({ ...line, ...computed[index] })) };
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    return { invoice: written, lines: kept };
  }
}

function taxesOf(lines: readonly ShownLine[]): ShownInvoice['taxes'] {
  const byRate = [...Map.groupBy(lines, ({ taxBps }) => taxBps)].sort(([a], [b]) => a - b);
  const sum = (some: readonly ShownLine[], key: 'net' | 'tax') => some.reduce((total, line) => total + line[key], 0);
  return byRate.map(([bps, some]) => ({ bps, base: sum(some, 'net'), tax: sum(some, 'tax') }));
}

/** The lines of invoices, in their order. */
export async function linesOf(
  { trx }: Work,
  invoiceIds: readonly string[],
): Promise<readonly (ShownLine & { readonly invoiceId: string })[]> {
  const rows = await trx.query<LineRow>(LINES, [invoiceIds]);
  return rows.map((row) => ({
    ...{ id: row.id, invoiceId: row.invoice_id, seq: row.seq, itemId: row.item_id, chargeId: row.charge_id },
    ...{ itemGroup: row.item_group, description: row.description, unitPrice: row.unit_price, quantity: row.quantity },
    ...{ taxBps: row.tax_bps, discountAmount: row.discount_amount, discountBps: row.discount_bps },
    ...{
      benefitBps: row.benefit_bps,
      membershipNo: row.membership_no,
      tierName: row.tier_name,
      gross: row.gross,
      lineDiscount: row.line_discount,
      benefit: row.benefit,
    },
    ...{ invoiceDiscount: row.invoice_discount, net: row.net, tax: row.tax, total: row.total },
    ...{ coverageBps: row.coverage_bps, insured: row.insured, credited: row.credited },
  }));
}

interface LineRow {
  readonly id: string;
  readonly invoice_id: string;
  readonly seq: number;
  readonly item_id: string | null;
  readonly charge_id: string | null;
  readonly item_group: ItemGroup;
  readonly description: string;
  readonly unit_price: number;
  readonly quantity: number;
  readonly tax_bps: number;
  readonly discount_amount: number | null;
  readonly discount_bps: number | null;
  readonly benefit_bps: number;
  readonly membership_no: string | null;
  readonly tier_name: string | null;
  readonly gross: number;
  readonly line_discount: number;
  readonly benefit: number;
  readonly invoice_discount: number;
  readonly net: number;
  readonly tax: number;
  readonly total: number;
  readonly coverage_bps: number;
  readonly insured: number;
  readonly credited: number;
}

const LINES = `
  SELECT id, invoice_id, seq, item_id, charge_id, item_group, description, unit_price, quantity, tax_bps,
    discount_amount, discount_bps, benefit_bps, membership_no, tier_name, gross, line_discount, benefit,
    invoice_discount, net, tax, total, coverage_bps, insured, credited
  FROM invoice_lines WHERE invoice_id = ANY ($1) ORDER BY invoice_id, seq`;
