/** Writes lists behind figures into files, and deletes the files after a day. */

import {
  DATABASE_BUSY,
  DATABASE_UNAVAILABLE,
  type ErrorKind,
  fromDatabase,
  type Platform,
  Problem,
  records,
  type Task,
  type TaskContext,
  task,
  type Work,
} from '@hms/service';
import { StorageUnavailable } from '@hms/storage';
import type { Report } from '../declare.ts';
import { readRecords, type WantedRecords } from '../figures.ts';
import { CSV } from '../files.ts';
import { spanOf } from '../period.ts';
import { csvPieces, isCanceled, onReplica } from '../read.ts';
import { reportNamed } from '../reports/reports.ts';
import { streamed } from '../stream.ts';
import { TOO_MANY_REPORTS, type Turns } from '../turns.ts';
import { exportKey, exportRemoval, exportsRecord, exportTask, type ReportExport } from './exports.record.ts';

const DAY_MS = 86_400_000;
/** How often progress is stored, and somebody's wish to cancel is seen. */
const PULSE_MS = 500;

export interface Exporter {
  readonly platform: Platform;
  readonly turns: Turns;
}

export function exportTasks(exporter: Exporter): readonly Task[] {
  return [
    task({
      ...exportTask,
      prepare: (context, { exportId }) => writeFile(exporter, context, exportId),
      run: async (work, { exportId }, size) => {
        if (size === undefined) return;
        const own = records(work, exportsRecord);
        const running = await own.lock(exportId);
        if (running.status !== 'running') {
          // It was cancelled when the file was there already.
          work.addTask(exportRemoval, { exportId }, { key: exportId });
          return;
        }
        const expiresAt = new Date(work.trx.moment.getTime() + DAY_MS);
        await own.moveTo(running, 'done', { size, expiresAt: expiresAt.toISOString() });
        work.addTask(exportRemoval, { exportId }, { key: exportId, runAt: expiresAt });
      },
    }),
    task({
      ...exportRemoval,
      prepare: ({ hospital }, { exportId }) => exporter.platform.storage.delete(hospital, exportKey(exportId)),
      run: async (work, { exportId }) => {
        const own = records(work, exportsRecord);
        if (await own.find(exportId)) await own.remove(await own.lock(exportId));
      },
    }),
  ] as readonly Task[];
}

/** @returns the size of the file. Undefined: it was cancelled, or can't be made. */
async function writeFile({ platform, turns }: Exporter, context: TaskContext, id: string): Promise<number | undefined> {
  const { hospital, inTransaction, signal, log } = context;
  const wanted = await inTransaction((work) => orderOf(work, id));
  if (!wanted) return undefined;
  const progress: Progress = { done: 0, total: null };
  const pulse = startPulse(context, id, progress);
  const ended = AbortSignal.any([signal, pulse.cancelled]);
  try {
    const text = await streamed((write) =>
      turns.take(hospital.id, ended, async () => {
        await inTransaction((work) => begin(work, id));
        await onReplica(platform, { hospital, caller: wanted.caller }, ended, (work) =>
          writeRows(work, wanted, progress, write),
        );
      }),
    );
    return await platform.storage.putStream(hospital, exportKey(id), text, { contentType: CSV, signal: ended });
  } catch (error) {
    if (pulse.cancelled.aborted) return undefined;
    const failReason = isCanceled(error) ? 'too-slow' : 'unexpected';
    if (signal.aborted || (failReason === 'unexpected' && isTemporary(error))) throw error;
    log.error({ error }, 'an export failed');
    await inTransaction((work) => fail(work, id, failReason));
    return undefined;
  } finally {
    await pulse.end();
  }
}

/** What is to be written, and for whom. */
interface Order extends WantedRecords {
  readonly report: Report;
  readonly hasBom: boolean;
  readonly caller: Work['caller'];
}

/** Neither over nor cancelled. */
const OPEN: ReadonlySet<ReportExport['status']> = new Set(['waiting', 'running']);

interface Progress {
  done: number;
  total: number | null;
}

/** @returns undefined if it was cancelled. A running one was interrupted, and begins again. */
async function orderOf(work: Work, id: string): Promise<Order | undefined> {
  const found = await records(work, exportsRecord).find(id);
  if (!found || !OPEN.has(found.status)) return undefined;
  const { report: name, measure, filters, hasBom } = found;
  const report = reportNamed(name);
  const days = { from: found.from.slice(0, 10), to: found.to.slice(0, 10) };
  const span = spanOf(days, work.hospital.timezone, new Date(found.createdAt));
  return { report, span, filters, measure: report.measures[measure ?? ''], hasBom, caller: work.caller };
}

/** It is its turn. */
async function begin(work: Work, id: string): Promise<void> {
  const own = records(work, exportsRecord);
  const found = await own.lock(id);
  if (found.status === 'waiting') await own.moveTo(found, 'running');
}

async function writeRows(
  work: Work,
  order: Order,
  progress: Progress,
  write: (piece: string) => Promise<void>,
): Promise<void> {
  progress.total = (await readRecords(work, order.report, order, { page: 1, limit: 1 })).meta.total;
  for await (const { text, rows } of csvPieces(work, order.report, order, { bom: order.hasBom })) {
    await write(text);
    progress.done += rows;
  }
}

/** Stores the progress every now and then, and finds out whether somebody has cancelled it. */
function startPulse({ inTransaction, log }: TaskContext, id: string, progress: Progress) {
  const cancelled = new AbortController();
  let storing: Promise<void> | undefined;
  const store = async () => {
    try {
      const values = [id, progress.done, progress.total];
      const running = await inTransaction(({ trx }) => trx.query(STORE_PROGRESS, values));
      if (running.length === 0) cancelled.abort(new Error('the export was cancelled'));
    } catch (error) {
      // The next one may succeed.
      log.warn({ error }, 'the progress of an export could not be stored');
    }
    storing = undefined;
  };
  const timer = setInterval(() => {
    storing ??= store();
  }, PULSE_MS);
  return {
    cancelled: cancelled.signal,
    end: async () => {
      clearInterval(timer);
      await storing;
      if (!cancelled.signal.aborted) await store();
    },
  };
}

const STORE_PROGRESS = `
  UPDATE report_exports SET rows_done = $2, rows_total = $3 
  WHERE id = $1 AND status IN ('waiting', 'running') RETURNING id`;

const TEMPORARY: ReadonlySet<ErrorKind> = new Set([DATABASE_BUSY, DATABASE_UNAVAILABLE, TOO_MANY_REPORTS]);

/** Whether another attempt may succeed. */
function isTemporary(error: unknown): boolean {
  const problem = fromDatabase(error);
  return error instanceof StorageUnavailable || (problem instanceof Problem && TEMPORARY.has(problem.kind));
}

async function fail(work: Work, id: string, failReason: ReportExport['failReason']): Promise<void> {
  const own = records(work, exportsRecord);
  const running = await own.lock(id);
  if (running.status === 'running') await own.moveTo(running, 'failed', { failReason });
}
