/** Entries for people, in one format, and for programs, as JSON. */
import { styleText } from 'node:util';
import { harmless } from '../output.ts';
import type { Entry, Level } from './entry.ts';

const COLOURS: Readonly<Partial<Record<Level, 'red' | 'yellow' | 'gray'>>> = {
  error: 'red',
  warn: 'yellow',
  debug: 'gray',
};

const TIME_WIDTH = '2026-11-22T10:43:13.878Z'.length;

/** Uses colours if standard output is a terminal and NO_COLOR is not set. @param width of the longest name. */
export function line(entry: Entry, width: number): string {
  const { time, process, level, message, fields } = entry;
  const at = (time === undefined ? '-' : new Date(time).toISOString()).padEnd(TIME_WIDTH);
  const word = (level ?? '-').toUpperCase().padEnd(5);
  const rest = Object.entries(fields).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}=${text(value)}`],
  );
  const colour = level && COLOURS[level];
  return [
    coloured('gray', at),
    coloured('cyan', process.padEnd(width)),
    colour ? coloured(colour, word) : word,
    [printable(message), ...rest].filter((part) => part !== '').join(' '),
  ].join('  ');
}

/** The original line is in `raw`, as an object if the process writes JSON. */
export function jsonLine({ time, process, level, message, raw }: Entry): string {
  const at = time === undefined ? null : new Date(time).toISOString();
  return JSON.stringify({ time: at, process, level: level ?? null, message, raw: parsed(raw) });
}

function coloured(colour: Parameters<typeof styleText>[0], words: string): string {
  return styleText(colour, words, { stream: process.stdout });
}

function parsed(raw: string): unknown {
  try {
    return raw.startsWith('{') ? JSON.parse(raw) : raw;
  } catch {
    return raw;
  }
}

function text(value: unknown): string {
  if (typeof value === 'string') return /^[^\s"=\p{Cc}]+$/u.test(value) ? value : JSON.stringify(value);
  const { message } = (value ?? {}) as { message?: unknown };
  return JSON.stringify(typeof message === 'string' ? message : value);
}

/** A message in one line. */
function printable(words: string): string {
  return harmless(words).replaceAll('\t', '    ').replaceAll('\n', '\\n');
}
