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
  return [
    timelinePart({ ...invoices, kind: 'invoice.issued', at: 'issued_at' }, patientIds),
    timelinePart(
      { ...invoices, kind: 'invoice.voided', at: 'voided_at', details: voided, where: numbered },
      patientIds,
    ),
    timelinePart({ kind: 'invoice.paid', table: 'payments', at: 'paid_at', details: paid }, patientIds),
  ];
}
