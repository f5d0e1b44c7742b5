/**
 * Invoices: the tables `invoices` and `invoice_lines`.
 *
 * A draft changes as often as somebody likes. Issuing gives it a number, and then it stays as it is. It can be void only
 * while nothing is paid. PostgreSQL makes sure that the total is the sum of the lines.
 *
 * The lines of a draft have what VIP memberships give on the day. It is computed when lines or discounts change and when
 * the invoice is issued, while the memberships are held, and whenever a draft is shown. What an issued invoice has stays.
 *
 * Locks are taken in this order, so that two requests can't deadlock: patients by id, the memberships that count, the
 * charges by id, the counter of numbers. A draft is locked before them: whoever has locked a patient waits for no
 * invoice.
 */
import { isDeepStrictEqual } from 'node:util';
import { invalidFields, newId, Problem, records, today, type Work } from '@hms/service';
import type { z } from 'zod';
import { payerOf } from '../../families/families.ts';
import { lockSurvivors, survivorOf } from '../../patients/merges.ts';
import { type Patient, patients } from '../../patients/record.ts';
import { demandCurrency } from '../../prices/prices.ts';
import { type Counting, holdMembershipsFor } from '../../vip/vip.ts';
import { CHARGE_CHANGED } from '../charges/charges.ts';
import { planCheck } from '../payments/invariants.ts';
import { insertLines, meantBy, replaceLines, termsOf } from './lines.ts';
import { invoicePdf } from './pdf.ts';
import {
  type Discount,
  type declining,
  INSURER_OWES_LESS,
  INVOICE_EMPTY,
  INVOICE_HAS_PAYMENTS,
  INVOICE_NOT_DRAFT,
  type Invoice,
  type invoiceChanges,
  invoices,
  type NewLine,
  type newInvoice,
} from './record.ts';
import { discountFrom, type LineTerms, type Service, type Sums, sumsOf, withBenefits } from './sums.ts';
import { takeYearNumber } from './year-number.ts';

export { invoiceFeed } from '../feeds.ts';
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
  const [patient, payer] = await lockPeople(work, body.patientId, body.payerId);
  const { familyId } = patient;
  const { notes, dueOn, insurer, policyNo, coverageBps, payerGroup = null } = body;
  const discount = body.discount ?? undefined;
  const { currency, settings } = work.hospital;
  const { pricesIncludeTax } = settings;
  demandCurrency(body.currency, currency);
  const draft = { id: newId(), patientId: patient.id, payerGroup, coverageBps };
  const memberships = await holdMembershipsFor(work, patient.id, today(work));
  const services = await meantBy(work, body.lines, { draft, before: [], openCharges: body.openCharges });
  const lines = withBenefits(services, memberships);
  const sums = sumsOf(lines, { pricesIncludeTax, discount });
  demandInsurer(insurer, coverageBps > 0 || isInsured(lines));
  const values = {
    ...{ insurer, policyNo, coverageBps },
    ...{ notes, dueOn, patientId: patient.id, payerId: payer.id, familyId, payerGroup, currency, pricesIncludeTax },
    ...{ ...columnsOf(discount), ...sumColumns(lines, sums) },
  };
  const written = await records(work, invoices).insert(values, draft.id);
  await insertLines(work, written, lines, sums);
  return written;
}

/** Locks the patient, and who pays: by default whoever pays for the family. @throws Problem PATIENT_NOT_FOUND */
async function lockPeople(work: Work, patientId: string, payerId: string | undefined) {
  const { id, familyId } = await survivorOf(work, patientId);
  const payer = payerId ?? (familyId === null ? undefined : await payerOf(work, familyId)) ?? id;
  return lockSurvivors(work, id, payer === id ? id : (await asPayer(survivorOf(work, payer))).id);
}

/** @throws Problem PATIENT_NOT_FOUND, which names the payer. */
async function asPayer(found: Promise<Patient>): Promise<Patient> {
  try {
    return await found;
  } catch (error) {
    if (!(error instanceof Problem) || error.kind.code !== patients.notFound.code) throw error;
    throw new Problem({ ...patients.notFound, field: 'payerId' });
  }
}

/** Changes a draft. @throws Problem INVOICE_NOT_DRAFT, and as `draftInvoice`. */
export async function changeInvoice(
  work: Work,
  id: string,
  {
    lines,
    discount,
    payerId,
    payerGroup,
    notes,
    dueOn,
    insurer,
    policyNo,
    coverageBps,
  }: Omit<z.output<typeof invoiceChanges>, 'version'>,
  version: number | undefined,
): Promise<Invoice> {
  const draft = await lockDraft(work, id, version, payerId);
  const values = {
    ...{ notes, dueOn, payerGroup, payerId: draft.payer?.id, insurer, policyNo, coverageBps },
    ...(discount === undefined ? {} : columnsOf(discount ?? undefined)),
  };
  const around = {
    ...draft.invoice,
    ...(payerGroup === undefined ? {} : { payerGroup }),
    ...(coverageBps === undefined ? {} : { coverageBps }),
  };
  if (lines === undefined && discount === undefined && coverageBps === undefined) {
    const { invoice } = draft;
    demandInsurer(insurer === undefined ? invoice.insurer : insurer, invoice.coverageBps > 0 || invoice.insured > 0);
    return records(work, invoices).update(invoice, values);
  }
  const services = lines
    ? await meantBy(work, lines, { draft: around, before: [] })
    : (await termsOf(work, id)).map((line) => coveredAs(line, draft.invoice.coverageBps, around.coverageBps));
  return withLines(work, draft, services, values);
}

/** A line that was covered as the invoice is covered as it is now. */
function coveredAs<Line extends Service>(line: Line, before: number, now: number): Line {
  return line.coverageBps === before ? { ...line, coverageBps: now } : line;
}

/** @throws Problem VALIDATION_FAILED if something is insured by nobody. */
function demandInsurer(insurer: string | null | undefined, isAnyInsured: boolean): void {
  if (insurer || !isAnyInsured) return;
  throw invalidFields([{ field: 'insurer', in: 'body', message: 'is required with coverageBps' }]);
}

function isInsured(lines: readonly Service[]): boolean {
  return lines.some(({ coverageBps }) => coverageBps > 0);
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
  return withLines(work, draft, [...before, ...(await meantBy(work, lines, { draft: draft.invoice, before }))]);
}

/** Adds all open charges of the patient that are on no other invoice. @throws Problem INVOICE_NOT_DRAFT. */
export async function addOpenCharges(work: Work, id: string, version: number | undefined): Promise<Invoice> {
  const draft = await lockDraft(work, id, version);
  const before = await termsOf(work, id);
  const added = await meantBy(work, [], { draft: draft.invoice, before, openCharges: true });
  return added.length === 0 ? draft.invoice : withLines(work, draft, [...before, ...added]);
}

/**
 * Gives a draft its number, with what memberships give today. Something that is free is paid at once.
 * @throws Problem INVOICE_NOT_DRAFT, INVOICE_EMPTY, CHARGE_CHANGED, STALE_VERSION, and VALIDATION_FAILED if a discount is
 * more than what memberships leave.
 */
export async function issueInvoice(work: Work, id: string, version: number | undefined): Promise<Invoice> {
  const draft = await lockDraft(work, id, version);
  const { invoice } = draft;
  if (invoice.lineCount === 0) throw new Problem(INVOICE_EMPTY);
  // The hospital may have another currency since then.
  demandCurrency(invoice.currency, work.hospital.currency);
  const changed = await work.trx.query<{ seq: number }>(CHANGED, [id]);
  if (changed.length > 0) throw new Problem(CHARGE_CHANGED, { details: { lines: changed.map(({ seq }) => seq) } });
  const sums = await benefitsOfToday(work, draft);
  await work.trx.query(CHARGES_CHANGED, [id]);
  const { year, number, at } = await takeYearNumber(work, 'invoice');
  const status = (sums?.total ?? invoice.total) === 0 ? 'paid' : 'issued';
  const invoiceNo = `INV-${year}-${String(number).padStart(6, '0')}`;
  work.addTask(invoicePdf, { invoiceId: id });
  planCheck(work);
  return records(work, invoices).moveTo(invoice, status, { ...sums, invoiceNo, issuedAt: at });
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
  if (invoice.paid + invoice.credited > 0) throw new Problem(INVOICE_HAS_PAYMENTS);
  await work.trx.query(CHARGES_CHANGED, [id]);
  return own.moveTo(invoice, 'void', { voidedAt: work.trx.moment.toISOString(), voidReason: reason });
}

/**
 * Notes that the insurer does not pay its part, or some of it. The patient pays that then.
 * @throws Problem INVOICE_NOT_FOUND, INSURER_OWES_LESS, STALE_VERSION.
 */
export async function declineInsurance(
  work: Work,
  id: string,
  { amount, reason, version }: z.output<typeof declining>,
): Promise<Invoice> {
  const own = records(work, invoices);
  const invoice = await own.lock(id, version);
  const { insurerBalance, declined } = invoice;
  const refused = amount ?? insurerBalance;
  if (refused === 0 || refused > insurerBalance)
    throw new Problem(INSURER_OWES_LESS, { details: { most: insurerBalance } });
  return own.update(invoice, { declined: declined + refused, declineReason: reason });
}

/** Lines whose charge is not the same any more. It holds the charges, so that none changes meanwhile. */
const CHANGED = `
  WITH held AS (
    SELECT line.seq, charge.status = 'open' AND charge.quantity = line.quantity AS is_same
    FROM invoice_lines line JOIN charges charge ON charge.id = line.charge_id
    WHERE line.invoice_id = $1 ORDER BY charge.id FOR NO KEY UPDATE OF charge
  )
  SELECT seq FROM held WHERE NOT is_same ORDER BY seq`;

/** Who follows charges sees that they are billed, or open again. */
const CHARGES_CHANGED = `
  UPDATE charges SET updated_at = moment() WHERE id IN (SELECT charge_id FROM invoice_lines WHERE invoice_id = $1)`;

interface Draft {
  readonly invoice: Invoice;
  /** Who is to pay from now on. */
  readonly payer: Patient | undefined;
  readonly memberships: readonly Counting[];
}

/** Locks a draft, and holds the memberships that count for its patient. @param payerId who is to pay from now on. */
async function lockDraft(work: Work, id: string, version: number | undefined, payerId?: string): Promise<Draft> {
  const invoice = await records(work, invoices).lock(id, version);
  if (invoice.status !== 'draft') throw new Problem(INVOICE_NOT_DRAFT);
  const { patientId } = invoice;
  const payer = payerId === undefined ? undefined : (await lockPeople(work, patientId, payerId))[1];
  return { invoice, payer, memberships: await holdMembershipsFor(work, patientId, today(work)) };
}

/** Writes what memberships give today on the lines of a draft. @returns its sums, if they are others than before. */
async function benefitsOfToday(
  work: Work,
  { invoice, memberships }: Draft,
): Promise<ReturnType<typeof sumColumns> | undefined> {
  const before = await termsOf(work, invoice.id);
  const lines = withBenefits(before, memberships);
  return isDeepStrictEqual(before, lines) ? undefined : writeLines(work, invoice, lines);
}

type DraftChanges = Readonly<Record<string, unknown>> &
  Partial<ReturnType<typeof columnsOf>> & {
    readonly insurer?: string | null | undefined;
    readonly coverageBps?: number | undefined;
  };

/** Computes a draft anew, with these lines. @param values other changes. */
async function withLines(
  work: Work,
  { invoice, memberships }: Draft,
  services: readonly Service[],
  values: DraftChanges = {},
): Promise<Invoice> {
  const { insurer = invoice.insurer, coverageBps = invoice.coverageBps } = values;
  demandInsurer(insurer, coverageBps > 0 || isInsured(services));
  const sums = await writeLines(work, { ...invoice, ...values }, withBenefits(services, memberships));
  return records(work, invoices).update(invoice, { ...values, ...sums });
}

/** Replaces the lines of a draft. @returns its columns with their sums, which the caller writes. */
async function writeLines(
  work: Work,
  draft: Pick<Invoice, 'id' | 'patientId' | 'pricesIncludeTax' | 'discountAmount' | 'discountBps'>,
  lines: readonly LineTerms[],
): Promise<ReturnType<typeof sumColumns>> {
  const discount = discountFrom(draft.discountAmount, draft.discountBps);
  const sums = sumsOf(lines, { pricesIncludeTax: draft.pricesIncludeTax, discount });
  await replaceLines(work, draft, lines, sums);
  return sumColumns(lines, sums);
}

function sumColumns({ length: lineCount }: readonly LineTerms[], sums: Sums) {
  const { subtotal, discount, net, tax, total, insured } = sums;
  return { lineCount, subtotal, discount, net, tax, total, insured };
}

function columnsOf(discount: Discount | undefined) {
  return {
    discountAmount: discount && 'amount' in discount ? discount.amount : null,
    discountBps: discount && 'bps' in discount ? discount.bps : null,
  };
}
