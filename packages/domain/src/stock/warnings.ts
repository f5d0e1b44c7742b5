/**
 * What pharmacists are told about the stock, without looking for it: the table `stock_warnings`.
 *
 * A check finds what is wrong now. What it finds for the first time is a warning, which stays for as long as its reason
 * does: nobody is told twice, and whoever solved it is told again when it comes back. Another module sends the mails.
 */
import { build } from '@hms/database';
import { fields, newId, records, type TaskName, today, type Work } from '@hms/service';
import { z } from 'zod';
import { drugsById } from '../drugs/drugs.ts';
import { addressesWith } from '../employees/people.ts';
import { addDays } from '../schedules/rules.ts';
import { levelRows } from './levels.ts';
import { batches } from './record.ts';

const HOUR = 3_600_000;

const nothing = z.object({});
/** Looks for what is wrong with the stock of a hospital, each hour from its first batch on. */
export const stockCheck: TaskName<z.output<typeof nothing>> = { name: 'stock-check', input: nothing, attempts: 16 };

const ofCheck = z.object({ checkId: z.uuid() });
/** Mails what a check has found. */
export const stockWarningMail: TaskName<z.output<typeof ofCheck>> = {
  name: 'stock-warning-mail',
  input: ofCheck,
  attempts: 16,
};

export const stockWarnings = z
  .object({
    belowReorderLevel: z.int().describe('Active drugs of which less is available than their reorder level'),
    expiring: z.int().describe('Batches that expire within the days that the hospital has chosen'),
    onlyExpired: z.int().describe('Active drugs of which nothing but expired units is left to dispense'),
    latestAt: fields.timestamp.nullable().describe('When the latest of these warnings was given'),
  })
  .meta({ id: 'StockWarnings' });

/** A drug as mails show it. */
interface WarnedDrug {
  readonly name: string;
  readonly code: string;
}

/** The warnings of one check whose reasons still last, each part by name, and batches by their last day. */
export interface NewWarnings {
  /** Addresses. */
  readonly recipients: readonly string[];
  readonly belowReorderLevel: readonly WarnedDrug[];
  readonly expiring: readonly (WarnedDrug & { readonly batchNo: string; readonly expiresOn: string })[];
  readonly onlyExpired: readonly WarnedDrug[];
  /** In the portal: what has to be ordered, and what expires or has expired. */
  readonly links: { readonly toOrder: string; readonly expiring: string };
}

/** Plans the check of the next full hour. A plan for the same hour replaces it. */
export function planStockCheck(work: Pick<Work, 'addTask'>): void {
  const hour = new Date((Math.floor(Date.now() / HOUR) + 1) * HOUR);
  work.addTask(stockCheck, {}, { key: hour.toISOString(), runAt: hour });
}

/** Gives the warnings that are new, forgets those whose reason is gone, and plans the next check. */
export async function checkStock(work: Work): Promise<void> {
  // One check at a time, so that two at once neither warn twice nor of what was just solved.
  await work.trx.query(ALONE);
  const reasons = JSON.stringify(await reasonsNow(work));
  const checkId = newId();
  const [, given] = await Promise.all([work.trx.query(FORGET, [reasons]), work.trx.query(GIVE, [checkId, reasons])]);
  if (given.length > 0) work.addTask(stockWarningMail, { checkId });
  planStockCheck(work);
}

/** How many warnings of each kind there are. */
export async function readStockWarnings({ trx }: Work): Promise<z.output<typeof stockWarnings>> {
  const rows = await trx.query<{ kind: Kind; many: number; latest: Date }>(COUNTS);
  const many = (kind: Kind) => rows.find((row) => row.kind === kind)?.many ?? 0;
  const latest = rows.map((row) => row.latest.toISOString()).sort();
  return {
    belowReorderLevel: many('below_reorder_level'),
    expiring: many('expiring'),
    onlyExpired: many('only_expired'),
    latestAt: latest.at(-1) ?? null,
  };
}

/** What the mail about a check says. @returns undefined if all of it is solved. */
export async function warningsOf(work: Work, { checkId }: z.output<typeof ofCheck>): Promise<NewWarnings | undefined> {
  const rows = await work.trx.query<WarningRow>(OF_CHECK, [checkId]);
  if (rows.length === 0) return undefined;
  const [drugs, expiring, recipients] = await Promise.all([
    drugsById(
      work,
      rows.map(({ drugId }) => drugId),
    ),
    records(work, batches).byIds(rows.flatMap(({ batchId }) => batchId ?? [])),
    addressesWith(work, 'stock.warnings'),
  ]);
  const drug = (id: string): WarnedDrug => ({ name: drugs.get(id)?.name ?? '', code: drugs.get(id)?.code ?? '' });
  const drugsOf = (kind: Kind) =>
    rows
      .filter((row) => row.kind === kind)
      .map(({ drugId }) => drug(drugId))
      .sort((one, other) => one.name.localeCompare(other.name));
  const { portal } = work.hospital;
  return {
    recipients,
    belowReorderLevel: drugsOf('below_reorder_level'),
    expiring: expiring
      .map(({ drugId, batchNo, expiresOn }) => ({ ...drug(drugId), batchNo, expiresOn: expiresOn.slice(0, 10) }))
      .sort((one, other) => one.expiresOn.localeCompare(other.expiresOn)),
    onlyExpired: drugsOf('only_expired'),
    links: { toOrder: `${portal}/stock?below=true`, expiring: `${portal}/stock?tab=batches&soon=true` },
  };
}

type Kind = 'below_reorder_level' | 'expiring' | 'only_expired';

interface WarningRow {
  readonly kind: Kind;
  readonly drugId: string;
  readonly batchId: string | null;
}

/** What is wrong at the moment, on this day in the hospital's calendar. */
async function reasonsNow(work: Work): Promise<readonly WarningRow[]> {
  const day = today(work);
  const end = addDays(day, work.hospital.settings.expiryWarningDays);
  const short = build
    .from(levelRows(day, {}).as('level'))
    .whereRaw('(available < reorder_level OR (available = 0 AND expired > 0))')
    .select('id', 'available', 'expired', 'reorder_level');
  const expiring = build
    .from('stock_batches')
    .where('status', 'active')
    .where('on_hand', '>', 0)
    .where('expires_on', '>=', day)
    .where('expires_on', '<', end)
    .select('id', 'drug_id');
  const [drugs, found] = await Promise.all([
    work.trx.run<ShortDrug>(short),
    work.trx.run<{ id: string; drug_id: string }>(expiring),
  ]);
  return [
    ...drugs.flatMap(kindsOf),
    ...found.map(({ id, drug_id }) => ({ kind: 'expiring' as const, drugId: drug_id, batchId: id })),
  ];
}

interface ShortDrug {
  readonly id: string;
  readonly available: number;
  readonly expired: number;
  readonly reorder_level: number;
}

function kindsOf({ id: drugId, available, expired, reorder_level }: ShortDrug): readonly WarningRow[] {
  const kinds: Kind[] = [];
  if (available < reorder_level) kinds.push('below_reorder_level');
  if (available === 0 && expired > 0) kinds.push('only_expired');
  return kinds.map((kind) => ({ kind, drugId, batchId: null }));
}

const REASONS = (parameter: string) =>
  `jsonb_to_recordset(${parameter}::jsonb) AS reason(kind text, "drugId" uuid, "batchId" uuid)`;

const ALONE = 'LOCK TABLE stock_warnings IN SHARE ROW EXCLUSIVE MODE';
const FORGET = `
  DELETE FROM stock_warnings known WHERE NOT EXISTS (
    SELECT FROM ${REASONS('$1')}
    WHERE reason.kind = known.kind AND coalesce("batchId", "drugId") = coalesce(known.batch_id, known.drug_id)
  )`;
const GIVE = `
  INSERT INTO stock_warnings (kind, drug_id, batch_id, check_id)
  SELECT kind, "drugId", "batchId", $1 FROM ${REASONS('$2')}
  ON CONFLICT DO NOTHING RETURNING kind`;
const COUNTS = 'SELECT kind, count(*) AS many, max(warned_at) AS latest FROM stock_warnings GROUP BY kind';
const OF_CHECK = `
  SELECT kind, drug_id AS "drugId", batch_id AS "batchId" FROM stock_warnings WHERE check_id = $1`;
