/** Log files: their end, and appended lines. A large file is copied to `<file>.1` and truncated. */
import fs from 'node:fs';
import { type Entry, EntryReader } from './entry.ts';

const FIRST_WINDOW = 256 * 1024;

export class LogFile {
  readonly #file: string;
  readonly #process: string;
  #reader: EntryReader;
  /** The offset up to which the file was read. */
  #position = 0;
  #rest = Buffer.alloc(0);

  constructor(file: string, process: string) {
    this.#file = file;
    this.#process = process;
    this.#reader = new EntryReader(process);
  }

  /** @returns the last entries, as many as `isEnough` requires, or all. Later ones come from `added`. */
  last(isEnough: (entries: readonly Entry[]) => boolean): Entry[] {
    const size = sizeOf(this.#file);
    const before = sizeOf(`${this.#file}.1`);
    let entries: Entry[] = [];
    for (let window = FIRST_WINDOW; ; window *= 4) {
      const current = read(this.#file, Math.max(0, size - window), size);
      const old = window > size ? read(`${this.#file}.1`, Math.max(0, before - (window - size)), before) : EMPTY;
      const isWhole = window >= size + before;
      const bytes = Buffer.concat([old, current]);
      // The window may start within a line.
      const from = isWhole ? 0 : bytes.indexOf('\n') + 1;
      const end = bytes.lastIndexOf('\n') + 1;
      this.#rest = bytes.subarray(Math.max(end, from));
      this.#reader = new EntryReader(this.#process);
      entries = this.#entries(bytes.subarray(from, end));
      if (isWhole || isEnough(entries)) break;
    }
    this.#position = size;
    return entries;
  }

  /** @returns the entries since the last call. Lines of a process that writes no times get the current time. */
  added(now = Date.now()): Entry[] {
    const size = sizeOf(this.#file);
    if (size < this.#position) this.#position = 0;
    if (size === this.#position) return [];
    const bytes = Buffer.concat([this.#rest, read(this.#file, this.#position, size)]);
    this.#position = size;
    const end = bytes.lastIndexOf('\n') + 1;
    this.#rest = bytes.subarray(end);
    return this.#entries(bytes.subarray(0, end)).map((entry) => ({ ...entry, time: entry.time ?? now }));
  }

  #entries(bytes: Buffer): Entry[] {
    return bytes
      .toString('utf8')
      .split(/\r?\n/)
      .filter((line) => line.trim() !== '')
      .map((line) => this.#reader.read(line));
  }
}

const EMPTY = Buffer.alloc(0);

function sizeOf(file: string): number {
  return fs.statSync(file, { throwIfNoEntry: false })?.size ?? 0;
}

function read(file: string, from: number, to: number): Buffer {
  if (to <= from) return EMPTY;
  const buffer = Buffer.alloc(to - from);
  const descriptor = fs.openSync(file, 'r');
  try {
    return buffer.subarray(0, fs.readSync(descriptor, buffer, 0, buffer.length, from));
  } finally {
    fs.closeSync(descriptor);
  }
}
