/** Atomic writes of files. */
import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { codeOf } from './problem.ts';

/** Writes a temporary file beside it and renames that, so a reader sees either the old or the new content. */
export function writeAtomic(file: string, content: string, mode = 0o600): void {
  fs.mkdirSync(path.dirname(file), { recursive: true });
  const temporary = `${file}.${randomBytes(6).toString('hex')}.tmp`;
  try {
    fs.writeFileSync(temporary, content, { mode, flag: 'wx' });
    fs.renameSync(temporary, file);
  } finally {
    fs.rmSync(temporary, { force: true });
  }
}

/** @returns undefined if there is no such file. */
export function readIfThere(file: string): string | undefined {
  try {
    return fs.readFileSync(file, 'utf8');
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

function isMissing(error: unknown): boolean {
  return codeOf(error) === 'ENOENT';
}

/** Content of the file. If it is missing, the result of `make` is stored, readable only by its owner. */
export async function madeOnce(file: string, make: () => Promise<string> | string): Promise<string> {
  const present = readIfThere(file);
  if (present !== undefined) return present;
  const content = await make();
  writeAtomic(file, content);
  return content;
}
