/** Log files of processes: appended to by the process itself, cut by the supervisor. */
import fs from 'node:fs';
import path from 'node:path';

const LARGEST = 20 * 1024 * 1024;

/** Opens a log for a child to append to. @returns the descriptor, and where this run's lines begin. */
export function openLog(file: string): { descriptor: number; from: number } {
  fs.mkdirSync(path.dirname(file), { recursive: true });
  const descriptor = fs.openSync(file, 'a', 0o600);
  return { descriptor, from: fs.fstatSync(descriptor).size };
}

/** Keeps a log small: what it holds goes to `<file>.1`. The process that writes it needs not know, as it appends. */
export function rotate(file: string, largest = LARGEST): void {
  try {
    if (fs.statSync(file).size <= largest) return;
    fs.copyFileSync(file, `${file}.1`);
    fs.truncateSync(file);
  } catch {
    // not there yet, or the disk is full: the process goes on writing
  }
}

/** The last lines that were written since `from`. */
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
