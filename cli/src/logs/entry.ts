/** One line of a log in any of the processes' formats: time, process, level, message. */
import { stripVTControlCharacters } from 'node:util';

const LEVELS = ['debug', 'info', 'warn', 'error'] as const;
export type Level = (typeof LEVELS)[number];

export interface Entry {
  /** Milliseconds since 1970, or undefined if no line so far had a time. */
  readonly time: number | undefined;
  readonly process: string;
  /** Undefined if the format has none. */
  readonly level: Level | undefined;
  readonly message: string;
  /** The other fields of a JSON line. */
  readonly fields: Readonly<Record<string, unknown>>;
  /** The original line. */
  readonly raw: string;
}

type Parsed = Pick<Entry, 'level' | 'message'> & Partial<Pick<Entry, 'time' | 'fields'>>;

/**
 * Reads the lines of one process in the order in which they were written. A line without a time, such as one of a stack
 * trace, belongs to the line before it.
 */
export class EntryReader {
  readonly #process: string;
  readonly #now: () => number;
  #last: Pick<Entry, 'time' | 'level'> = { time: undefined, level: undefined };

  constructor(process: string, now: () => number = Date.now) {
    this.#process = process;
    this.#now = now;
  }

  read(raw: string): Entry {
    const {
      time = this.#last.time,
      level,
      message,
      fields = {},
    } = parse(raw, this.#now()) ?? {
      ...this.#last,
      message: stripVTControlCharacters(raw),
    };
    this.#last = { time, level };
    return { time, process: this.#process, level, message, fields, raw };
  }
}

/** @returns undefined for a line without a time of its own. */
function parse(line: string, now: number): Parsed | undefined {
  return line.startsWith('{')
    ? json(line)
    : (keycloak(line) ?? postgres(line) ?? kubernetes(line, now) ?? supervisor(line));
}

const PINO_LEVELS: readonly [least: number, level: Level][] = [
  [50, 'error'],
  [40, 'warn'],
  [30, 'info'],
  [0, 'debug'],
];

const WORDS: Readonly<Record<string, Level>> = {
  trace: 'debug',
  debug: 'debug',
  info: 'info',
  log: 'info',
  notice: 'info',
  statement: 'info',
  detail: 'info',
  hint: 'info',
  context: 'info',
  warn: 'warn',
  warning: 'warn',
  error: 'error',
  fatal: 'error',
  panic: 'error',
  dpanic: 'error',
};

function levelOf(value: unknown): Level | undefined {
  if (typeof value === 'number') return PINO_LEVELS.find(([least]) => value >= least)?.[1];
  return WORDS[String(value).toLowerCase()];
}

/** pino's lines: gateway, operator, modules. etcd's have `ts` for the time. */
function json(line: string): Parsed | undefined {
  let value: Record<string, unknown>;
  try {
    value = JSON.parse(line) as Record<string, unknown>;
  } catch {
    return undefined;
  }
  const { level, time: at, ts, msg, name, module, pid, hostname, caller, stacktrace, ...fields } = value;
  const time = timeOf(at ?? ts);
  if (time === undefined) return undefined;
  return { time, level: levelOf(level), message: typeof msg === 'string' ? msg : '', fields };
}

/** A number is in milliseconds (pino). Text is an ISO time. */
function timeOf(value: unknown): number | undefined {
  const time = typeof value === 'number' ? value : Date.parse(String(value));
  return Number.isFinite(time) ? time : undefined;
}

/** `2026-11-22 10:43:23,841 INFO  [org.keycloak] (main) message`, in the time zone of the machine. */
function keycloak(line: string): Parsed | undefined {
  const [, day, clock, ms, word, message] =
    /^(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d),(\d{3}) ([A-Z]+) +(.*)$/.exec(line) ?? [];
  const time = timeOf(`${day}T${clock}.${ms}`);
  return message === undefined || time === undefined ? undefined : { time, level: levelOf(word), message };
}

/** `2026-11-22 10:43:18.348 UTC [16604] ERROR:  message`. A zone that is not a number is the machine's. */
function postgres(line: string): Parsed | undefined {
  const [, day, clock, zone = '', word = '', rest] =
    /^(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d\.\d{3}) (\S+) \[\d+\] ([A-Z]+): +(.*)$/.exec(line) ?? [];
  const time = timeOf(`${day}T${clock}${zoneOf(zone)}`);
  if (rest === undefined || time === undefined) return undefined;
  const isPart = ['STATEMENT', 'DETAIL', 'HINT', 'CONTEXT'].includes(word);
  return { time, level: levelOf(word), message: isPart ? `${word}: ${rest}` : rest };
}

function zoneOf(zone: string): string {
  if (zone === 'UTC' || zone === 'GMT') return 'Z';
  return /^[+-]\d\d$/.test(zone) ? `${zone}:00` : /^[+-]\d\d:\d\d$/.test(zone) ? zone : '';
}

const KLOG: Readonly<Record<string, Level>> = { I: 'info', W: 'warn', E: 'error', F: 'error' };

/** `I1122 10:43:15.304656   16201 serving.go:380] message`, in the time zone of the machine, and without a year. */
function kubernetes(line: string, now: number): Parsed | undefined {
  const [, letter = '', month, day, clock, message] =
    /^([IWEF])(\d\d)(\d\d) (\d\d:\d\d:\d\d\.\d{3})\d* +\d+ [^\]]+\] ?(.*)$/.exec(line) ?? [];
  if (message === undefined) return undefined;
  const year = new Date(now).getFullYear();
  const inYear = (which: number) => Date.parse(`${which}-${month}-${day}T${clock}`);
  // In January, a line of December is from the year before.
  const time = inYear(year) > now + DAY_MS ? inYear(year - 1) : inYear(year);
  return Number.isFinite(time) ? { time, level: KLOG[letter], message } : undefined;
}

const DAY_MS = 24 * 3_600_000;

/** `2026-11-22T10:43:13.878Z etcd was started, pid 16133`. */
function supervisor(line: string): Parsed | undefined {
  const [, at, message] = /^(\d{4}-\d\d-\d\dT[\d:.]+Z) (.*)$/.exec(line) ?? [];
  const time = timeOf(at);
  return message === undefined || time === undefined ? undefined : { time, level: undefined, message };
}
