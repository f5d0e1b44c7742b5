/** Reads reports in read-only transactions, when it is their turn, and only as long as somebody waits for them. */
import type { Transaction } from '@hms/database';
import type { Renderer } from '@hms/documents';
import { inZone } from '@hms/domain/schedules';
import {
  admitted,
  csvLines,
  type ErrorKind,
  type Platform,
  Problem,
  type RequestContext,
  type Work,
} from '@hms/service';
import type { Report } from './declare.ts';
import { type RecordRow, recordsOf, valuesIn, type WantedRecords } from './figures.ts';
import { csvHead, recordColumns, recordRow } from './files.ts';
import { streamed } from './stream.ts';
import type { Turns } from './turns.ts';

export interface Reader {
  readonly platform: Platform;
  readonly renderer: Renderer;
  readonly turns: Turns;
}

type Request = Pick<RequestContext, 'hospital' | 'caller' | 'abandoned'>;

export const REPORT_TOO_SLOW: ErrorKind = {
  status: 503,
  code: 'REPORT_TOO_SLOW',
  message: 'The report took longer than reports may take: choose fewer days',
};

/**
 * Runs `work` on the read-only pool. If the client leaves, PostgreSQL ends its statement.
 * @throws Problem TOO_MANY_REPORTS, REPORT_TOO_SLOW
 */
export async function reading<T>(
  { platform, turns }: Reader,
  request: Request,
  work: (work: Work) => Promise<T>,
): Promise<T> {
  const { hospital, abandoned } = request;
  try {
    return await turns.take(hospital.id, abandoned, () =>
      admitted(platform, hospital, () => onReplica(platform, request, abandoned, work)),
    );
  } catch (error) {
    if ((error as { readonly code?: unknown }).code !== QUERY_CANCELED || abandoned.aborted) throw error;
    throw new Problem(REPORT_TOO_SLOW, { cause: error });
  }
}

/** Of PostgreSQL, which also ends a statement after its timeout. */
const QUERY_CANCELED = '57014';

/** Runs `work` in a read-only transaction. @param ended lets PostgreSQL end its statement. */
export function onReplica<T>(
  { replica, totals }: Pick<Platform, 'replica' | 'totals'>,
  { hospital, caller }: Pick<Request, 'hospital' | 'caller'>,
  ended: AbortSignal,
  work: (work: Work) => Promise<T>,
): Promise<T> {
  return replica.inTenant(hospital, (trx) =>
    trx.whileWanted(ended, async () => {
      await trx.query(ONE_PROCESSOR);
      return work({ trx, hospital, caller, totals, audit: refuse, addTask: refuse, changed: refuse });
    }),
  );
}

/** PostgreSQL would otherwise take several for a large report, which others need. */
const ONE_PROCESSOR = 'SET LOCAL max_parallel_workers_per_gather = 0';

function refuse(): never {
  throw new Error('a report only reads');
}

/** Rows that PostgreSQL computes at a time. */
const BATCH = 1000;

/** The list behind a figure as CSV, all of it from one moment. */
export function streamRecords(
  reader: Reader,
  request: Request,
  report: Report,
  wanted: WantedRecords,
  options: { readonly bom: boolean },
): Promise<AsyncIterable<string>> {
  const { currency, timezone } = request.hospital;
  const local = (instant: string) => inZone(Date.parse(instant), timezone);
  return streamed((write) =>
    reading(reader, request, async (work) => {
      const list = await recordsOf(work, report, wanted);
      let head = csvHead(recordColumns(report, 'en'), options.bom);
      for await (const rows of batches(work.trx, list)) {
        const lines = rows.map((row) => recordRow(report, valuesIn(report, row), currency, local));
        await write(head + csvLines(lines));
        head = '';
      }
      if (head !== '') await write(head);
    }),
  );
}

/** All rows of a statement, some at a time. */
export async function* batches(
  trx: Transaction,
  { text, values }: { readonly text: string; readonly values: readonly unknown[] },
): AsyncIterable<readonly RecordRow[]> {
  await trx.query(`DECLARE records NO SCROLL CURSOR FOR ${text}`, values);
  for (;;) {
    const rows = await trx.query<RecordRow>(`FETCH ${BATCH} FROM records`);
    if (rows.length > 0) yield rows;
    if (rows.length < BATCH) return;
  }
}

/** The list behind a figure, for a file that is made in memory. @returns undefined if it has more rows than `most`. */
export async function allRecords(
  work: Work,
  report: Report,
  wanted: WantedRecords,
  most: number,
): Promise<readonly (readonly (string | number | null)[])[] | undefined> {
  const { currency, timezone } = work.hospital;
  const { text, values } = await recordsOf(work, report, wanted);
  const rows = await work.trx.query<RecordRow>(`${text} LIMIT ${most + 1}`, values);
  if (rows.length > most) return undefined;
  const local = (instant: string) => inZone(Date.parse(instant), timezone);
  return rows.map((row) => recordRow(report, valuesIn(report, row), currency, local));
}
