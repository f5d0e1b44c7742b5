/** Receipts, of which each payment has one, and how often each was printed again: the table `receipt_prints`. */
import { build } from '@hms/database';
import { type DataReply, type ListQuery, Problem, readPage, type Work } from '@hms/service';
import { nameOfCaller } from '../../employees/people.ts';
import { samePersonIds } from '../../patients/record.ts';
import { RECEIPT_NOT_FOUND, type ReceiptFilters, type ShownPayment } from './record.ts';
import { paymentsById } from './show.ts';

/** The receipts of a page. The audit log has an event with the payments that were listed. */
export async function listReceipts(
  work: Work,
  query: Omit<ListQuery, 'includeDeleted'> & { readonly filters: ReceiptFilters },
): Promise<DataReply<ShownPayment[]>> {
  const { receiptNo, invoiceId, depositId, shiftId, kind, patientId } = query.filters;
  const rows = build.from('payments').select('id');
  if (receiptNo !== undefined) rows.where({ receipt_no: receiptNo.toUpperCase() });
  if (invoiceId !== undefined) rows.where({ invoice_id: invoiceId });
  if (depositId !== undefined) rows.where({ deposit_id: depositId });
  if (shiftId !== undefined) rows.where({ shift_id: shiftId });
  if (kind !== undefined) rows.where({ kind });
  if (patientId !== undefined) rows.whereIn('patient_id', samePersonIds(patientId));
  const columns = {
    sort: { paidAt: 'paid_at' },
    time: 'paid_at',
    id: 'id',
    counted: { table: 'payments', isNoticed: false },
  };
  const found = await readPage<{ id: string }>(work, rows, query, columns);
  const ids = found.rows.map(({ id }) => id);
  work.audit({ action: 'list', record: 'payments', details: { ids } });
  return { data: [...(await paymentsById(work, ids))], meta: found.meta };
}

/** @param id of the payment. @throws Problem RECEIPT_NOT_FOUND */
export async function readReceipt(work: Work, id: string): Promise<ShownPayment> {
  const [payment] = await paymentsById(work, [id]);
  if (!payment) throw new Problem(RECEIPT_NOT_FOUND);
  work.audit({ action: 'read', record: 'payments', recordId: id, patientId: payment.patientId });
  return payment;
}

/**
 * Counts that a receipt is printed again.
 * @throws Problem RECEIPT_NOT_FOUND
 */
export async function countCopy(work: Work, id: string): Promise<ShownPayment> {
  // One after the other, so that each copy has a number of its own.
  const [locked] = await work.trx.query<{ patient_id: string }>(LOCK, [id]);
  if (!locked) throw new Problem(RECEIPT_NOT_FOUND);
  const values = [id, work.caller.sub, await nameOfCaller(work)];
  const [row] = await work.trx.query<{ copy: number }>(COPY, values);
  const after = { copy: row?.copy };
  work.audit({ action: 'create', record: 'receipt_prints', recordId: id, patientId: locked.patient_id, after });
  return readReceipt(work, id);
}

/** The last copy of a receipt, if it was printed again. */
export async function lastCopy(
  work: Work,
  id: string,
): Promise<{ readonly number: number; readonly at: string; readonly by: string } | undefined> {
  const [row] = await work.trx.query<PrintRow>(LAST_COPY, [id]);
  return row && { number: row.copy, at: row.printed_at.toISOString(), by: row.printed_by_name ?? '' };
}

interface PrintRow {
  readonly copy: number;
  readonly printed_at: Date;
  readonly printed_by_name: string | null;
}

// Nobody may change the rows of payments, so they can't be locked themselves.
const LOCK = `
  WITH payment AS (SELECT invoice_id, deposit_id, patient_id FROM payments WHERE id = $1),
    invoice AS (SELECT FROM invoices WHERE id = (SELECT invoice_id FROM payment) FOR UPDATE),
    deposit AS (SELECT FROM deposits WHERE id = (SELECT deposit_id FROM payment) FOR UPDATE)
  SELECT patient_id, (SELECT count(*) FROM invoice), (SELECT count(*) FROM deposit) FROM payment`;
const COPY = `
  INSERT INTO receipt_prints (payment_id, copy, printed_by, printed_by_name)
  SELECT $1, (SELECT count(*) + 1 FROM receipt_prints WHERE payment_id = $1), $2, $3 RETURNING copy`;
const LAST_COPY = `
  SELECT copy, printed_at, printed_by_name FROM receipt_prints WHERE payment_id = $1 ORDER BY copy DESC LIMIT 1`;
