/** Reads reports in read-only transactions, when it is their turn, and only as long as somebody waits for them. */
import { setTimeout as delay } from 'node:timers/promises';
import type { Renderer } from '@hms/documents';
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
import { type RecordRow, recordsOf, type WantedRecords } from './figures.ts';
import { csvHead, recordColumns, recordLine } from './files.ts';
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
    if (abandoned.aborted || !isCanceled(error)) throw error;
    throw new Problem(REPORT_TOO_SLOW, { cause: error });
  }
}

/** Whether PostgreSQL has ended a statement: after its timeout, or because nobody waits for it. */
export function isCanceled(error: unknown): boolean {
  return (error as { readonly code?: unknown }).code === QUERY_CANCELED;
}

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

/** The list behind a figure as CSV, all of it from one moment. */
export function streamRecords(
  reader: Reader,
  request: Request,
  report: Report,
  wanted: WantedRecords,
  options: { readonly bom: boolean },
): Promise<AsyncIterable<string>> {
  return streamed((write) =>
    reading(reader, request, async (work) => {
      for await (const { text } of csvPieces(work, report, wanted, options)) await write(text);
    }),
  );
}

/** Rows of which a piece is made. Whatever else the processors have to do waits for as long as it takes. */
const BATCH = 25;
/** In milliseconds. Before the first piece, PostgreSQL may sort for seconds. */
const LONGEST_PAUSE = 50;

/**
 * The list behind a figure as CSV, piece by piece, in the transaction of `work`. The first piece has the head. After each
 * piece, others have the processors for as long as it took.
 */
export async function* csvPieces(
  work: Work,
  report: Report,
  wanted: WantedRecords,
  { bom }: { readonly bom: boolean },
): AsyncIterable<{ readonly text: string; readonly rows: number }> {
  const { text, values } = await recordsOf(work, report, wanted);
  const line = recordLine(report, work.hospital);
  await work.trx.query(`DECLARE records NO SCROLL CURSOR FOR ${text}`, values);
  let head = csvHead(recordColumns(report, 'en'), bom);
  let rows: readonly RecordRow[];
  do {
    const begin = performance.now();
    rows = await work.trx.query<RecordRow>(`FETCH ${BATCH} FROM records`);
    const piece = head + csvLines(rows.map(line));
    const pause = Math.min(performance.now() - begin, LONGEST_PAUSE);
    yield { text: piece, rows: rows.length };
    await delay(pause);
    head = '';
  } while (rows.length === BATCH);
}

/** The list behind a figure, for a file that is made in memory. @returns undefined if it has more rows than `most`. */
export async function allRecords(
  work: Work,
  report: Report,
  wanted: WantedRecords,
  most: number,
): Promise<readonly (readonly (string | number | null)[])[] | undefined> {
  const { text, values } = await recordsOf(work, report, wanted);
  const rows = await work.trx.query<RecordRow>(`${text} LIMIT ${most + 1}`, values);
  return rows.length > most ? undefined : rows.map(recordLine(report, work.hospital));
}
