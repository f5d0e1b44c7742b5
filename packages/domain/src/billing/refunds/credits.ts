/** Credit notes, which cancel a part of an issued invoice: the tables `credit_notes` and `credit_note_lines`. */
import { build } from '@hms/database';
import { type DataReply, fields, type ListQuery, listQuery, newId, Problem, readPage, type Work } from '@hms/service';
import type { z } from 'zod';
import { nameOfCaller } from '../../employees/people.ts';
import { patientNames } from '../../patients/names.ts';
import { samePersonIds } from '../../patients/record.ts';
import type { Invoice } from '../invoices/record.ts';
import { takeYearNumber } from '../invoices/year-number.ts';
import { CREDIT_NOTE_NOT_FOUND, type CreditNote } from './record.ts';
import { insuredCredit, type LineCredit } from './terms.ts';

const filters = {
  creditNo: fields.line(40),
  invoiceId: fields.id,
  patientId: fields.id.describe('Also credit notes of those who were merged with the patient'),
};
export const creditQuery = listQuery({ sort: ['issuedAt'], defaultSort: '-issuedAt', filters });
type CreditFilters = z.output<typeof creditQuery>['filters'];

/** What a credit note changes of its invoice. */
export interface Credited {
  readonly credited: number;
  readonly creditedInsured: number;
  readonly lastCredit: number;
}

interface Credit {
  readonly refundId: string;
  readonly reason: string;
  readonly credits: readonly LineCredit[];
}

/** Cancels parts of lines of a locked invoice. @returns what the caller writes to the invoice. */
export async function addCreditNote(
  work: Work,
  invoice: Invoice,
  { refundId, reason, credits }: Credit,
): Promise<Credited> {
  const id = newId();
  const { patientId, currency } = invoice;
  const amount = credits.reduce((sum, line) => sum + line.amount, 0);
  const insured = insuredCredit(invoice, credits);
  const after = {
    credited: invoice.credited + amount,
    creditedInsured: invoice.creditedInsured + insured,
    lastCredit: (invoice.lastCredit ?? 0) + 1,
  };
  const name = await nameOfCaller(work);
  const { year, number, at } = await takeYearNumber(work, 'credit_note');
  const creditNo = `CRN-${year}-${String(number).padStart(6, '0')}`;
  const rows = numbered(credits, insured);
  const values = [
    ...[id, invoice.id, refundId, patientId, currency, after.lastCredit, creditNo, amount, insured],
    ...[after.credited, after.creditedInsured, rows.length, reason, at, work.caller.sub, name],
  ];
  await Promise.all([
    work.trx.query(INSERT, values),
    work.trx.query(INSERT_LINES, [id, JSON.stringify(rows)]),
    work.trx.query(CREDIT_LINES, [JSON.stringify(rows)]),
  ]);
  work.audit({
    ...{ action: 'create', record: 'credit_notes', recordId: id, patientId },
    after: { creditNo, invoiceId: invoice.id, refundId, amount, currency, reason, lines: credits },
  });
  return after;
}

/** The insured parts of the lines are at most what the insurer still owes or has paid. The last ones get less. */
function numbered(credits: readonly LineCredit[], insuredAtMost: number) {
  let [upTo, insuredUpTo] = [0, 0];
  return credits.map((line, index) => {
    const insured = Math.min(line.insured, insuredAtMost - insuredUpTo);
    upTo += line.amount;
    insuredUpTo += insured;
    const { lineId: line_id, ...amounts } = line;
    return { ...amounts, insured, line_id, position: index + 1, up_to: upTo, insured_up_to: insuredUpTo };
  });
}

export async function listCreditNotes(
  work: Work,
  query: Omit<ListQuery, 'includeDeleted'> & { readonly filters: CreditFilters },
): Promise<DataReply<CreditNote[]>> {
  const { creditNo, invoiceId, patientId } = query.filters;
  const rows = build.from('credit_notes').select('id');
  if (creditNo !== undefined) rows.where({ credit_no: creditNo.toUpperCase() });
  if (invoiceId !== undefined) rows.where({ invoice_id: invoiceId });
  if (patientId !== undefined) rows.whereIn('patient_id', samePersonIds(patientId));
  const columns = {
    ...{ sort: { issuedAt: 'issued_at' }, time: 'issued_at', id: 'id' },
    counted: { table: 'credit_notes', isNoticed: false },
  };
  const found = await readPage<{ id: string }>(work, rows, query, columns);
  const ids = found.rows.map(({ id }) => id);
  work.audit({ action: 'list', record: 'credit_notes', details: { ids } });
  return { data: [...(await creditNotesById(work, ids))], meta: found.meta };
}

/** @throws Problem CREDIT_NOTE_NOT_FOUND */
export async function readCreditNote(work: Work, id: string): Promise<CreditNote> {
  const [note] = await creditNotesById(work, [id]);
  if (!note) throw new Problem(CREDIT_NOTE_NOT_FOUND);
  work.audit({ action: 'read', record: 'credit_notes', recordId: id, patientId: note.patientId });
  return note;
}

/** In the order of the ids. */
export async function creditNotesById(work: Work, ids: readonly string[]): Promise<readonly CreditNote[]> {
  if (ids.length === 0) return [];
  const rows = await work.trx.query<Row>(NOTES, [ids]);
  const named = await patientNames(
    work,
    rows.flatMap(({ patientId, payerId }) => [patientId, payerId]),
  );
  const byId = new Map(
    rows.map(({ payerId, issuedAt, ...row }) => [
      row.id,
      { ...row, ...named(row.patientId), payerName: named(payerId).patientName, issuedAt: issuedAt.toISOString() },
    ]),
  );
  return ids.flatMap((id) => byId.get(id) ?? []);
}

interface Row extends Omit<CreditNote, 'issuedAt' | 'patientCode' | 'patientName' | 'payerName'> {
  readonly payerId: string;
  readonly issuedAt: Date;
}

const NOTES = `
  SELECT note.id, note.credit_no AS "creditNo", note.invoice_id AS "invoiceId", invoice.invoice_no AS "invoiceNo",
    note.refund_id AS "refundId", note.patient_id AS "patientId", invoice.payer_id AS "payerId", note.currency,
    note.amount, note.insured, note.reason, note.issued_at AS "issuedAt", note.issued_by_name AS "issuedByName",
    (SELECT jsonb_agg(
       jsonb_build_object('lineId', line.line_id, 'seq', billed.seq, 'description', billed.description,
         'taxBps', billed.tax_bps, 'amount', line.amount, 'net', line.net, 'tax', line.tax, 'insured', line.insured,
         'discount', line.discount) ORDER BY line.position)
     FROM credit_note_lines line JOIN invoice_lines billed ON billed.id = line.line_id
     WHERE line.credit_note_id = note.id) AS lines
  FROM credit_notes note JOIN invoices invoice ON invoice.id = note.invoice_id
  WHERE note.id = ANY ($1)`;

const INSERT = `
  INSERT INTO credit_notes (
    id, invoice_id, refund_id, patient_id, currency, number, credit_no, amount, insured, credited, credited_insured,
    line_count, reason, issued_at, issued_by, issued_by_name
  )
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16)`;

const ROWS = `
  jsonb_to_recordset($JSON::jsonb) AS line (
    position integer, line_id uuid, amount bigint, net bigint, tax bigint, insured bigint, discount bigint, up_to bigint,
    insured_up_to bigint
  )`;

const INSERT_LINES = `
  INSERT INTO credit_note_lines (
    credit_note_id, position, line_id, amount, net, tax, insured, discount, up_to, insured_up_to
  )
  SELECT $1, position, line_id, amount, net, tax, insured, discount, up_to, insured_up_to
  FROM ${ROWS.replace('$JSON', '$2')}`;

const CREDIT_LINES = `
  UPDATE invoice_lines billed SET credited = billed.credited + line.amount
  FROM ${ROWS.replace('$JSON', '$1')} WHERE billed.id = line.line_id`;
