/** logs: what the processes on this machine write. */
import fs from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { DATA_DIR, layout, logFile } from '@hms/local';
import { Command } from 'commander';
import { EXIT, Exit } from '../exit.ts';
import { count, examples } from '../options.ts';

const LOOK_EVERY_MS = 250;
const LARGEST_TAIL = 1024 * 1024;

export function logsCommand(): Command {
  return new Command('logs')
    .description('print the log of a process, or of all')
    .argument('[name]', 'process, as hmsctl status names it, or a build')
    .option('-f, --follow', 'go on printing until Ctrl-C')
    .option('-n, --lines <number>', 'how many of the last lines', count, 50)
    .addHelpText(
      'after',
      examples(
        'hmsctl logs operator',
        'hmsctl logs -f hms-1',
        'hmsctl logs -n 5',
        'hmsctl logs supervisor    # when each process was started, ended and was started again',
      ),
    )
    .action(async (name: string | undefined, options: { follow?: boolean; lines: number }) => {
      const tails = namesOf(name).map(
        (each) => new Tail(logFile(layout(DATA_DIR), each), name === undefined ? `${each} | ` : ''),
      );
      for (const tail of tails) tail.printLast(options.lines);
      while (options.follow) {
        await delay(LOOK_EVERY_MS);
        for (const tail of tails) tail.printNew();
      }
    });
}

function namesOf(name: string | undefined): string[] {
  const folder = layout(DATA_DIR).logs;
  const all = fs.existsSync(folder)
    ? fs.readdirSync(folder).flatMap((file) => (file.endsWith('.log') ? [file.slice(0, -'.log'.length)] : []))
    : [];
  if (all.length === 0)
    throw new Exit(EXIT.notFound, 'there are no logs: the platform was not started yet; start it with make up.');
  if (name === undefined) return all.sort();
  if (!all.includes(name))
    throw new Exit(EXIT.notFound, `there is no log of ${name}; there are: ${all.sort().join(', ')}.`);
  return [name];
}

/** Prints whole lines of a file that grows, and that may be cut when it is large. */
class Tail {
  readonly #file: string;
  readonly #prefix: string;
  #position = 0;
  #rest = Buffer.alloc(0);

  constructor(file: string, prefix: string) {
    this.#file = file;
    this.#prefix = prefix;
  }

  printLast(lines: number): void {
    this.#position = Math.max(0, this.#size() - LARGEST_TAIL);
    const all = this.#read();
    for (const line of lines === 0 ? [] : all.slice(-lines)) this.#print(line);
  }

  printNew(): void {
    if (this.#size() < this.#position) this.#position = 0;
    for (const line of this.#read()) this.#print(line);
  }

  #print(line: string): void {
    process.stdout.write(`${this.#prefix}${line}\n`);
  }

  #size(): number {
    return fs.statSync(this.#file, { throwIfNoEntry: false })?.size ?? 0;
  }

  #read(): string[] {
    const size = this.#size();
    if (size <= this.#position) return [];
    const buffer = Buffer.alloc(size - this.#position);
    const descriptor = fs.openSync(this.#file, 'r');
    const read = fs.readSync(descriptor, buffer, 0, buffer.length, this.#position);
    fs.closeSync(descriptor);
    this.#position += read;
    const text = Buffer.concat([this.#rest, buffer.subarray(0, read)]);
    const end = text.lastIndexOf('\n') + 1;
    this.#rest = text.subarray(end);
    return end === 0
      ? []
      : text
          .subarray(0, end - 1)
          .toString('utf8')
          .split('\n');
  }
}
