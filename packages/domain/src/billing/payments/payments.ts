/**
 * Payments of invoices, and void entries that take them back.
 *
 * Locks are taken in this order, so that two requests can't deadlock: the shift, the invoice, deposits by id, refunds, the
 * counters by name.
 */
import { cashRounding } from '@hms/money';
import { invalidFields, Problem, records, type Work } from '@hms/service';
import type { z } from 'zod';
import { demandCurrency, LARGEST_AMOUNT } from '../../prices/prices.ts';
import { changeUsed, depositFor } from '../deposits/use.ts';
import { billedStatus, type Invoice, invoices } from '../invoices/record.ts';
import { showInvoice } from '../invoices/show.ts';
import type { Credited } from '../refunds/credits.ts';
import { demandShiftFor, holdShift } from '../shifts/hold.ts';
import { type Account, addEntry, amountOf, type Entry, insuredOf, type Part } from './ledger.ts';
import {
  INVOICE_NOT_PAYABLE,
  OVERPAYMENT,
  PAYMENT_NOT_FOUND,
  PAYMENT_NOT_VOIDABLE,
  type Paying,
  type paid,
  type receiving,
  SHIFT_CLOSED,
  type ShownPayment,
} from './record.ts';
import { paymentsById } from './show.ts';

export { paymentFeed } from '../feeds.ts';
export { checkInvariants, type Invariants, invariantCheck, invariants, planCheck } from './invariants.ts';
export { countCopy, lastCopy, listReceipts, readReceipt } from './receipts.ts';
export * from './record.ts';
export { paymentsById } from './show.ts';

/**
 * Takes a payment for an invoice, by default the whole balance of the patient in cash.
 * @throws Problem INVOICE_NOT_FOUND, INVOICE_NOT_PAYABLE, OVERPAYMENT, NO_OPEN_SHIFT, NO_DEPOSIT, STALE_VERSION,
 * VALIDATION_FAILED.
 */
export async function pay(
  work: Work,
  invoiceId: string,
  body: Paying,
  version: number | undefined,
): Promise<z.output<typeof paid>> {
  const shift = await holdShift(work);
  const invoice = await records(work, invoices).lock(invoiceId, version);
  const { status, balance, insurerBalance, currency } = invoice;
  if (status !== 'issued' && status !== 'partially_paid') {
    throw new Problem(INVOICE_NOT_PAYABLE, { details: { status, balance } });
  }
  demandCurrency(body.currency, currency);
  const patientBalance = balance - insurerBalance;
  const due = body.method === 'INSURANCE' ? insurerBalance : patientBalance;
  if (due === 0 && body.amount === undefined && !body.parts) throw overpayment(invoice);
  const parts = await withDeposits(work, invoice, receivedParts(work, body, { due, patientBalance }));
  const insured = insuredOf(parts);
  if (insured > insurerBalance || amountOf(parts) - insured > patientBalance) throw overpayment(invoice);
  demandShiftFor(work, shift, parts);
  // Read before the receipt's number is taken: all other payments of the hospital wait from then on.
  const shown = await showInvoice(work, invoice);
  const { payment, updated } = await enter(work, invoice, { kind: 'payment', parts, shiftId: shift });
  return {
    ...payment,
    invoice: { ...shown, ...updated },
    change: parts.reduce((sum, part) => sum + (part.change ?? 0), 0),
  };
}

function overpayment({ balance, insurerBalance, currency }: Invoice): Problem {
  return new Problem(OVERPAYMENT, { details: { balance: balance - insurerBalance, insurerBalance, currency } });
}

/**
 * Adds an entry to the ledger of a locked invoice, whose state follows.
 * @param credit what a credit note of the same transaction changes.
 */
export function enter(
  work: Work,
  invoice: Invoice,
  entry: Entry,
  credit?: Credited,
): Promise<{ readonly payment: ShownPayment; readonly updated: Invoice }> {
  const balance = invoice.balance - ((credit?.credited ?? invoice.credited) - invoice.credited);
  const account: Account = { ...invoice, invoiceId: invoice.id, depositId: null, balance };
  return addEntry(work, account, entry, (sums) =>
    records(work, invoices).moveTo(invoice, billedStatus({ ...invoice, ...credit, ...sums }), { ...credit, ...sums }),
  );
}

/**
 * Takes back a whole payment that was a mistake, in the shift in which it was taken.
 * @throws Problem PAYMENT_NOT_FOUND, PAYMENT_NOT_VOIDABLE, SHIFT_CLOSED.
 */
export async function voidPayment(work: Work, id: string, reason: string): Promise<ShownPayment> {
  const shift = await holdShift(work);
  const [found] = await paymentsById(work, [id]);
  if (!found) throw new Problem(PAYMENT_NOT_FOUND);
  const refused = (why: string) => new Problem(PAYMENT_NOT_VOIDABLE, { details: { reason: why } });
  if (found.kind !== 'payment') throw refused(`it is a ${found.kind}`);
  if (found.invoiceId === null) throw refused('it is a deposit: request a refund');
  const invoice = await records(work, invoices).lock(found.invoiceId);
  // It may have become void while this waited.
  const [payment = found] = await paymentsById(work, [id]);
  if (payment.isVoid) throw refused('it is void');
  if (payment.shiftId === null || payment.shiftId !== shift) throw new Problem(SHIFT_CLOSED);
  if (invoice.paid - payment.amount < invoice.refunded) throw refused('it is refunded');
  if ((await work.trx.query(CONFIRMED, [id])).length > 0) throw refused('a bank statement confirms it');
  const parts = payment.parts.map((part) => ({ ...part, tendered: null, change: null }));
  await changeUsed(work, parts, -1);
  return (await enter(work, invoice, { kind: 'void', parts, shiftId: shift, ofPayment: id, reason })).payment;
}

const CONFIRMED = 'SELECT FROM bank_matches WHERE payment_id = $1';

interface Due {
  /** What is paid if nothing is said. */
  readonly due: number;
  /** What cash settles. */
  readonly patientBalance: number;
}

type Receiving = Pick<z.output<typeof receiving>, 'amount' | 'method' | 'tendered' | 'reference' | 'parts'> & {
  readonly depositId?: string | undefined;
};

/**
 * What is paid how. Cash that settles what is due is rounded to the coins that there are.
 * @throws Problem VALIDATION_FAILED
 */
export function receivedParts({ hospital }: Work, body: Receiving, { due, patientBalance }: Due): readonly Part[] {
  const { parts, amount = due, method = 'CASH', tendered, reference, depositId } = body;
  const wrong = (field: string, message: string) => invalidFields([{ field, in: 'body', message }]);
  if (parts && (body.amount ?? body.method ?? body.tendered ?? body.reference ?? depositId) !== undefined)
    throw wrong('parts', 'must not be given with amount, method, tendered, reference or depositId');
  const given = parts ?? [{ method, amount, tendered, reference, depositId }];
  // Only the last coin of an invoice is rounded. What is paid on account is what was handed over.
  const step = amountOf(given) - insuredOf(given) === patientBalance ? hospital.settings.cashRounding : 1;
  return given.map((part, index) => {
    const field = (name: string) => (parts ? `parts.${index}.${name}` : name);
    const of = { ...part, reference: part.reference ?? null, depositId: part.depositId ?? null };
    if (part.method !== 'ADVANCE' && of.depositId !== null) throw wrong(field('depositId'), 'is only for ADVANCE');
    if (part.method !== 'CASH') {
      if (part.tendered !== undefined) throw wrong(field('tendered'), 'is only for cash');
      return { ...of, rounding: 0, tendered: null, change: null };
    }
    // Coins are counted, and rounded, once.
    if (given.findIndex((one) => one.method === 'CASH') < index)
      throw wrong(field('method'), 'must not be CASH twice: add the amounts');
    const rounding = cashRounding(part.amount, step);
    const handedOver = part.amount + rounding;
    if (handedOver > LARGEST_AMOUNT)
      throw wrong(field('method'), 'must not be CASH: rounded, it has more than 15 digits');
    const handed = part.tendered ?? handedOver;
    if (handed < handedOver) throw wrong(field('tendered'), `must be at least ${handedOver}, which is due`);
    return { ...of, rounding, tendered: handed, change: handed - handedOver };
  });
}

/** Takes what is paid ahead from deposits of the patient or the payer. @throws Problem NO_DEPOSIT */
async function withDeposits(work: Work, invoice: Invoice, parts: readonly Part[]): Promise<readonly Part[]> {
  const taken: Part[] = [];
  for (const part of parts) {
    if (part.method === 'ADVANCE') {
      const depositId = await depositFor(work, invoice, { ...part, before: taken });
      taken.push({ ...part, depositId });
    } else taken.push(part);
  }
  await changeUsed(work, taken, 1);
  return taken;
}

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
