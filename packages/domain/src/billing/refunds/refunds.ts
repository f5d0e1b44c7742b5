/**
 * Refunds: the table `refunds`. One person requests it, another one approves it, and then a cashier pays it out. What is
 * cancelled of the invoice gets a credit note in the same transaction.
 *
 * Locks are taken in this order, so that two requests can't deadlock: the shift, the invoice or deposit, the deposit that
 * gets money back, the refund, the counters by name.
 */
import { cashRounding } from '@hms/money';
import {
  type DataReply,
  INVALID_STATE,
  invalidFields,
  Problem,
  type RecordQuery,
  records,
  type Work,
} from '@hms/service';
import type { z } from 'zod';
import { nameOfCaller } from '../../employees/people.ts';
import { patientNames } from '../../patients/names.ts';
import { enterDeposit } from '../deposits/deposits.ts';
import { deposits } from '../deposits/record.ts';
import { changeUsed } from '../deposits/use.ts';
import { billedStatus, type Invoice, invoices } from '../invoices/record.ts';
import { linesOf } from '../invoices/show.ts';
import { enter, paymentsOf } from '../payments/payments.ts';
import type { Method } from '../payments/record.ts';
import { demandShiftFor, holdShift } from '../shifts/hold.ts';
import { SAME_PERSON_APPROVAL } from '../shifts/record.ts';
import { addCreditNote } from './credits.ts';
import {
  CREDIT_EXCEEDS_LINE,
  INVOICE_NOT_REFUNDABLE,
  type payingOut,
  REFUND_EXCEEDS_PAID,
  REFUND_TOO_SMALL,
  type Refund,
  type Refunding,
  refunds,
  type rejection,
  type returning,
  type ShownRefund,
} from './record.ts';
import { creditOf, excessOf, type LineCredit, partsOfRefund } from './terms.ts';

export { creditNotesById, creditQuery, listCreditNotes, readCreditNote } from './credits.ts';
export * from './record.ts';

/**
 * Requests that something of an invoice is cancelled, that money goes back, or both.
 * @throws Problem INVOICE_NOT_FOUND, INVOICE_NOT_REFUNDABLE, CREDIT_EXCEEDS_LINE, REFUND_EXCEEDS_PAID, REFUND_TOO_SMALL,
 * STALE_VERSION, VALIDATION_FAILED.
 */
export async function requestRefund(work: Work, invoiceId: string, body: Refunding): Promise<ShownRefund> {
  const invoice = await records(work, invoices).lock(invoiceId, body.version);
  const credits = await creditsOf(work, invoice, body.lines ?? []);
  const lastMethod = (await paymentsOf(work, invoiceId))
    .findLast(({ kind }) => kind === 'payment')
    ?.parts.at(-1)?.method;
  const { method = lastMethod ?? 'CASH' } = body;
  const excess = excessOf(invoice, credits);
  const isInsurers = body.lines === undefined && method === 'INSURANCE';
  const most = isInsurers ? invoice.insurerPaid : invoice.paid - invoice.refunded - invoice.insurerPaid;
  const { amount = body.lines ? excess.patient + excess.insurer : most } = body;
  const terms = { amount, insurerAmount: isInsurers ? amount : excess.insurer, method };
  demandTerms(invoice, credits, terms);
  const credited = credits.reduce((sum, line) => sum + line.amount, 0);
  if (amount + credited === 0 && most > 0)
    throw invalidFields([{ field: 'amount', in: 'body', message: 'must be 1 or more, if no line is credited' }]);
  if (amount + credited === 0) throw new Problem(REFUND_EXCEEDS_PAID, { details: { most: 0 } });
  const creditLines = credits.map(({ lineId, amount: of }) => ({ lineId, amount: of }));
  const { patientId, currency } = invoice;
  return request(work, { ...terms, invoiceId, patientId, currency, credited, creditLines, reason: body.reason });
}

/** Requests that a deposit goes back. @throws Problem DEPOSIT_NOT_FOUND, REFUND_EXCEEDS_PAID, VALIDATION_FAILED */
export async function requestReturn(
  work: Work,
  depositId: string,
  body: z.output<typeof returning>,
): Promise<ShownRefund> {
  const deposit = await records(work, deposits).lock(depositId, body.version);
  const [first] = await work.trx.query<{ method: Method }>(DEPOSIT_METHOD, [depositId]);
  const { method = first?.method ?? 'CASH', amount = deposit.balance, reason } = body;
  demandPayable(method);
  if (amount === 0 || amount > deposit.balance)
    throw new Problem(REFUND_EXCEEDS_PAID, { details: { most: deposit.balance } });
  const { patientId, currency } = deposit;
  return request(work, { depositId, patientId, currency, amount, method, reason });
}

async function request(work: Work, values: Readonly<Record<string, unknown>>): Promise<ShownRefund> {
  const requestedByName = await nameOfCaller(work);
  return showRefund(work, await records(work, refunds).insert({ ...values, requestedByName }));
}

/**
 * Approves a refund that somebody else has requested. Nothing to pay out is completed at once.
 * @throws Problem REFUND_NOT_FOUND, SAME_PERSON_APPROVAL, INVALID_STATE, STALE_VERSION, and as `requestRefund` if it can't
 * be done any more.
 */
export async function approveRefund(work: Work, id: string, version: number | undefined): Promise<ShownRefund> {
  const { refund, account } = await lockWithAccount(work, id, version);
  if (refund.createdBy === work.caller.sub) throw new Problem(SAME_PERSON_APPROVAL);
  const decided = await decision(work);
  if (refund.status !== 'requested' || refund.amount > 0) {
    await demandPossible(work, refund, account);
    return showRefund(work, await records(work, refunds).moveTo(refund, 'approved', decided));
  }
  const completed = await records(work, refunds).moveTo(refund, 'completed', decided);
  const invoice = account as Invoice;
  const credits = await demandPossible(work, refund, invoice);
  const credit = await addCreditNote(work, invoice, { refundId: id, reason: refund.reason, credits });
  await records(work, invoices).moveTo(invoice, billedStatus({ ...invoice, ...credit }), { ...credit });
  return showRefund(work, completed);
}

/** @throws Problem REFUND_NOT_FOUND, INVALID_STATE, STALE_VERSION */
export async function rejectRefund(
  work: Work,
  id: string,
  { reason, version }: z.output<typeof rejection>,
): Promise<ShownRefund> {
  const own = records(work, refunds);
  const values = { ...(await decision(work)), rejectReason: reason };
  return showRefund(work, await own.moveTo(await own.lock(id, version), 'rejected', values));
}

/**
 * Pays out an approved refund, in the shift of the caller.
 * @throws Problem REFUND_NOT_FOUND, INVALID_STATE, NO_OPEN_SHIFT, STALE_VERSION, and as `requestRefund` if it can't be
 * done any more.
 */
export async function payOutRefund(
  work: Work,
  id: string,
  { reference = undefined, version }: z.output<typeof payingOut>,
): Promise<ShownRefund> {
  const shift = await holdShift(work);
  const { refund, account } = await lockWithAccount(work, id, version);
  const own = records(work, refunds);
  if (refund.status !== 'approved') {
    const details = { from: refund.status, allowed: refunds.states?.[refund.status] ?? [] };
    throw new Problem(INVALID_STATE, {
      message: `The refund is ${refund.status}, and must be approved first`,
      details,
    });
  }
  const credits = await demandPossible(work, refund, account);
  const patientAmount = refund.amount - refund.insurerAmount;
  const rounding = refund.method === 'CASH' ? cashRounding(patientAmount, work.hospital.settings.cashRounding) : 0;
  const depositId = refund.method === 'ADVANCE' ? await depositBack(work, refund, patientAmount) : null;
  const parts = partsOfRefund(refund, { reference: reference ?? null, rounding, depositId });
  demandShiftFor(work, shift, parts);
  await changeUsed(work, parts, -1);
  const entry = { kind: 'refund' as const, parts, shiftId: shift, reason: refund.reason };
  const { payment } =
    refund.depositId === null
      ? await enter(
          work,
          account as Invoice,
          entry,
          credits.length > 0
            ? await addCreditNote(work, account as Invoice, { refundId: id, reason: refund.reason, credits })
            : undefined,
        )
      : await enterDeposit(work, account as Parameters<typeof enterDeposit>[1], entry);
  return showRefund(work, await own.moveTo(refund, 'completed', { paymentId: payment.id }));
}

/** @throws Problem REFUND_NOT_FOUND */
export async function readRefund(work: Work, id: string): Promise<ShownRefund> {
  return showRefund(work, await records(work, refunds).read(id));
}

export async function listRefunds(work: Work, query: RecordQuery): Promise<DataReply<ShownRefund[]>> {
  const { data, ...reply } = await records(work, refunds).list(query);
  return { ...reply, data: await showAll(work, data) };
}

async function showRefund(work: Work, refund: Refund): Promise<ShownRefund> {
  const [shown] = await showAll(work, [refund]);
  return shown as ShownRefund;
}

async function showAll(work: Work, all: readonly Refund[]): Promise<ShownRefund[]> {
  if (all.length === 0) return [];
  const ids = all.map(({ id }) => id);
  const people = all.map(({ patientId }) => patientId);
  const [named, rows] = await Promise.all([patientNames(work, people), work.trx.query<Numbers>(NUMBERS, [ids])]);
  const byId = new Map(rows.map(({ id, ...numbers }) => [id, numbers]));
  const none = { invoiceNo: null, depositNo: null, creditNo: null, receiptNo: null };
  return all.map((refund) => ({ ...refund, ...named(refund.patientId), ...(byId.get(refund.id) ?? none) }));
}

interface Numbers {
  readonly id: string;
  readonly invoiceNo: string | null;
  readonly depositNo: string | null;
  readonly creditNo: string | null;
  readonly receiptNo: string | null;
}

async function lockWithAccount(work: Work, id: string, version: number | undefined) {
  const own = records(work, refunds);
  const found = await own.find(id);
  if (!found) throw new Problem(refunds.notFound);
  const account =
    found.invoiceId === null
      ? await records(work, deposits).lock(found.depositId ?? '')
      : await records(work, invoices).lock(found.invoiceId);
  return { refund: await own.lock(id, version), account };
}

/** What is cancelled, if the refund still can be done. @throws Problem as `requestRefund` */
async function demandPossible(
  work: Work,
  refund: Refund,
  account: Invoice | z.output<typeof deposits.item>,
): Promise<readonly LineCredit[]> {
  if ('depositNo' in account) {
    if (refund.amount > account.balance) throw new Problem(REFUND_EXCEEDS_PAID, { details: { most: account.balance } });
    return [];
  }
  const credits = await creditsOf(work, account, refund.creditLines);
  demandTerms(account, credits, refund);
  return credits;
}

/** @throws Problem INVOICE_NOT_REFUNDABLE, CREDIT_EXCEEDS_LINE, VALIDATION_FAILED */
async function creditsOf(
  work: Work,
  invoice: Invoice,
  lines: readonly { readonly lineId: string; readonly amount?: number | undefined }[],
): Promise<readonly LineCredit[]> {
  const { status } = invoice;
  if (status === 'draft' || status === 'void') throw new Problem(INVOICE_NOT_REFUNDABLE, { details: { status } });
  if (lines.length === 0) return [];
  const billed = new Map((await linesOf(work, [invoice.id])).map((line) => [line.id, line]));
  return lines.map(({ lineId, amount }, index) => {
    const line = billed.get(lineId);
    if (!line)
      throw invalidFields([{ field: `lines.${index}.lineId`, in: 'body', message: 'is no line of the invoice' }]);
    const most = line.total - line.credited;
    if (most === 0 || (amount !== undefined && amount > most))
      throw new Problem(CREDIT_EXCEEDS_LINE, { details: { lineId, seq: line.seq, most } });
    return creditOf(line, amount ?? most);
  });
}

interface Terms {
  readonly amount: number;
  readonly insurerAmount: number;
  readonly method: Method;
}

/** @throws Problem REFUND_EXCEEDS_PAID, REFUND_TOO_SMALL, VALIDATION_FAILED */
function demandTerms(invoice: Invoice, credits: readonly LineCredit[], { amount, insurerAmount, method }: Terms): void {
  const excess = excessOf(invoice, credits);
  const patientPaid = invoice.paid - invoice.refunded - invoice.insurerPaid;
  if (amount - insurerAmount > patientPaid || insurerAmount > invoice.insurerPaid)
    throw new Problem(REFUND_EXCEEDS_PAID, { details: { most: patientPaid, insurerMost: invoice.insurerPaid } });
  if (amount - insurerAmount < excess.patient || insurerAmount < excess.insurer)
    throw new Problem(REFUND_TOO_SMALL, { details: { least: excess.patient + excess.insurer } });
  if (amount > insurerAmount && method !== 'ADVANCE') demandPayable(method);
}

function demandPayable(method: Method): void {
  if (method === 'INSURANCE' || method === 'ADVANCE')
    throw invalidFields([{ field: 'method', in: 'body', message: 'must be CASH, CARD, TRANSFER or MOBILE' }]);
}

/** The deposit that has paid so much of the invoice, and gets it back. It is locked. @throws Problem VALIDATION_FAILED */
async function depositBack(work: Work, { invoiceId }: Refund, amount: number): Promise<string | null> {
  if (amount === 0) return null;
  const [found] = await work.trx.query<{ id: string }>(DEPOSIT_BACK, [invoiceId, amount]);
  if (!found)
    throw invalidFields([
      { field: 'method', in: 'body', message: 'must not be ADVANCE: no deposit has paid so much of the invoice' },
    ]);
  return found.id;
}

async function decision(work: Work) {
  const { caller, trx } = work;
  return { decidedBy: caller.sub, decidedByName: await nameOfCaller(work), decidedAt: trx.moment.toISOString() };
}

const NUMBERS = `
  SELECT refund.id,
    (SELECT invoice_no FROM invoices WHERE id = refund.invoice_id) AS "invoiceNo",
    (SELECT deposit_no FROM deposits WHERE id = refund.deposit_id) AS "depositNo",
    (SELECT credit_no FROM credit_notes WHERE refund_id = refund.id) AS "creditNo",
    (SELECT receipt_no FROM payments WHERE id = refund.payment_id) AS "receiptNo"
  FROM refunds refund WHERE refund.id = ANY ($1)`;
const DEPOSIT_METHOD = `
  SELECT method FROM payment_parts part JOIN payments payment ON payment.id = part.payment_id
  WHERE payment.deposit_id = $1 AND kind = 'payment' ORDER BY part.amount DESC LIMIT 1`;
const DEPOSIT_BACK = `
  SELECT id FROM deposits WHERE id = (
    SELECT part.deposit_id FROM payment_parts part JOIN payments payment ON payment.id = part.payment_id
    WHERE payment.invoice_id = $1 AND part.method = 'ADVANCE' GROUP BY part.deposit_id
    HAVING sum(CASE kind WHEN 'payment' THEN part.amount ELSE -part.amount END) >= $2 ORDER BY part.deposit_id LIMIT 1
  ) FOR UPDATE`;
