import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/**
 * Keeps a second process out of a data folder. It uses SQLite's lock on a file in the folder itself: every process that
 * opens the folder sees it, and the kernel releases it when its holder ends for any reason. Throws if it is held.
 */
export async function lockFolder(folder: string): Promise<{ release: () => Promise<void> }> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const database = new DatabaseSync(join(folder, 'gateway.lock'));
  try {
    // Nothing is ever written, so there is nothing to roll back.
    database.exec('PRAGMA busy_timeout = 0; PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE');
  } catch (error) {
    database.close();
    if (!isBusy(error)) throw error;
    throw new Error(
      `The folder ${folder} is in use by another gateway; stop it, or set GATEWAY_DATA_DIR to another folder`,
    );
  }
  heldLocks.add(database);
  return {
    release: async () => {
      if (heldLocks.delete(database)) database.close();
    },
  };
}

/** Keeps the garbage collector from closing a lock that nothing else references. */
const heldLocks = new Set<DatabaseSync>();

/** https://sqlite.org/rescode.html#busy */
const SQLITE_BUSY = 5;

function isBusy(error: unknown): boolean {
  return typeof error === 'object' && error !== null && 'errcode' in error && error.errcode === SQLITE_BUSY;
}
