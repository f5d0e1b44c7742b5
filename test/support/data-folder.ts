/** Folders for the data of the tests' platforms. */
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

const PREFIX = 'hms-test-';
const DAY_MS = 24 * 3600 * 1000;
/** Linux's file system in memory. A schema's 400 files are created there in a third of the time. */
const MEMORY = '/dev/shm';
const LEAST_MEMORY = 4 * 1024 ** 3;

/** A new folder: in memory if there is enough of it, otherwise where temporary files are. */
export function dataFolder(): string {
  return fs.mkdtempSync(path.join(hasRoom(MEMORY) ? MEMORY : os.tmpdir(), PREFIX));
}

function hasRoom(folder: string): boolean {
  try {
    const { bavail, bsize } = fs.statfsSync(folder);
    return bavail * bsize >= LEAST_MEMORY && os.freemem() >= LEAST_MEMORY;
  } catch {
    return false;
  }
}

/** Removes the data of killed runs. Recent data may belong to a running one. */
export function removeForgotten(): void {
  for (const parent of [MEMORY, os.tmpdir()]) {
    for (const name of fs.existsSync(parent) ? fs.readdirSync(parent) : []) {
      const folder = path.join(parent, name);
      const age = name.startsWith(PREFIX)
        ? Date.now() - (fs.statSync(folder, { throwIfNoEntry: false })?.mtimeMs ?? Number.POSITIVE_INFINITY)
        : 0;
      if (age > DAY_MS) fs.rmSync(folder, { recursive: true, force: true });
    }
  }
}
