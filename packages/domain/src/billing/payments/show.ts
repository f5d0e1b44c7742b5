/** Payments as they are shown: with their parts and who has received them. */
import type { Work } from '@hms/service';
import type { ShownPayment } from './record.ts';

/** In the order of the ids. */
export async function paymentsById({ trx }: Work, ids: readonly string[]): Promise<readonly ShownPayment[]> {
  const rows = await trx.query<Row>(PAYMENTS, [ids]);
  const byId = new Map(rows.map((row) => [row.id, row]));
  return ids.flatMap((id) => {
    const row = byId.get(id);
    return row ? [shown(row)] : [];
  });
}

function shown(row: Row): ShownPayment {
  return {
    ...{ id: row.id, invoiceId: row.invoice_id, patientId: row.patient_id, kind: row.kind, currency: row.currency },
    ...{
      amount: row.amount,
      balanceAfter: row.balance_after,
      parts: row.parts,
      receiptNo: row.receipt_no,
      paidAt: row.paid_at.toISOString(),
    },
    ...{ receivedBy: row.received_by, receivedByName: row.received_by_name, copies: row.copies },
  };
}

interface Row {
  readonly id: string;
  readonly invoice_id: string;
  readonly patient_id: string;
  readonly kind: 'payment';
  readonly currency: string;
  readonly amount: number;
  readonly balance_after: number;
  readonly parts: ShownPayment['parts'];
  readonly receipt_no: string;
  readonly paid_at: Date;
  readonly received_by: string;
  readonly received_by_name: string | null;
  readonly copies: number;
}

const PAYMENTS = `
  SELECT id, invoice_id, patient_id, kind, currency, amount, receipt_no,
    (SELECT total FROM invoices WHERE id = payment.invoice_id) - paid AS balance_after, paid_at, received_by, received_by_name,
    (SELECT jsonb_agg(
       jsonb_build_object('method', method, 'amount', part.amount, 'rounding', rounding, 'tendered', tendered,
         'change', change, 'reference', reference) ORDER BY position)
     FROM payment_parts part WHERE payment_id = payment.id) AS parts,
    (SELECT count(*)::integer FROM receipt_prints WHERE payment_id = payment.id) AS copies
  FROM payments payment WHERE id = ANY ($1)`;
