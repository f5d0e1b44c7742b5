/**
 * Which payments a statement confirms, and which it brings.
 *
 * Locks are taken in this order, so that two requests can't deadlock: invoices by id, parts by id, the counter of receipts.
 */
import { Problem, records, type Work } from '@hms/service';
import type { z } from 'zod';
import { nameOfCaller } from '../../employees/people.ts';
import { patientNameIn } from '../../patients/names.ts';
import { demandCurrency } from '../../prices/prices.ts';
import { type Invoice, invoices } from '../invoices/record.ts';
import type { Part } from '../payments/ledger.ts';
import { enter } from '../payments/payments.ts';
import { INVOICE_NOT_PAYABLE, type Method, OVERPAYMENT } from '../payments/record.ts';
import { paymentsById } from '../payments/show.ts';
import { numbersIn, type OpenItem, proposalsFor } from './matching.ts';
import {
  type BankPart,
  type ignoring,
  type matchedOutcome,
  type matching,
  PART_NOT_OPEN,
  PAYMENT_NOT_MATCHING,
  parts,
  type Suggestion,
  statements,
} from './record.ts';

/** Parts that one request matches. */
const BATCH = 50;
/** Suggestions of one part. */
const MOST_SUGGESTIONS = 5;

/**
 * Matches what is certain, in a batch: a payment that was written down already, or an invoice that is named and open with
 * exactly this amount.
 * @throws Problem BANK_STATEMENT_NOT_FOUND
 */
export async function matchCertain(work: Work, statementId: string): Promise<z.output<typeof matchedOutcome>> {
  await records(work, statements).read(statementId);
  const open = await openParts(work, statementId);
  const suggested = await suggestionsFor(work, open);
  const certain = open.flatMap((part) => {
    const [first] = suggested.get(part.id) ?? [];
    return first?.isCertain ? [{ part, suggestion: first }] : [];
  });
  const batch = certain.slice(0, BATCH);
  const locked = new Map<string, Invoice>();
  // A payment that is linked must not become void meanwhile.
  const invoiceIds = batch.flatMap(({ suggestion }) => suggestion.invoiceId ?? []);
  for (const id of [...new Set(invoiceIds)].sort()) locked.set(id, await records(work, invoices).lock(id));
  let matched = 0;
  for (const { part, suggestion } of batch.toSorted((one, other) => (one.part.id < other.part.id ? -1 : 1))) {
    const now = await records(work, parts).lock(part.id);
    // Somebody else may have been faster.
    if (now.status !== 'open' || now.matched !== part.matched) continue;
    if (suggestion.paymentId !== null) {
      const isLinked = await linkPayment(work, now, suggestion.paymentId, suggestion.reason);
      matched += isLinked ? 1 : 0;
      continue;
    }
    const invoice = locked.get(suggestion.invoiceId ?? '');
    if (!invoice || owedBy(invoice, suggestion.debtor ?? 'patient') !== part.amount) continue;
    if (invoice.currency !== part.currency) continue;
    const paid = await payFrom(work, now, invoice, { ...suggestion, amount: part.amount });
    locked.set(invoice.id, paid);
    matched += 1;
  }
  return { matched, left: certain.length - batch.length, open: open.length - matched };
}

/**
 * Matches a part with an invoice, which it pays, or with a payment that was written down already.
 * @throws Problem BANK_PART_NOT_FOUND, PART_NOT_OPEN, INVOICE_NOT_FOUND, INVOICE_NOT_PAYABLE, OVERPAYMENT,
 * PAYMENT_NOT_MATCHING, STALE_VERSION.
 */
export async function matchPart(
  work: Work,
  id: string,
  { invoiceId, debtor, amount, paymentId, version }: z.output<typeof matching>,
): Promise<BankPart> {
  const own = records(work, parts);
  const [payment] = paymentId === undefined ? [] : await paymentsById(work, [paymentId]);
  const lockedId = invoiceId ?? payment?.invoiceId ?? undefined;
  // A payment that is linked must not become void meanwhile.
  const locked = lockedId === undefined ? undefined : await records(work, invoices).lock(lockedId);
  const invoice = invoiceId === undefined ? undefined : locked;
  const part = await own.lock(id, version);
  if (part.status !== 'open') throw new Problem(PART_NOT_OPEN, { details: { status: part.status } });
  if (!invoice) {
    if (!(await linkPayment(work, part, paymentId ?? '', 'chosen'))) throw new Problem(PAYMENT_NOT_MATCHING);
    return own.lock(id);
  }
  if (invoice.status !== 'issued' && invoice.status !== 'partially_paid')
    throw new Problem(INVOICE_NOT_PAYABLE, { details: { status: invoice.status, balance: invoice.balance } });
  demandCurrency(part.currency, invoice.currency);
  const [owed, left] = [owedBy(invoice, debtor), part.amount - part.matched];
  const paid = amount ?? Math.min(owed, left);
  if (part.amount < 0 || paid > left || paid === 0) throw new Problem(PAYMENT_NOT_MATCHING, { details: { left } });
  if (paid > owed) throw new Problem(OVERPAYMENT, { details: { balance: owed, currency: invoice.currency } });
  await payFrom(work, part, invoice, { debtor, amount: paid, reason: 'chosen' });
  return own.lock(id);
}

/** Notes that a part belongs to no payment, such as a fee. @throws Problem BANK_PART_NOT_FOUND, INVALID_STATE, PART_NOT_OPEN */
export async function ignorePart(
  work: Work,
  id: string,
  { reason, version }: z.output<typeof ignoring>,
): Promise<BankPart> {
  const own = records(work, parts);
  const part = await own.lock(id, version);
  if (part.matched > 0) throw new Problem(PART_NOT_OPEN, { details: { status: part.status } });
  return own.moveTo(part, 'ignored', { ignoreReason: reason });
}

/** Takes back that a part is ignored. @throws Problem BANK_PART_NOT_FOUND, INVALID_STATE */
export async function reopenPart(work: Work, id: string, version: number | undefined): Promise<BankPart> {
  const own = records(work, parts);
  return own.moveTo(await own.lock(id, version), 'open', { ignoreReason: null });
}

/** What may belong to parts, by their ids, the strongest first. */
export async function suggestionsFor(
  work: Work,
  all: readonly BankPart[],
): Promise<ReadonlyMap<string, readonly Suggestion[]>> {
  const open = all.filter(({ status }) => status === 'open');
  if (open.length === 0) return new Map();
  const amounts = open.map(({ amount, matched }) => Math.abs(amount) - matched);
  const [items, paid] = await Promise.all([
    work.trx.query<OpenRow>(OPEN, [amounts, open.flatMap(numbersIn)]),
    work.trx.query<PaidRow>(PAID, [open.map(({ id }) => id)]),
  ]);
  const byPart = Map.groupBy(paid, ({ partId }) => partId);
  return new Map(
    open.map((part) => {
      const written = (byPart.get(part.id) ?? []).map((row): Suggestion => {
        const { partId: _, isReferenced, ...shown } = row;
        const isOnly = (byPart.get(part.id) ?? []).filter((one) => one.isReferenced).length === 1;
        return { ...shown, debtor: null, isCertain: isReferenced && isOnly, reason: 'payment' };
      });
      const known = items
        .filter(({ currency }) => currency === part.currency)
        .map((item) => ({ ...item, invoiceId: `${item.invoiceId} ${item.debtor}` }));
      const left = { ...part, amount: part.amount - part.matched };
      const named = proposalsFor(part.amount > 0 ? left : part, known as readonly OpenItem[]).map(
        ({ invoiceId: key, kind, reason }): Suggestion => {
          const item = known.find(({ invoiceId }) => invoiceId === key);
          const [invoiceId = null] = key.split(' ');
          const { invoiceNo = null, debtor = null, payerName = '', balance = 0 } = item ?? {};
          const isCertain = kind === 'automatic' && part.matched === 0;
          return {
            ...{ invoiceId, invoiceNo, debtor, payerName, reason, isCertain },
            ...{ amount: balance, paymentId: null, receiptNo: null },
          };
        },
      );
      return [part.id, [...written, ...named].slice(0, MOST_SUGGESTIONS)] as const;
    }),
  );
}

async function openParts(work: Work, statementId: string): Promise<readonly BankPart[]> {
  const rows = await work.trx.query<{ id: string }>(OPEN_PARTS, [statementId]);
  return records(work, parts).byIds(rows.map(({ id }) => id));
}

function owedBy({ balance, insurerBalance }: Invoice, debtor: 'patient' | 'insurer'): number {
  return debtor === 'insurer' ? insurerBalance : balance - insurerBalance;
}

interface Paying {
  readonly debtor: 'patient' | 'insurer' | null;
  readonly amount: number;
  readonly reason: Suggestion['reason'];
}

/** Pays a locked invoice from a locked part. @returns the invoice after that. */
async function payFrom(
  work: Work,
  part: BankPart,
  invoice: Invoice,
  { debtor, amount, reason }: Paying,
): Promise<Invoice> {
  const method: Method = debtor === 'insurer' ? 'INSURANCE' : 'TRANSFER';
  const reference = (part.reference ?? part.endToEndId)?.slice(0, 100) ?? null;
  const paid: Part = { method, amount, rounding: 0, tendered: null, change: null, reference, depositId: null };
  // It is in no drawer.
  const { payment, updated } = await enter(work, invoice, { kind: 'payment', parts: [paid], shiftId: null });
  await addMatch(work, part, { paymentId: payment.id, position: 1, amount, reason });
  return updated;
}

/** Links a payment that has this amount, unless another part has it. @returns whether it has. */
async function linkPayment(
  work: Work,
  part: BankPart,
  paymentId: string,
  reason: Suggestion['reason'],
): Promise<boolean> {
  const [found] = await work.trx.query<{ position: number; amount: number }>(LINKABLE, [part.id, paymentId]);
  if (!found) return false;
  await addMatch(work, part, { paymentId, ...found, reason });
  return true;
}

interface Match {
  readonly paymentId: string;
  readonly position: number;
  readonly amount: number;
  readonly reason: Suggestion['reason'];
}

async function addMatch(work: Work, part: BankPart, { paymentId, position, amount, reason }: Match): Promise<void> {
  const matched = part.matched + amount;
  const values = [part.id, paymentId, position, amount, reason, work.caller.sub, await nameOfCaller(work)];
  await work.trx.query(INSERT, values);
  const status = matched === Math.abs(part.amount) ? 'matched' : 'open';
  await records(work, parts).moveTo(part, status, { matched });
}

const INSERT = `
  INSERT INTO bank_matches (part_id, payment_id, position, amount, reason, matched_by, matched_by_name)
  VALUES ($1, $2, $3, $4, $5, $6, $7)`;
const OPEN_PARTS = `SELECT id FROM bank_parts WHERE statement_id = $1 AND status = 'open' ORDER BY booked_on, id`;

interface OpenRow extends OpenItem {
  readonly debtor: 'patient' | 'insurer';
  readonly currency: string;
}

/** Open invoices with one of these amounts or numbers, once for each who owes something. */
const OPEN = `
  SELECT * FROM (
    SELECT invoice.id AS "invoiceId", invoice.invoice_no AS "invoiceNo", invoice.currency, debtor.who AS debtor, debtor.owes AS balance,
      debtor.name AS "payerName"
    FROM invoices invoice
    CROSS JOIN LATERAL (VALUES
      ('patient', invoice.balance - invoice.insurer_balance, ${patientNameIn('invoice.payer_id')}),
      ('insurer', invoice.insurer_balance, invoice.insurer)
    ) AS debtor (who, owes, name)
    WHERE invoice.status IN ('issued', 'partially_paid')
  ) owed
  WHERE balance > 0 AND (balance = ANY ($1) OR "invoiceNo" = ANY ($2))
  ORDER BY "invoiceNo", debtor DESC`;

interface PaidRow {
  readonly partId: string;
  readonly paymentId: string;
  readonly receiptNo: string;
  readonly invoiceId: string | null;
  readonly invoiceNo: string | null;
  readonly payerName: string;
  readonly amount: number;
  readonly isReferenced: boolean;
}

/** Money comes in by payments, and leaves by refunds. On a card's account only cards, on a bank's the rest but cash. */
const SAME = `
  paid.amount = abs(part.amount) - part.matched AND (payment.kind = 'payment') = (part.amount > 0)
  AND payment.kind <> 'void' AND NOT EXISTS (SELECT FROM payments WHERE of_payment = payment.id)
  AND paid.method = ANY (CASE account.kind WHEN 'card' THEN ARRAY['CARD', 'MOBILE'] ELSE ARRAY['TRANSFER', 'INSURANCE'] END)
  AND payment.currency = part.currency
  AND NOT EXISTS (SELECT FROM bank_matches WHERE payment_id = payment.id AND position = paid.position)`;
/** Payments of the last 60 days that may be what arrived. The bank names their reference, or their receipt. */
const PAID = `
  SELECT part.id AS "partId", payment.id AS "paymentId", payment.receipt_no AS "receiptNo",
    payment.invoice_id AS "invoiceId", (SELECT invoice_no FROM invoices WHERE id = payment.invoice_id) AS "invoiceNo",
    ${patientNameIn('payment.patient_id')} AS "payerName", paid.amount,
    coalesce(
      length(paid.reference) >= 4
        AND (paid.reference IN (part.reference, part.end_to_end_id) OR strpos(part.text, paid.reference) > 0), false
    ) OR strpos(part.text, payment.receipt_no) > 0 AS "isReferenced"
  FROM bank_parts part
  JOIN bank_accounts account ON account.id = part.bank_account_id
  JOIN payments payment ON payment.paid_at BETWEEN part.booked_on - interval '60 days' AND part.booked_on + interval '5 days'
  JOIN payment_parts paid ON paid.payment_id = payment.id
  WHERE part.id = ANY ($1) AND ${SAME}
  ORDER BY "isReferenced" DESC, payment.paid_at DESC`;
const LINKABLE = `
  SELECT paid.position, paid.amount FROM bank_parts part
  JOIN bank_accounts account ON account.id = part.bank_account_id
  JOIN payments payment ON payment.id::text = $2
  JOIN payment_parts paid ON paid.payment_id = payment.id
  WHERE part.id = $1 AND ${SAME} ORDER BY paid.position LIMIT 1`;
