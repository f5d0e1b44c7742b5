/** logs: the logs of the processes on this machine. */
import fs from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { DATA_DIR, layout, logFile } from '@hms/local';
import { Command, InvalidArgumentError } from 'commander';
import { EXIT, Exit } from '../exit.ts';
import type { Entry } from '../logs/entry.ts';
import { LogFile } from '../logs/file.ts';
import { jsonLine, line } from '../logs/format.ts';
import { byTime } from '../logs/order.ts';
import { count, examples, globals, milliseconds } from '../options.ts';

const LOOK_EVERY_MS = 250;
const USUAL_LINES = 50;

interface Options {
  readonly follow?: boolean;
  readonly lines?: number;
  /** Milliseconds since 1970. */
  readonly since?: number;
}

export function logsCommand(): Command {
  return new Command('logs')
    .description('print the log of a process, or of all ordered by time')
    .argument('[name]', 'name of a process in hmsctl status, or of a build')
    .option('-f, --follow', 'keep printing until Ctrl-C')
    .option(
      '-n, --lines <number>',
      `how many of the last lines (default: ${USUAL_LINES}; all of them with --since)`,
      count,
    )
    .option('--since <time>', 'only lines since a time: 10m ago, or an ISO time such as 2026-11-22T10:43:00Z', instant)
    .addHelpText(
      'after',
      examples(
        'hmsctl logs operator',
        'hmsctl logs -f hms-1',
        'hmsctl logs -n 5',
        'hmsctl logs --since 10m    # of all processes',
        'hmsctl logs gateway -o json | jq .raw',
        'hmsctl logs supervisor    # starts, ends and restarts of each process',
      ),
    )
    .action(async (name: string | undefined, options: Options, command: Command) => {
      const { output } = globals(command);
      if (output !== 'table' && output !== 'json')
        throw new Exit(EXIT.usage, 'logs are printed as text or with -o json.');
      const names = namesOf(name);
      const files = new Map(names.map((each) => [each, fileOf(each)]));
      let width = widthOf(names);
      const show = (entries: readonly Entry[]) => {
        if (entries.length === 0) return;
        const lines = entries.map((entry) => (output === 'json' ? jsonLine(entry) : line(entry, width)));
        process.stdout.write(`${lines.join('\n')}\n`);
      };
      show(wanted([...files.values()], options));
      while (options.follow) {
        await delay(LOOK_EVERY_MS);
        // A process that starts later gets its log then.
        for (const each of name === undefined ? allNames() : []) if (!files.has(each)) files.set(each, fileOf(each));
        width = widthOf([...files.keys()]);
        show(byTime([...files.values()].map((file) => file.added())).filter((entry) => isSince(entry, options)));
      }
    });
}

function wanted(files: readonly LogFile[], { since, lines = since === undefined ? USUAL_LINES : Infinity }: Options) {
  const isEnough = (entries: readonly Entry[]) =>
    entries.length >= lines || entries.some(({ time }) => time !== undefined && since !== undefined && time < since);
  const entries = byTime(files.map((file) => file.last(isEnough))).filter((entry) => isSince(entry, { since }));
  return lines === 0 ? [] : entries.slice(-lines);
}

/** Lines without a known time are excluded. */
function isSince({ time }: Entry, { since }: { readonly since?: number | undefined }): boolean {
  return since === undefined || (time !== undefined && time >= since);
}

/** Exported for tests. @returns the moment that `10m` ago was, or that an ISO time names. */
export function instant(text: string, now = Date.now()): number {
  if (/^\d+(ms|s|m|h)$/.test(text)) return now - milliseconds(text);
  const time = /^\d{4}-\d\d-\d\d/.test(text) ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(time)) throw new InvalidArgumentError('Write a time like 10m or 2h, or 2026-11-22T10:43:00Z.');
  return time;
}

function fileOf(name: string): LogFile {
  return new LogFile(logFile(layout(DATA_DIR), name), name);
}

function widthOf(names: readonly string[]): number {
  return Math.max(0, ...names.map((name) => name.length));
}

/** Names of the processes and builds that have a log. */
function logNames(): string[] {
  const folder = layout(DATA_DIR).logs;
  if (!fs.existsSync(folder)) return [];
  return fs.readdirSync(folder).flatMap((file) => (file.endsWith('.log') ? [file.slice(0, -'.log'.length)] : []));
}

/** The processes, without builds, which have ended and write long logs without times. */
function allNames(): string[] {
  return logNames()
    .filter((name) => !name.startsWith('build-'))
    .sort();
}

function namesOf(name: string | undefined): string[] {
  const all = logNames();
  if (all.length === 0)
    throw new Exit(EXIT.notFound, 'there are no logs: the platform was never started; start it with make up.');
  if (name === undefined) return allNames();
  if (!all.includes(name))
    throw new Exit(EXIT.notFound, `there is no log of ${name}; there are: ${all.sort().join(', ')}.`);
  return [name];
}
