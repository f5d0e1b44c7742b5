/**
 * Statements of banks and card acquirers: the tables `bank_accounts`, `bank_statements`, `bank_entries`, `bank_parts` and
 * `bank_matches`.
 *
 * A file is imported as a whole or not at all, and what several files have is there once. What is certain is matched
 * without anybody's choice, and people decide on the rest.
 */
import { type DataReply, type RecordQuery, records, type Work } from '@hms/service';
import { suggestionsFor } from './matches.ts';
import { type BankPart, parts, type ShownPart } from './record.ts';

export { importStatement } from './import.ts';
export { ignorePart, matchCertain, matchPart, reopenPart } from './matches.ts';
export * from './record.ts';

export async function listParts(work: Work, query: RecordQuery): Promise<DataReply<ShownPart[]>> {
  const { data, ...reply } = await records(work, parts).list(query);
  return { ...reply, data: await showParts(work, data) };
}

/** Parts with what may belong to them, and what does. */
export async function showParts(work: Work, all: readonly BankPart[]): Promise<ShownPart[]> {
  if (all.length === 0) return [];
  const [suggestions, matched] = await Promise.all([
    suggestionsFor(work, all),
    work.trx.query<MatchRow>(MATCHES, [all.map(({ id }) => id)]),
  ]);
  const byPart = Map.groupBy(matched, ({ partId }) => partId);
  return all.map((part) => ({
    ...part,
    suggestions: [...(suggestions.get(part.id) ?? [])],
    matches: (byPart.get(part.id) ?? []).map(({ partId: _, ...match }) => match),
  }));
}

export async function showPart(work: Work, part: BankPart): Promise<ShownPart> {
  const [shown] = await showParts(work, [part]);
  return shown as ShownPart;
}

type MatchRow = ShownPart['matches'][number] & { readonly partId: string };

const MATCHES = `
  SELECT match.part_id AS "partId", match.payment_id AS "paymentId", payment.receipt_no AS "receiptNo",
    payment.invoice_id AS "invoiceId", (SELECT invoice_no FROM invoices WHERE id = payment.invoice_id) AS "invoiceNo",
    match.amount, match.reason, match.matched_by_name AS "matchedByName"
  FROM bank_matches match JOIN payments payment ON payment.id = match.payment_id
  WHERE match.part_id = ANY ($1) ORDER BY match.matched_at, match.payment_id`;
