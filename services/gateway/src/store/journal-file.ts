import { constants, type FileHandle, mkdir, open, readFile, rename } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Kind } from '../entities/index.ts';
import type { Change, Stored } from './journal.ts';

/**
 * A file with a line of JSON per commit. An awaited commit is on the disk. A line that a crash truncated at the end was
 * never acknowledged, and is dropped. To remove the history, a new file is written beside the old one and renamed
 * over it.
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

  /** Opens or creates the journal of a folder, and returns its content. */
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

  /** Resolves when the changes are on the disk. If it rejects, none of them are kept. */
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

  /** The rest of a failed append must be removed before the next one. */
  async #dropTornLine(): Promise<void> {
    await this.#file.truncate(this.#size);
    this.#torn = false;
  }

  /** It has grown to several times the size of its current rows. */
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

/** Lines of the file in large chunks, because a write per line would dominate the time. */
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
        `Line ${number} of ${path} is not a commit; restore the file from a copy, or delete it to start empty`,
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
