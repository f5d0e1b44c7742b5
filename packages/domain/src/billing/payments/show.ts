/** Payments as they are shown: with their parts and who has received them. */
import type { Work } from '@hms/service';
import type { ShownPayment } from './record.ts';

/** In the order of the ids. */
export async function paymentsById({ trx }: Work, ids: readonly string[]): Promise<readonly ShownPayment[]> {
  const rows = await trx.query<Row>(PAYMENTS, [ids]);
  const byId = new Map(rows.map(({ paidAt, ...row }) => [row.id, { ...row, paidAt: paidAt.toISOString() }]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}

interface Row extends Omit<ShownPayment, 'paidAt'> {
  readonly paidAt: Date;
}

const PAYMENTS = `
  SELECT id, invoice_id AS "invoiceId", deposit_id AS "depositId", patient_id AS "patientId", kind,
    of_payment AS "ofPaymentId", EXISTS (SELECT FROM payments WHERE of_payment = payment.id) AS "isVoid",
    shift_id AS "shiftId", currency, amount, balance_after AS "balanceAfter",
    (SELECT jsonb_agg(
       jsonb_build_object('method', method, 'amount', part.amount, 'rounding', rounding, 'tendered', tendered,
         'change', change, 'reference', reference, 'depositId', part.deposit_id) ORDER BY position)
     FROM payment_parts part WHERE payment_id = payment.id) AS parts,
    reason, receipt_no AS "receiptNo", paid_at AS "paidAt", received_by AS "receivedBy",
    received_by_name AS "receivedByName",
    (SELECT count(*)::integer FROM receipt_prints WHERE payment_id = payment.id) AS copies
  FROM payments payment WHERE id = ANY ($1)`;
