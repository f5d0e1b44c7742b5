/**
 * A lock between processes. It uses SQLite's lock on a file: the kernel releases it when its holder ends,
 * for any reason, so a lock is never stale.
 */
import fs from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { types } from 'node:util';
import { poll } from './poll.ts';
import { Problem } from './problem.ts';

export interface LockOptions {
  /** Milliseconds to wait for the other holder. Default an hour, because a first build may take minutes. */
  readonly timeout?: number;
  /** Called once if another process holds it. */
  readonly onWait?: (holder: string) => void;
}

/** Runs `work` while holding the lock. Only one process at a time does. */
export async function withLock<T>(file: string, work: () => Promise<T>, options: LockOptions = {}): Promise<T> {
  const folder = path.dirname(file);
  fs.mkdirSync(path.dirname(folder), { recursive: true });
  // Another user who can open the file could hold the lock.
  fs.mkdirSync(folder, { recursive: true, mode: 0o700 });
  let release = tryLock(file);
  if (!release) {
    const holder = holderOf(file);
    options.onWait?.(holder);
    release = await poll(() => tryLock(file), { timeout: options.timeout ?? 3_600_000, interval: 200 });
    if (!release) throw new Problem(`${file} is still held by ${holder}: end that process, then retry.`);
  }
  try {
    return await work();
  } finally {
    release();
  }
}

function tryLock(file: string): (() => void) | undefined {
  const database = new DatabaseSync(file);
  try {
    database.exec('PRAGMA busy_timeout = 0; BEGIN EXCLUSIVE');
  } catch (error) {
    database.close();
    if (types.isNativeError(error) && 'errcode' in error && error.errcode === SQLITE_BUSY) return undefined;
    throw error;
  }
  fs.writeFileSync(`${file}.holder`, `process ${process.pid}`);
  heldLocks.add(database);
  return () => {
    heldLocks.delete(database);
    database.close();
  };
}

/** Keeps the garbage collector from closing a lock that nothing else references. */
const heldLocks = new Set<DatabaseSync>();

/** https://sqlite.org/rescode.html#busy */
const SQLITE_BUSY = 5;

function holderOf(file: string): string {
  try {
    return fs.readFileSync(`${file}.holder`, 'utf8');
  } catch {
    return 'another process';
  }
}
