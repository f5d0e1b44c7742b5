/**
 * The pharmacy's catalogue: the tables `drugs` and `drug_interactions`.
 *
 * Substances are compared as searches are: without accents, and in small letters.
 */
import { build } from '@hms/database';
import { invalidFields, matchTerms, Problem, records, type Work } from '@hms/service';
import type { Knex } from 'knex';
import type { z } from 'zod';
import { DRUG_INACTIVE, DRUG_NOT_FOUND, type Drug, drugs } from './record.ts';

export { IMPORT_FILE_INVALID } from '../imports/csv.ts';
export {
  INTERACTION_COLUMNS,
  importInteractions,
  interactionFile,
  interactionOutcome,
  LONGEST_INTERACTION_FILE,
  MOST_INTERACTION_ROWS,
} from './interaction-import.ts';
export { interactionsAmong, type KnownInteraction, spellings } from './interactions.ts';
export {
  DRUG_IN_USE,
  DRUG_INACTIVE,
  DRUG_NOT_FOUND,
  type Drug,
  drugs,
  interactions,
} from './record.ts';

/** @throws Problem VALIDATION_FAILED for one of the fields of a dose by weight without the other. */
export async function createDrug(work: Work, body: z.output<typeof drugs.create>): Promise<Drug> {
  demandBoth(body);
  return records(work, drugs).insert(body);
}

/** @throws Problem DRUG_NOT_FOUND, STALE_VERSION, and those of `createDrug`. */
export async function changeDrug(work: Work, id: string, changes: z.output<typeof drugs.changes>): Promise<Drug> {
  const own = records(work, drugs);
  const before = await own.lock(id, changes.version);
  const { mgPerUnit = before.mgPerUnit, maxDailyMgPerKg = before.maxDailyMgPerKg } = changes;
  demandBoth({ mgPerUnit, maxDailyMgPerKg });
  return own.update(before, changes);
}

/** A dose by weight needs both of its fields. */
function demandBoth({ mgPerUnit = null, maxDailyMgPerKg = null }: Partial<z.output<typeof drugs.create>>): void {
  if ((mgPerUnit === null) === (maxDailyMgPerKg === null)) return;
  const [field, other] =
    mgPerUnit === null ? (['mgPerUnit', 'maxDailyMgPerKg'] as const) : (['maxDailyMgPerKg', 'mgPerUnit'] as const);
  throw invalidFields([{ field, in: 'body', message: `is required with ${other}: write both, or neither` }]);
}

/** Drugs that stay active and unchanged until the transaction ends, by id. @throws Problem DRUG_NOT_FOUND, DRUG_INACTIVE. */
export async function holdActive(work: Work, ids: readonly string[]): Promise<ReadonlyMap<string, Drug>> {
  const found = await holdDrugs(work, ids);
  const inactive = [...found.values()].filter(({ status }) => status !== 'active');
  if (inactive.length > 0) {
    throw new Problem(DRUG_INACTIVE, {
      details: { drugs: inactive.map(({ id, code, name }) => ({ id, code, name })) },
    });
  }
  return found;
}

/** As `holdActive`, with inactive ones. */
export async function holdDrugs(work: Work, ids: readonly string[]): Promise<ReadonlyMap<string, Drug>> {
  const wanted = [...new Set(ids)];
  const held = await work.trx.query(HOLD, [wanted]);
  if (held.length < wanted.length) throw new Problem(DRUG_NOT_FOUND);
  return drugsById(work, wanted);
}

/** Locks a drug, even a deleted one, until the transaction ends. Nobody holds it meanwhile. */
export async function lockDrug({ trx }: Work, id: string): Promise<void> {
  await trx.query('SELECT FROM drugs WHERE id = $1 FOR UPDATE', [id]);
}

/** Even deleted ones. The audit log has no event. */
export async function drugsById(work: Work, ids: readonly string[]): Promise<ReadonlyMap<string, Drug>> {
  return new Map((await records(work, drugs).byIds([...new Set(ids)])).map((drug) => [drug.id, drug]));
}

/** Drugs that contain these substances, also inactive ones, by name. */
export async function drugsWith(work: Work, ingredients: readonly string[]): Promise<readonly Drug[]> {
  const rows = await work.trx.query<{ id: string }>(WITH, [JSON.stringify(ingredients)]);
  return [
    ...(
      await drugsById(
        work,
        rows.map(({ id }) => id),
      )
    ).values(),
  ].toSorted((one, other) => (one.name < other.name ? -1 : 1));
}

/** Ids of drugs that a search finds. */
export function drugsMatching(text: string): Knex.QueryBuilder {
  const rows: Knex.QueryBuilder = build.from('drugs').select('id');
  matchTerms(rows, { text: 'drugs.search' }, text);
  return rows;
}

/** Active drugs with what their stock is shown with, for a query of the stock. */
export function drugRows({
  q,
  id,
}: {
  readonly q?: string | undefined;
  readonly id?: string | undefined;
}): Knex.QueryBuilder {
  const rows: Knex.QueryBuilder = build.from('drugs').whereNull('deleted_at').where('status', 'active');
  if (id !== undefined) rows.where('id', id);
  if (q !== undefined) matchTerms(rows, { text: 'drugs.search' }, q);
  return rows.select('id', 'code', 'name', 'unit', 'reorder_level');
}

const HOLD = 'SELECT FROM drugs WHERE id = ANY($1) AND deleted_at IS NULL ORDER BY id FOR SHARE';
const WITH = 'SELECT id FROM drugs WHERE deleted_at IS NULL AND lower(ingredients::text)::jsonb @> lower($1)::jsonb';
