/** Counts how large a hospital is, once a day, for the platform's administrators. */
import { isCounted, quote, recordUsage, type UsageFigures } from '@hms/database';
import { countPatients } from '@hms/domain/patients';
import { countActiveEmployees } from '@hms/domain/people';
import { type Platform, type Task, task, type Work } from '@hms/service';
import { z } from 'zod';

export const USAGE_TASK = 'hospital-usage';

export function usageTask({ db, storage }: Pick<Platform, 'db' | 'storage'>): Task {
  return task({
    name: USAGE_TASK,
    input: z.object({}),
    // Two processes that plan at the same moment may have added two.
    prepare: async ({ hospital, signal }) =>
      (await isCounted(db, hospital.id)) ? undefined : storage.folderSize(hospital, signal),
    run: async (work, _input, folder) => {
      if (!folder) return;
      await recordUsage(work.trx, { ...(await countRecords(work)), files: folder.files, fileBytes: folder.bytes });
    },
  }) as Task;
}

type RecordFigures = Omit<UsageFigures, 'files' | 'fileBytes'>;

/** @param estimatedFrom rows from which PostgreSQL's estimate of a table is exact enough. */
export async function countRecords(
  work: Pick<Work, 'trx'>,
  { estimatedFrom = ESTIMATED_FROM } = {},
): Promise<RecordFigures> {
  const { trx } = work;
  const [people, patients, tables] = await Promise.all([
    countActiveEmployees(work),
    countPatients(work),
    trx.query<TableRow>(TABLES),
  ]);
  const isLarge = ({ estimate }: TableRow) => estimate >= estimatedFrom;
  const small = tables.filter((table) => !isLarge(table)).map(({ name }) => `(SELECT count(*) FROM ${quote(name)})`);
  const [counted] = await trx.query<{ rows: number }>(`SELECT ${['0::bigint', ...small].join(' + ')} AS rows`);
  const estimated = tables.filter(isLarge).reduce((sum, { estimate }) => sum + estimate, 0);
  const recordBytes = tables.reduce((sum, { bytes }) => sum + bytes, 0);
  return { people, patients, rows: (counted?.rows ?? 0) + estimated, recordBytes };
}

/** Counting exactly takes about 10 ms for this many. */
const ESTIMATED_FROM = 100_000;

/** All tables of the hospital's records: its role can't read the migrations. The estimate is -1 as long as PostgreSQL has not looked at a table. */
const TABLES = `
  SELECT relname AS name, reltuples::bigint AS estimate, coalesce(pg_total_relation_size(oid), 0) AS bytes
  FROM pg_class
  WHERE relnamespace = current_schema()::regnamespace AND relkind = 'r' AND has_table_privilege(oid, 'SELECT')`;

interface TableRow {
  readonly name: string;
  readonly estimate: number;
  readonly bytes: number;
}
