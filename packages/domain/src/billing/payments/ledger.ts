/**
 * The ledger: the tables `payments` and `payment_parts`, whose rows are only added.
 *
 * Each entry has the sums of its invoice or deposit after it, and begins with those of the entry before, as PostgreSQL
 * makes sure. Each has one receipt. Whoever adds an entry has locked the shift and then the invoice or deposit.
 */
import { newId, type Work } from '@hms/service';
import { nameOfCaller } from '../../employees/people.ts';
import { takeYearNumber } from '../invoices/year-number.ts';
import type { KINDS, Method, ShownPayment } from './record.ts';
import { paymentsById } from './show.ts';

export interface Part {
  readonly method: Method;
  readonly amount: number;
  readonly rounding: number;
  readonly tendered: number | null;
  readonly change: number | null;
  readonly reference: string | null;
  readonly depositId: string | null;
}

export interface Entry {
  readonly kind: (typeof KINDS)[number];
  readonly parts: readonly Part[];
  readonly shiftId: string | null;
  /** Of a void entry: the payment that it takes back. */
  readonly ofPayment?: string;
  readonly reason?: string;
}

/** What an invoice or a deposit has before the entry. */
export interface Account {
  readonly invoiceId: string | null;
  readonly depositId: string | null;
  readonly patientId: string;
  readonly currency: string;
  readonly lastPayment: number | null;
  readonly paid: number;
  readonly refunded: number;
  readonly insurerPaid: number;
  /** What is still to be paid, or what is left of a deposit. */
  readonly balance: number;
}

/** The sums after an entry. */
export interface Sums {
  readonly lastPayment: number;
  readonly paid: number;
  readonly refunded: number;
  readonly insurerPaid: number;
}

/** The sums after an entry. Pure. */
function sumsAfter(account: Account, { kind, parts }: Pick<Entry, 'kind' | 'parts'>): Sums {
  const amount = amountOf(parts);
  const insured = insuredOf(parts);
  return {
    lastPayment: (account.lastPayment ?? 0) + 1,
    paid: account.paid + { payment: amount, void: -amount, refund: 0 }[kind],
    refunded: account.refunded + (kind === 'refund' ? amount : 0),
    insurerPaid: account.insurerPaid + (kind === 'payment' ? insured : -insured),
  };
}

export function amountOf(parts: readonly Pick<Part, 'amount'>[]): number {
  return parts.reduce((sum, part) => sum + part.amount, 0);
}

export function insuredOf(parts: readonly Pick<Part, 'amount' | 'method'>[]): number {
  return amountOf(parts.filter(({ method }) => method === 'INSURANCE'));
}

/**
 * Adds an entry, with the next number of a receipt. Whatever can be done before is done before: all other payments of the
 * hospital wait from then on.
 * @param update writes the sums to the invoice or deposit. It is sent together with the entry.
 */
export async function addEntry<Updated>(
  work: Work,
  account: Account,
  entry: Entry,
  update: (sums: Sums) => Promise<Updated>,
): Promise<{ readonly payment: ShownPayment; readonly updated: Updated }> {
  const { kind, parts, shiftId, ofPayment = null, reason = null } = entry;
  const id = newId();
  const sums = sumsAfter(account, entry);
  const amount = amountOf(parts);
  // What is paid of an invoice is less to pay, and what is paid ahead is more of a deposit.
  const isLess = (kind === 'payment') === (account.invoiceId !== null);
  const balanceAfter = account.balance + (isLess ? -amount : amount);
  const name = await nameOfCaller(work);
  const { year, number, at } = await takeYearNumber(work, 'receipt');
  const receiptNo = `RCT-${year}-${String(number).padStart(6, '0')}`;
  const { invoiceId, depositId, patientId, currency } = account;
  const values = [
    ...[id, invoiceId, depositId, patientId, currency, sums.lastPayment, kind, ofPayment, shiftId, amount],
    ...[
      insuredOf(parts),
      sums.paid,
      sums.refunded,
      sums.insurerPaid,
      balanceAfter,
      parts.length,
      reason,
      receiptNo,
      at,
    ],
    ...[work.caller.sub, name],
  ];
  // Sent together, in their order.
  const [, , updated, [payment]] = await Promise.all([
    work.trx.query(INSERT, values),
    work.trx.query(INSERT_PARTS, [id, JSON.stringify(numbered(parts))]),
    update(sums),
    paymentsById(work, [id]),
  ]);
  if (!payment) throw new Error('a payment was not returned');
  work.audit({
    ...{ action: 'create', record: 'payments', recordId: id, patientId },
    after: { kind, invoiceId, depositId, amount, currency, receiptNo, shiftId, ofPayment, reason, parts },
  });
  return { payment, updated };
}

function numbered(parts: readonly Part[]) {
  let [upTo, insuredUpTo] = [0, 0];
  return parts.map((part, index) => {
    upTo += part.amount;
    insuredUpTo += insuredOf([part]);
    return { ...part, deposit_id: part.depositId, position: index + 1, up_to: upTo, insured_up_to: insuredUpTo };
  });
}

const INSERT = `
  INSERT INTO payments (
    id, invoice_id, deposit_id, patient_id, currency, number, kind, of_payment, shift_id, amount, insured, paid, refunded,
    insurer_paid, balance_after, part_count, reason, receipt_no, paid_at, received_by, received_by_name
  )
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21)`;

const INSERT_PARTS = `
  INSERT INTO payment_parts (
    payment_id, position, method, amount, rounding, tendered, change, reference, deposit_id, up_to, insured_up_to
  )
  SELECT $1, position, method, amount, rounding, tendered, change, reference, deposit_id, up_to, insured_up_to
  FROM jsonb_to_recordset($2::jsonb) AS part (
    position integer, method text, amount bigint, rounding bigint, tendered bigint, change bigint, reference text,
    deposit_id uuid, up_to bigint, insured_up_to bigint
  )`;
