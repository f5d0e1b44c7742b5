import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/**
 * Keeps a second process out of a data folder. It is SQLite's lock on a file in the folder itself: whoever reaches the
 * folder meets it, and the kernel lets go of it when its holder ends, however it ends. Throws where another has it.
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
  held.add(database);
  return {
    release: async () => {
      if (held.delete(database)) database.close();
    },
  };
}

/** Keeps the garbage collector from closing a lock whose holder nothing else refers to. */
const held = new Set<DatabaseSync>();

/** https://sqlite.org/rescode.html#busy */
const SQLITE_BUSY = 5;

function isBusy(error: unknown): boolean {
  return typeof error === 'object' && error !== null && 'errcode' in error && error.errcode === SQLITE_BUSY;
}
