/** How much of each drug there is, and what has to be ordered. */
import { build } from '@hms/database';
import { fields, pageParameters, queryBoolean, readPage, today, type Work } from '@hms/service';
import type { Knex } from 'knex';
import { z } from 'zod';
import { drugRows } from '../drugs/drugs.ts';

export const drugLevel = z
  .object({
    drugId: z.uuid(),
    code: z.string(),
    name: z.string(),
    unit: z.string(),
    available: z.int().describe('Units that may be dispensed today'),
    expired: z.int(),
    quarantined: z.int(),
    recalled: z.int(),
    reorderLevel: z.int(),
    isBelowReorderLevel: z.boolean().describe('Whether less is available than the reorder level'),
    nextExpiry: fields.timestamp.nullable().describe('When the first of the available units expire'),
  })
  .meta({ id: 'DrugLevel' });
type DrugLevel = z.output<typeof drugLevel>;

export const levelQuery = z.object({
  ...pageParameters(),
  q: fields.line(100, 2).optional().describe('Search text of at least two characters'),
  drugId: fields.id.optional(),
  belowReorderLevel: queryBoolean().optional().describe('Only those of which less is available than the reorder level'),
});

/** One page of the active drugs, by name. Expired, quarantined and recalled units are not available. */
export async function readLevels(
  work: Work,
  { page, limit, q, drugId, belowReorderLevel }: z.output<typeof levelQuery>,
) {
  const rows: Knex.QueryBuilder = build.from(levelRows(today(work), { q, id: drugId }).as('drug'));
  if (belowReorderLevel !== undefined) rows.whereRaw(`available ${belowReorderLevel ? '<' : '>='} reorder_level`);
  const sort = [{ field: 'name', descending: false }];
  const query = { page, limit, sort, q: undefined, byMatch: false, from: undefined, to: undefined };
  const columns = { sort: { name: 'drug.name' }, time: 'drug.name', id: 'drug.id' };
  const { rows: found, meta } = await readPage<LevelRow>(work, rows, query, columns);
  return { data: found.map(toLevel), meta };
}

/** The active drugs with how much of each there is on a day, as `LevelRow`. */
export function levelRows(day: string, drugs: Parameters<typeof drugRows>[0]): Knex.QueryBuilder {
  const levels = build
    .from('stock_batches')
    .where('on_hand', '>', 0)
    .groupBy('drug_id')
    .select('drug_id')
    .select(
      build.raw(`coalesce(sum(on_hand) FILTER (WHERE status = 'active' AND expires_on >= ?), 0)::bigint AS available`, [
        day,
      ]),
      build.raw(`coalesce(sum(on_hand) FILTER (WHERE status = 'active' AND expires_on < ?), 0)::bigint AS expired`, [
        day,
      ]),
      build.raw(`coalesce(sum(on_hand) FILTER (WHERE status = 'quarantined'), 0)::bigint AS quarantined`),
      build.raw(`coalesce(sum(on_hand) FILTER (WHERE status = 'recalled'), 0)::bigint AS recalled`),
      build.raw(`min(expires_on) FILTER (WHERE status = 'active' AND expires_on >= ?) AS next_expiry`, [day]),
    );
  return build
    .from(drugRows(drugs).as('drug'))
    .leftJoin(levels.as('level'), 'level.drug_id', 'drug.id')
    .select(
      'drug.id',
      'drug.code',
      'drug.name',
      'drug.unit',
      'drug.reorder_level',
      build.raw('coalesce(available, 0) AS available'),
      build.raw('coalesce(expired, 0) AS expired'),
      build.raw('coalesce(quarantined, 0) AS quarantined'),
      build.raw('coalesce(recalled, 0) AS recalled'),
      'next_expiry',
    );
}

interface LevelRow {
  readonly id: string;
  readonly code: string;
  readonly name: string;
  readonly unit: string;
  readonly reorder_level: number;
  readonly available: number;
  readonly expired: number;
  readonly quarantined: number;
  readonly recalled: number;
  readonly next_expiry: string | null;
}

function toLevel({ id, reorder_level, next_expiry, ...row }: LevelRow): DrugLevel {
  return {
    drugId: id,
    ...row,
    reorderLevel: reorder_level,
    isBelowReorderLevel: row.available < reorder_level,
    nextExpiry: next_expiry === null ? null : fields.dayAsDatetime(next_expiry),
  };
}
