/**
 * Payments of invoices: the tables `payments`, `payment_parts` and `receipt_prints`, whose rows are only added.
 *
 * Each payment has the sum that is paid after it, and begins with the sum of the one before, as PostgreSQL makes sure. So
 * nothing is paid twice, and the invoice has what its last payment says. Each payment has one receipt.
 *
 * Locks are taken in this order, so that two requests can't deadlock: the invoice, the counter of receipts.
 */
import { cashRounding } from '@hms/money';
import { invalidFields, newId, Problem, records, type Work } from '@hms/service';
import type { z } from 'zod';
import { nameOfCaller } from '../../employees/people.ts';
import { demandCurrency, LARGEST_AMOUNT } from '../../prices/prices.ts';
import { type Invoice, invoices, showInvoice, takeYearNumber } from '../invoices/invoices.ts';
import { INVOICE_NOT_PAYABLE, type Method, OVERPAYMENT, type Paying, type paid, type ShownPayment } from './record.ts';
import { paymentsById } from './show.ts';

export { checkInvariants, type Invariants, invariantCheck, invariants, planCheck } from './invariants.ts';
export { countCopy, lastCopy, listReceipts, readReceipt } from './receipts.ts';
export * from './record.ts';

interface Part {
  readonly method: Method;
  readonly amount: number;
  readonly rounding: number;
  readonly tendered: number | null;
  readonly change: number | null;
  readonly reference: string | null;
}

/**
 * Takes a payment for an invoice, by default the whole balance in cash.
 * @throws Problem INVOICE_NOT_FOUND, INVOICE_NOT_PAYABLE, OVERPAYMENT, STALE_VERSION, VALIDATION_FAILED.
 */
export async function pay(
  work: Work,
  invoiceId: string,
  body: Paying,
  version: number | undefined,
): Promise<z.output<typeof paid>> {
  const own = records(work, invoices);
  const invoice = await own.lock(invoiceId, version);
  const { status, balance, total, patientId, currency } = invoice;
  if (status !== 'issued' && status !== 'partially_paid') {
    throw new Problem(INVOICE_NOT_PAYABLE, { details: { status, balance } });
  }
  demandCurrency(body.currency, currency);
  const parts = partsOf(work, invoice, body);
  const amount = parts.reduce((sum, part) => sum + part.amount, 0);
  if (amount > balance) throw new Problem(OVERPAYMENT, { details: { balance, currency } });
  const after = invoice.paid + amount;
  const lastPayment = (invoice.lastPayment ?? 0) + 1;
  const next = after === total ? 'paid' : 'partially_paid';
  const id = newId();
  // What can be read before the number is taken is read now: all other payments of the hospital wait from then on.
  const [shown, name] = await Promise.all([showInvoice(work, invoice), nameOfCaller(work)]);
  const { year, number, at } = await takeYearNumber(work, 'receipt');
  const receiptNo = `RCT-${year}-${String(number).padStart(6, '0')}`;
  const values = [id, invoiceId, patientId, currency, lastPayment, amount, after, parts.length, receiptNo, at];
  // Sent together, in their order.
  const [, , changed, [payment]] = await Promise.all([
    work.trx.query(INSERT, [...values, work.caller.sub, name]),
    work.trx.query(INSERT_PARTS, [id, JSON.stringify(numbered(parts))]),
    own.moveTo(invoice, next, { paid: after, lastPayment }),
    paymentsById(work, [id]),
  ]);
  if (!payment) throw new Error('a payment was not returned');
  work.audit({
    ...{ action: 'create', record: 'payments', recordId: id, patientId },
    after: { invoiceId, amount, currency, receiptNo, parts },
  });
  return {
    ...payment,
    invoice: { ...shown, ...changed },
    change: parts.reduce((sum, part) => sum + (part.change ?? 0), 0),
  };
}

/** What is paid how. Cash that settles the invoice is rounded to the coins that there are. */
function partsOf({ hospital }: Work, { balance }: Invoice, body: Paying): readonly Part[] {
  const { parts, amount = balance, method = 'CASH', tendered, reference } = body;
  const wrong = (field: string, message: string) => invalidFields([{ field, in: 'body', message }]);
  if (parts && (body.amount ?? body.method ?? body.tendered ?? body.reference) !== undefined)
    throw wrong('parts', 'must not be given with amount, method, tendered or reference');
  const given = parts ?? [{ method, amount, tendered, reference }];
  const sum = given.reduce((total, part) => total + part.amount, 0);
  // Only the last coin of an invoice is rounded. What is paid on account is what was handed over.
  const step = sum === balance ? hospital.settings.cashRounding : 1;
  return given.map((part, index) => {
    const field = (name: string) => (parts ? `parts.${index}.${name}` : name);
    const of = { ...part, reference: part.reference ?? null };
    if (part.method !== 'CASH') {
      if (part.tendered !== undefined) throw wrong(field('tendered'), 'is only for cash');
      return { ...of, rounding: 0, tendered: null, change: null };
    }
    // Coins are counted, and rounded, once.
    if (given.findIndex((one) => one.method === 'CASH') < index)
      throw wrong(field('method'), 'must not be CASH twice: add the amounts');
    const rounding = cashRounding(part.amount, step);
    const due = part.amount + rounding;
    if (due > LARGEST_AMOUNT) throw wrong(field('method'), 'must not be CASH: rounded, it has more than 15 digits');
    const handed = part.tendered ?? due;
    if (handed < due) throw wrong(field('tendered'), `must be at least ${due}, which is due`);
    return { ...of, rounding, tendered: handed, change: handed - due };
  });
}

function numbered(parts: readonly Part[]) {
  let upTo = 0;
  return parts.map((part, index) => {
    upTo += part.amount;
    return { ...part, position: index + 1, up_to: upTo };
  });
}

const INSERT = `
  INSERT INTO payments (
    id, invoice_id, patient_id, currency, number, kind, amount, paid, part_count, receipt_no, paid_at,
    received_by, received_by_name
  )
  VALUES ($1, $2, $3, $4, $5, 'payment', $6, $7, $8, $9, $10, $11, $12)`;

const INSERT_PARTS = `
  INSERT INTO payment_parts (payment_id, position, method, amount, rounding, tendered, change, reference, up_to)
  SELECT $1, position, method, amount, rounding, tendered, change, reference, up_to
  FROM jsonb_to_recordset($2::jsonb) AS part (
    position integer, method text, amount bigint, rounding bigint, tendered bigint, change bigint, reference text,
    up_to bigint
  )`;

/** The payments of an invoice, the first one first. */
export async function paymentsOf(work: Work, invoiceId: string): Promise<readonly ShownPayment[]> {
  const rows = await work.trx.query<{ id: string }>('SELECT id FROM payments WHERE invoice_id = $1 ORDER BY number', [
    invoiceId,
  ]);
  return paymentsById(
    work,
    rows.map(({ id }) => id),
  );
}
