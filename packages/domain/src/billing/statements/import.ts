/** Imports the file of a bank: once, as a whole or not at all, and only if its entries add up to its balance. */
import { createHash } from 'node:crypto';
import { newId, Problem, records, type Work } from '@hms/service';
import type { z } from 'zod';
import { readCamt } from './reading/camt.ts';
import { readCsv } from './reading/csv.ts';
import { csvMapping } from './reading/mapping.ts';
import { type Statement, StatementError } from './reading/statement.ts';
import { identitiesOf, referenceOfBank, sumDifference } from './reading/sums.ts';
import {
  type BankAccount,
  type BankStatement,
  bankAccounts,
  type importing,
  STATEMENT_ALREADY_IMPORTED,
  STATEMENT_DOES_NOT_ADD_UP,
  STATEMENT_INVALID,
  STATEMENT_OF_ANOTHER_ACCOUNT,
  statements,
} from './record.ts';

/**
 * Imports all statements of a file that are of this account. Entries that an earlier file had are left out.
 * @throws Problem BANK_ACCOUNT_NOT_FOUND, STATEMENT_INVALID, STATEMENT_DOES_NOT_ADD_UP, STATEMENT_OF_ANOTHER_ACCOUNT,
 * STATEMENT_ALREADY_IMPORTED.
 */
export async function importStatement(
  work: Work,
  accountId: string,
  { fileName, content }: z.output<typeof importing>,
): Promise<readonly BankStatement[]> {
  const bytes = Buffer.from(content, 'base64');
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  // Files of one account come one after the other.
  const account = await records(work, bankAccounts).lock(accountId);
  const known = await work.trx.query<{ id: string }>(KNOWN, [accountId, sha256, account.accountNo === null]);
  if (known.length > 0)
    throw new Problem(STATEMENT_ALREADY_IMPORTED, { details: { statementIds: known.map(({ id }) => id) } });
  const read = ownOf(account, readFile(account, bytes));
  for (const statement of read) demandAddsUp(statement);
  const imported: BankStatement[] = [];
  for (const [index, statement] of read.entries())
    imported.push(await addStatement(work, account, statement, { fileName, sha256, position: index + 1 }));
  return imported;
}

/** @throws Problem STATEMENT_INVALID */
function readFile(account: BankAccount, bytes: Uint8Array): readonly Statement[] {
  try {
    return account.format === 'csv'
      ? [readCsv(bytes, csvMapping.parse(account.mapping))]
      : readCamt(bytes, { flipsReversals: account.flipsReversals });
  } catch (error) {
    if (!(error instanceof StatementError)) throw error;
    throw new Problem(STATEMENT_INVALID, { message: error.message });
  }
}

/**
 * The statements of this account: a file may have those of several ones.
 * @throws Problem STATEMENT_OF_ANOTHER_ACCOUNT if none is, or if the account does not say which ones are.
 */
function ownOf({ accountNo, currency }: BankAccount, all: readonly Statement[]): readonly Statement[] {
  const numbers = [...new Set(all.map(({ account }) => bare(account)))];
  const isOwn = ({ account }: Statement) => accountNo === null || account === '' || bare(account) === bare(accountNo);
  const own = all.filter(isOwn);
  const isClear = own.length > 0 && (accountNo !== null || numbers.length === 1);
  if (isClear && own.every((statement) => statement.currency === currency)) return own;
  const file = all.map((statement) => ({ accountNo: statement.account, currency: statement.currency }));
  throw new Problem(STATEMENT_OF_ANOTHER_ACCOUNT, { details: { account: { accountNo, currency }, file } });
}

/** @throws Problem STATEMENT_DOES_NOT_ADD_UP */
function demandAddsUp(statement: Statement): void {
  const { opening, closing, statementId, currency } = statement;
  const difference = sumDifference(statement);
  if (difference === null || difference === 0) return;
  const sum = (closing ?? 0) - (opening ?? 0) - difference;
  throw new Problem(STATEMENT_DOES_NOT_ADD_UP, {
    details: { statementId, opening, closing, sum, difference, currency },
  });
}

function bare(accountNo: string): string {
  return accountNo.toUpperCase().replaceAll(/[^0-9A-Z]/g, '');
}

interface File {
  readonly fileName: string;
  readonly sha256: string;
  readonly position: number;
}

async function addStatement(
  work: Work,
  account: BankAccount,
  statement: Statement,
  file: File,
): Promise<BankStatement> {
  const id = newId();
  const identities = identitiesOf(statement);
  const { opening, closing, currency, fromDay, toDay } = statement;
  const [[before], [last], known] = await Promise.all([
    work.trx.query<Ending>(BEFORE, [account.id, fromDay ?? toDay]),
    work.trx.query<Ending>(LAST, [account.id]),
    work.trx.query<{ identity: string }>(SEEN, [account.id, identities]),
  ]);
  const seen = new Set(known.map(({ identity }) => identity));
  // It begins where the last one ends, so what looks alike is something else, unless the bank's own reference says that
  // it is the same.
  const continues =
    last !== undefined && opening !== null && closing !== opening && last.closing === opening && isAfter(fromDay, last);
  const entries = statement.entries.flatMap((entry, index) => {
    const identity = identities[index] ?? '';
    const added = { ...entry, position: index + 1, id: newId() };
    if (!seen.has(identity)) return [{ ...added, identity }];
    return continues && referenceOfBank(entry) === null ? [{ ...added, identity: `${identity} ${id}` }] : [];
  });
  const isOff = opening !== null && before !== undefined && before.closing !== null && before.closing !== opening;
  // A statement that was read before leaves no gap.
  const hasGap = isOff && entries.length > 0;
  const written = await records(work, statements).insert(
    {
      ...file,
      ...{
        bankAccountId: account.id,
        externalId: statement.statementId?.slice(0, 100) ?? null,
        currency,
        fromDay,
        toDay,
      },
      ...{ opening, closing, entryCount: statement.entries.length, newEntries: entries.length, hasGap },
    },
    id,
  );
  const rows = entries.map(({ parts: _, ...entry }) => entry);
  const parts = entries.flatMap(({ id: entryId, bookedOn, status, parts: own }) =>
    own.map((part) => ({
      ...part,
      ...{ id: newId(), entryId, bookedOn, status: status === 'booked' ? 'open' : 'pending' },
    })),
  );
  await work.trx.query(INSERT_ENTRIES, [id, account.id, text(rows)]);
  await work.trx.query(INSERT_PARTS, [id, account.id, currency, text(parts), work.caller.sub]);
  return written;
}

interface Ending {
  readonly closing: number | null;
  readonly toDay: string | null;
}

function isAfter(fromDay: string | null, { toDay }: Ending): boolean {
  return fromDay !== null && toDay !== null && fromDay >= toDay;
}

/** As JSON, without a character that PostgreSQL does not store. */
function text(rows: readonly object[]): string {
  return JSON.stringify(rows).replaceAll('\\u0000', '');
}

/** An account without a number takes every file, so a file that another one has may be its own money. */
const KNOWN = `
  SELECT statement.id FROM bank_statements statement JOIN bank_accounts account ON account.id = statement.bank_account_id
  WHERE statement.sha256 = $2 AND (account.id = $1 OR account.account_no IS NULL OR $3)
  ORDER BY account.id, statement.position`;
const SEEN = 'SELECT identity FROM bank_entries WHERE bank_account_id = $1 AND identity = ANY ($2)';
const BEFORE = `
  SELECT closing, to_day::text AS "toDay" FROM bank_statements WHERE bank_account_id = $1 AND to_day <= $2
  ORDER BY to_day DESC, created_at DESC, position DESC LIMIT 1`;
const LAST = `
  SELECT closing, to_day::text AS "toDay" FROM bank_statements WHERE bank_account_id = $1
  ORDER BY to_day DESC NULLS LAST, created_at DESC, position DESC LIMIT 1`;
const INSERT_ENTRIES = `
  INSERT INTO bank_entries (
    id, bank_account_id, statement_id, identity, position, booked_on, value_on, amount, status, is_reversal, is_batch,
    bank_reference
  )
  SELECT id, $2, $1, identity, position, "bookedOn", "valueOn", amount, status, "isReversal", "isBatch", "bankReference"
  FROM jsonb_to_recordset($3::jsonb) AS entry (
    id uuid, identity text, position integer, "bookedOn" date, "valueOn" date, amount bigint, status text,
    "isReversal" boolean, "isBatch" boolean, "bankReference" text
  )`;
// An amount of 0 is nothing that anybody has to match.
const INSERT_PARTS = `
  INSERT INTO bank_parts (
    id, entry_id, statement_id, bank_account_id, currency, booked_on, amount, reference, end_to_end_id, text, party_name,
    party_account, status, created_by, updated_by
  )
  SELECT id, "entryId", $1, $2, $3, "bookedOn", amount, left(reference, 200), left("endToEndId", 200), text,
    left("partyName", 200), left("partyAccount", 100), CASE amount WHEN 0 THEN 'pending' ELSE status END, $5, $5
  FROM jsonb_to_recordset($4::jsonb) AS part (
    id uuid, "entryId" uuid, "bookedOn" date, amount bigint, reference text, "endToEndId" text, text text,
    "partyName" text, "partyAccount" text, status text
  )`;
