/**
 * Invoices: the tables `invoices` and `invoice_lines`.
 *
 * A draft changes as often as somebody likes. Issuing gives it a number, and then it stays as it is. It can be void only
 * while nothing is paid. PostgreSQL makes sure that the total is the sum of the lines.
 *
 * Locks are taken in this order, so that two requests can't deadlock: the patient, the invoice, the charges by id, the
 * counter of numbers.
 */
import type { Invoice as Sums } from '@hms/money';
import { newId, Problem, records, type Work } from '@hms/service';
import type { z } from 'zod';
import { payerOf } from '../../families/families.ts';
import { lockSurvivor, samePerson } from '../../patients/merges.ts';
import { patients } from '../../patients/record.ts';
import { demandCurrency } from '../../prices/prices.ts';
import { CHARGE_CANCELLED, charges } from '../charges/charges.ts';
import { planCheck } from '../payments/invariants.ts';
import { insertLines, type LineTerms, meantBy, ofCharge, replaceLines, sumsOf } from './lines.ts';
import { invoicePdf } from './pdf.ts';
import {
  type Discount,
  INVOICE_EMPTY,
  INVOICE_HAS_PAYMENTS,
  INVOICE_NOT_DRAFT,
  type Invoice,
  type invoiceChanges,
  invoices,
  type NewLine,
  type newInvoice,
} from './record.ts';
import { linesOf } from './show.ts';
import { takeYearNumber } from './year-number.ts';

export { openBills } from './open.ts';
export {
  INVOICE_PDF_NOT_READY,
  invoiceFile,
  invoicePdf,
  invoicePdfUrl,
  issueInvoicePdf,
  printableInvoice,
} from './pdf.ts';
export * from './record.ts';
export { invoicesById, listInvoices, readInvoice, showInvoice } from './show.ts';
export { takeYearNumber } from './year-number.ts';

/**
 * Writes a draft.
 * @throws Problem PATIENT_NOT_FOUND, PRICE_ITEM_NOT_FOUND, NO_PRICE, CHARGE_NOT_FOUND, CHARGE_INVOICED, VALIDATION_FAILED.
 */
export async function draftInvoice(work: Work, body: z.output<typeof newInvoice>): Promise<Invoice> {
  const patient = await lockSurvivor(work, body.patientId);
  const { familyId } = patient;
  const payer = body.payerId ?? (familyId === null ? undefined : await payerOf(work, familyId)) ?? patient.id;
  const payerId = payer === patient.id ? payer : await lockPayer(work, payer);
  const { notes, dueOn, payerGroup = null } = body;
  const discount = body.discount ?? undefined;
  const { currency, settings } = work.hospital;
  const { pricesIncludeTax } = settings;
  demandCurrency(body.currency, currency);
  const draft = { id: newId(), patientId: patient.id, payerGroup };
  const named = await meant(work, draft, body.lines);
  const open = body.openCharges ? await uninvoiced(work, draft) : [];
  const lines = [...named, ...open.filter(({ chargeId }) => !named.some((line) => line.chargeId === chargeId))];
  const sums = sumsOf(lines, { pricesIncludeTax, discount });
  const values = {
    ...{ notes, dueOn, patientId: patient.id, payerId, familyId, payerGroup, currency, pricesIncludeTax },
    ...{ ...columnsOf(discount), ...sumColumns(lines, sums) },
  };
  const written = await records(work, invoices).insert(values, draft.id);
  await insertLines(work, draft.id, lines, sums);
  return written;
}

/** @throws Problem PATIENT_NOT_FOUND, which names the payer. */
async function lockPayer(work: Work, id: string): Promise<string> {
  try {
    return (await lockSurvivor(work, id)).id;
  } catch (error) {
    if (!(error instanceof Problem) || error.kind.code !== patients.notFound.code) throw error;
    throw new Problem({ ...patients.notFound, field: 'payerId' });
  }
}

/** Changes a draft. @throws Problem INVOICE_NOT_DRAFT, and as `draftInvoice`. */
export async function changeInvoice(
  work: Work,
  id: string,
  { lines, discount, payerId, payerGroup, notes, dueOn }: Omit<z.output<typeof invoiceChanges>, 'version'>,
  version: number | undefined,
): Promise<Invoice> {
  const own = records(work, invoices);
  const before = await lockDraft(work, id, version);
  const payer = payerId === undefined ? undefined : await lockPayer(work, payerId);
  const after = await own.update(before, {
    ...{ notes, dueOn, payerGroup, payerId: payer },
    ...(discount === undefined ? {} : columnsOf(discount ?? undefined)),
  });
  if (lines === undefined && discount === undefined) return after;
  return withLines(work, after, lines ? await meant(work, after, lines) : await termsOf(work, id));
}

/** Adds lines to a draft. @throws Problem as `changeInvoice`. */
export async function addLines(
  work: Work,
  id: string,
  lines: readonly NewLine[],
  version: number | undefined,
): Promise<Invoice> {
  const draft = await lockDraft(work, id, version);
  const before = await termsOf(work, id);
  return withLines(work, draft, [...before, ...(await meant(work, draft, lines, before))]);
}

/** Adds all open charges of the patient that are on no other invoice. @throws Problem INVOICE_NOT_DRAFT. */
export async function addOpenCharges(work: Work, id: string, version: number | undefined): Promise<Invoice> {
  const draft = await lockDraft(work, id, version);
  const added = await uninvoiced(work, draft);
  return added.length === 0 ? draft : withLines(work, draft, [...(await termsOf(work, id)), ...added]);
}

/**
 * Gives a draft its number. Something that is free is paid at once.
 * @throws Problem INVOICE_NOT_DRAFT, INVOICE_EMPTY, CHARGE_CANCELLED, STALE_VERSION.
 */
export async function issueInvoice(work: Work, id: string, version: number | undefined): Promise<Invoice> {
  const draft = await lockDraft(work, id, version);
  if (draft.lineCount === 0) throw new Problem(INVOICE_EMPTY);
  // The hospital may have another currency since then.
  demandCurrency(draft.currency, work.hospital.currency);
  const cancelled = await work.trx.query<{ seq: number }>(CANCELLED, [id]);
  if (cancelled.length > 0)
    throw new Problem(CHARGE_CANCELLED, { details: { lines: cancelled.map(({ seq }) => seq) } });
  const { year, number, at } = await takeYearNumber(work, 'invoice');
  const status = draft.total === 0 ? 'paid' : 'issued';
  const invoiceNo = `INV-${year}-${String(number).padStart(6, '0')}`;
  work.addTask(invoicePdf, { invoiceId: id });
  planCheck(work);
  return records(work, invoices).moveTo(draft, status, { invoiceNo, issuedAt: at });
}

/** @throws Problem INVOICE_HAS_PAYMENTS, INVALID_STATE, STALE_VERSION. */
export async function voidInvoice(
  work: Work,
  id: string,
  reason: string,
  version: number | undefined,
): Promise<Invoice> {
  const own = records(work, invoices);
  const invoice = await own.lock(id, version);
  if (invoice.paid > 0) throw new Problem(INVOICE_HAS_PAYMENTS);
  return own.moveTo(invoice, 'void', { voidReason: reason });
}

/** Locks what the patient has to pay that is on no invoice. */
async function uninvoiced(work: Work, draft: Draft): Promise<readonly LineTerms[]> {
  const own = records(work, charges);
  const added: LineTerms[] = [];
  for (const { id } of await work.trx.query<{ id: string }>(UNINVOICED, [await people(work, draft)])) {
    const charge = await own.lock(id);
    if (charge.status === 'open') added.push(ofCharge(charge));
  }
  return added;
}

/** Open charges of a patient that are on no invoice. @param patientIds those who are one person. */
const UNINVOICED = `
  SELECT id FROM charges charge
  WHERE patient_id = ANY ($1) AND status = 'open' AND deleted_at IS NULL
    AND NOT EXISTS (SELECT FROM invoice_lines WHERE charge_id = charge.id AND is_living)
  ORDER BY id`;

/** Lines whose charge was cancelled. It holds the charges, so that none is cancelled meanwhile. */
const CANCELLED = `
  WITH held AS (
    SELECT charge.status, line.seq FROM invoice_lines line JOIN charges charge ON charge.id = line.charge_id
    WHERE line.invoice_id = $1 ORDER BY charge.id FOR SHARE OF charge
  )
  SELECT seq FROM held WHERE status = 'cancelled' ORDER BY seq`;

type Draft = Pick<Invoice, 'id' | 'patientId' | 'payerGroup'>;

async function lockDraft(work: Work, id: string, version: number | undefined): Promise<Invoice> {
  const invoice = await records(work, invoices).lock(id, version);
  if (invoice.status !== 'draft') throw new Problem(INVOICE_NOT_DRAFT);
  return invoice;
}

/** @param before lines that stay. */
async function meant(
  work: Work,
  draft: Draft,
  lines: readonly NewLine[],
  before: readonly LineTerms[] = [],
): Promise<readonly LineTerms[]> {
  return meantBy(work, lines, { draft, before, patientIds: await people(work, draft) });
}

function people(work: Work, { patientId }: Draft): Promise<readonly string[]> {
  return samePerson(work, patientId);
}

async function termsOf(work: Work, invoiceId: string): Promise<readonly LineTerms[]> {
  const lines = await linesOf(work, [invoiceId]);
  return lines.map(({ discountAmount, discountBps, ...line }) => ({
    ...line,
    discount: discountFrom(discountAmount, discountBps),
  }));
}

/** Computes a draft anew, with these lines. */
async function withLines(work: Work, draft: Invoice, lines: readonly LineTerms[]): Promise<Invoice> {
  const { pricesIncludeTax, discountAmount, discountBps } = draft;
  const sums = sumsOf(lines, { pricesIncludeTax, discount: discountFrom(discountAmount, discountBps) });
  await replaceLines(work, draft.id, lines, sums);
  return records(work, invoices).update(draft, sumColumns(lines, sums));
}

function sumColumns({ length: lineCount }: readonly LineTerms[], { subtotal, discount, net, tax, total }: Sums) {
  return { lineCount, subtotal, discount, net, tax, total };
}

function discountFrom(amount: number | null, bps: number | null): Discount | undefined {
  if (amount !== null) return { amount };
  return bps === null ? undefined : { bps };
}

function columnsOf(discount: Discount | undefined) {
  return {
    discountAmount: discount && 'amount' in discount ? discount.amount : null,
    discountBps: discount && 'bps' in discount ? discount.bps : null,
  };
}
