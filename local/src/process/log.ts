/** Log files of processes: appended to by the process itself, rotated by the supervisor. */
import fs from 'node:fs';
import path from 'node:path';

const LARGEST = 20 * 1024 * 1024;

/** Opens a log for a child to append to. @returns the descriptor, and the offset of this run's first line. */
export function openLog(file: string): { descriptor: number; from: number } {
  fs.mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
  const descriptor = fs.openSync(file, 'a', 0o600);
  return { descriptor, from: fs.fstatSync(descriptor).size };
}

/** Rotates a log: its content moves to `<file>.1`. The writing process need not reopen it, because it appends. */
export function rotate(file: string, largest = LARGEST): void {
  try {
    if (fs.statSync(file).size <= largest) return;
    fs.copyFileSync(file, `${file}.1`);
    fs.truncateSync(file);
  } catch {
    // The log is missing or the disk is full: the process keeps writing.
  }
}

/** The last lines since `from`. */
export function lastLines(file: string, from: number, count: number): string[] {
  try {
    const { size } = fs.statSync(file);
    const start = Math.max(Math.min(from, size), size - 64 * 1024);
    const buffer = Buffer.alloc(size - start);
    const descriptor = fs.openSync(file, 'r');
    fs.readSync(descriptor, buffer, 0, buffer.length, start);
    fs.closeSync(descriptor);
    return buffer
      .toString('utf8')
      .split('\n')
      .filter((line) => line.trim() !== '')
      .slice(-count);
  } catch {
    return [];
  }
}
