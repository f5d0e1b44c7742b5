import { constants, type FileHandle, mkdir, open, readFile, rename } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Kind } from '../entities/index.ts';
import type { Change, Stored } from './journal.ts';

/**
 * A file with a line of JSON per commit. A commit that has been awaited is on
 * the disk. A line that a crash tore at the end was never answered, and is dropped. To forget what was, the file is
 * written anew beside itself and renamed over itself.
 */
export class JournalFile {
  readonly #path: string;
  #file: FileHandle;
  #size: number;
  #sizeWhenCompact: number;
  #torn = false;

  private constructor(path: string, file: FileHandle, size: number) {
    this.#path = path;
    this.#file = file;
    this.#size = size;
    this.#sizeWhenCompact = size;
  }

  /** Opens or makes the journal of a folder, and hands over what it holds. */
  static async open(folder: string): Promise<{ file: JournalFile; changes: Change[] }> {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const path = join(folder, 'configuration.jsonl');
    const file = await open(path, 'a', 0o600);
    try {
      const content = await readFile(path);
      const { changes, validBytes } = parse(content, path);
      if (validBytes < content.length) {
        await file.truncate(validBytes);
        await file.sync();
      }
      await syncFolder(folder);
      return { file: new JournalFile(path, file, validBytes), changes };
    } catch (error) {
      await file.close();
      throw error;
    }
  }

  /** Resolves when the changes are on the disk; rejects with nothing of them kept. */
  async append(changes: readonly Change[]): Promise<void> {
    const line = `${JSON.stringify(changes)}\n`;
    if (this.#torn) await this.#dropTornLine();
    try {
      await this.#file.appendFile(line);
      await this.#file.datasync();
      this.#size += Buffer.byteLength(line);
    } catch (error) {
      this.#torn = true;
      await this.#dropTornLine().catch(() => undefined);
      throw error;
    }
  }

  /** What a failed append left must be gone before anything follows it. */
  async #dropTornLine(): Promise<void> {
    await this.#file.truncate(this.#size);
    this.#torn = false;
  }

  /** It has grown to several times of what it holds. */
  get isLarge(): boolean {
    return this.#size > COMPACT_ABOVE && this.#size > 4 * this.#sizeWhenCompact;
  }

  /** Replaces the history by these rows. Where that fails, the longer file stays in use. */
  async compact(rows: Iterable<readonly [Kind, Stored]>): Promise<void> {
    const temporary = `${this.#path}.new`;
    const file = await open(temporary, O_WRONLY | O_CREAT | O_TRUNC | O_APPEND, 0o600);
    let size = 0;
    try {
      for (const chunk of chunks(rows)) {
        await file.appendFile(chunk);
        size += Buffer.byteLength(chunk);
      }
      await file.sync();
      await rename(temporary, this.#path);
    } catch (error) {
      await file.close();
      throw error;
    }
    const old = this.#file;
    this.#file = file;
    this.#size = size;
    this.#sizeWhenCompact = size;
    this.#torn = false;
    await old.close();
    await syncFolder(dirname(this.#path));
  }

  async close(): Promise<void> {
    await this.#file.close();
  }
}

/** Lines of the file, many at a time: a write for each would take longer than all the rest. */
function* chunks(rows: Iterable<readonly [Kind, Stored]>): Iterable<string> {
  let chunk = '';
  for (const [kind, row] of rows) {
    chunk += `${JSON.stringify([{ put: kind, row } satisfies Change])}\n`;
    if (chunk.length < CHUNK) continue;
    yield chunk;
    chunk = '';
  }
  yield chunk;
}

function parse(content: Buffer, path: string): { changes: Change[]; validBytes: number } {
  const changes: Change[] = [];
  let start = 0;
  for (let number = 1; start < content.length; number += 1) {
    const end = content.indexOf(NEWLINE, start);
    const line = end < 0 ? undefined : parseLine(content.subarray(start, end).toString());
    if (!line) {
      const isLast = end < 0 || end === content.length - 1;
      if (isLast) return { changes, validBytes: start };
      throw new Error(
        `Line ${number} of ${path} is no commit; restore the file from a copy, or delete it to start empty`,
      );
    }
    for (const change of line) changes.push(change);
    start = end + 1;
  }
  return { changes, validBytes: start };
}

function parseLine(line: string): Change[] | undefined {
  try {
    const changes: unknown = JSON.parse(line);
    return Array.isArray(changes) ? (changes as Change[]) : undefined;
  } catch {
    return undefined;
  }
}

async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

const { O_WRONLY, O_CREAT, O_TRUNC, O_APPEND } = constants;
const NEWLINE = 0x0a;
const CHUNK = 256 * 1024;
const COMPACT_ABOVE = 1024 * 1024;
