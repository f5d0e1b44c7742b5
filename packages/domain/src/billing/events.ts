import type { Knex } from 'knex';
import { type Events, timelinePart } from '../timeline/part.ts';

/** The invoices of a patient, and what was paid of them. */
export function billingEvents(patientIds: readonly string[]): readonly Events[] {
  const invoices = {
    table: 'invoices',
    details: { invoiceNo: 'invoice_no', amount: 'total', currency: 'currency' },
  } as const;
  const voided = { ...invoices.details, reason: 'void_reason' };
  const numbered = (rows: Knex.QueryBuilder) => void rows.whereNotNull('invoice_no');
  const paid = { invoiceId: 'invoice_id', receiptNo: 'receipt_no', amount: 'amount', currency: 'currency' };
  const entries = { table: 'payments', at: 'paid_at', details: paid } as const;
  const of = (account: string, kinds: readonly string[]) => (rows: Knex.QueryBuilder) =>
    void rows.whereNotNull(account).whereIn('kind', kinds);
  return [
    timelinePart({ ...invoices, kind: 'invoice.issued', at: 'issued_at' }, patientIds),
    timelinePart(
      { ...invoices, kind: 'invoice.voided', at: 'voided_at', details: voided, where: numbered },
      patientIds,
    ),
    timelinePart({ ...entries, kind: 'invoice.paid', where: of('invoice_id', ['payment']) }, patientIds),
    timelinePart({ ...entries, kind: 'invoice.refunded', where: of('invoice_id', ['refund', 'void']) }, patientIds),
    timelinePart({ ...entries, kind: 'invoice.prepaid', where: of('deposit_id', ['payment']) }, patientIds),
    timelinePart(
      {
        ...{ kind: 'invoice.credited', table: 'credit_notes', at: 'issued_at' },
        details: {
          invoiceId: 'invoice_id',
          creditNo: 'credit_no',
          amount: 'amount',
          currency: 'currency',
          reason: 'reason',
        },
      },
      patientIds,
    ),
  ];
}
