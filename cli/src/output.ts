/** Output for people and for programs. */
import Table from 'cli-table3';
import { stringify } from 'yaml';
import { EXIT, Exit } from './exit.ts';
import { columnsOf, customColumns, jsonPath } from './templates.ts';

const PLAIN = ['table', 'wide', 'name', 'json', 'yaml'] as const;
const TEMPLATES = ['jsonpath', 'custom-columns'] as const;
export type Format = (typeof PLAIN)[number] | `${(typeof TEMPLATES)[number]}=${string}`;

/** For completion and the help. */
export const FORMATS = [...PLAIN, ...TEMPLATES.map((name) => `${name}=`)];

/** @throws Exit that names the formats, or the part of a template that is wrong. */
export function parseFormat(text: string): Format {
  const [name = '', template] = split(text);
  if (template !== undefined && TEMPLATES.some((known) => known === name)) {
    if (name === 'jsonpath') jsonPath(template)([]);
    else columnsOf(template);
    return text as Format;
  }
  if (PLAIN.some((known) => known === text)) return text as Format;
  const example = name === 'custom-columns' ? 'custom-columns=NAME:.metadata.name' : "jsonpath='{.metadata.name}'";
  throw new Exit(
    EXIT.usage,
    TEMPLATES.some((known) => known === name)
      ? `-o ${name} needs a template, as in -o ${example}.`
      : `-o ${text} is no output format: write ${PLAIN.join(', ')}, jsonpath=<template> or custom-columns=<columns>.`,
  );
}

function split(text: string): [name: string, template?: string] {
  const at = text.indexOf('=');
  return at < 0 ? [text] : [text.slice(0, at), text.slice(at + 1)];
}

/**
 * Prints data in a format, or as the table of `rows`, whose first row is the heading.
 * @param rows of the table, or with `wide` of the one with more columns.
 * @throws Exit if the data has no names, for `-o name`.
 */
export function print<T>(
  data: T,
  format: Format,
  rows: (data: T, wide: boolean) => readonly (readonly string[])[],
): void {
  const [name, template] = split(format);
  if (template !== undefined) printTemplate(data, name, template);
  else if (format === 'json') console.log(JSON.stringify(data, null, 2));
  else if (format === 'yaml') process.stdout.write(stringify(data));
  else if (format === 'name') for (const line of namesIn(data)) console.log(line);
  else console.log(harmless(columns(rows(data, format === 'wide'))));
}

/** Templates see a list as kubectl's do: in `items`. */
function printTemplate(data: unknown, name: string, template: string): void {
  if (name === 'jsonpath') {
    const text = jsonPath(template)(Array.isArray(data) ? { kind: 'List', items: data } : data);
    // For programs, the text is as it is.
    process.stdout.write(process.stdout.isTTY ? `${harmless(text).replace(/\n$/, '')}\n` : text);
  } else console.log(harmless(columns(customColumns(template)(Array.isArray(data) ? data : [data]))));
}

/** Such as `hospital.hms.dev/st-mary`. */
function namesIn(data: unknown): string[] {
  const objects = Array.isArray(data) ? data : [data];
  return objects.map((object: { apiVersion?: unknown; kind?: unknown; metadata?: { name?: unknown } } | null) => {
    const { apiVersion, kind, metadata } = object ?? {};
    if (typeof kind !== 'string' || typeof apiVersion !== 'string' || typeof metadata?.name !== 'string')
      throw new Exit(EXIT.usage, '-o name needs objects of the cluster, such as hospitals: use another format here.');
    const [group, version] = apiVersion.split('/');
    return `${kind.toLowerCase()}${version === undefined ? '' : `.${group}`}/${metadata.name}`;
  });
}

/** Aligned columns without borders, like kubectl's. */
export function columns(rows: readonly (readonly string[])[]): string {
  const none = {
    top: '',
    'top-mid': '',
    'top-left': '',
    'top-right': '',
    bottom: '',
    'bottom-mid': '',
    'bottom-left': '',
    'bottom-right': '',
  };
  const lines = { left: '', 'left-mid': '', mid: '', 'mid-mid': '', right: '', 'right-mid': '', middle: '' };
  const table = new Table({
    chars: { ...none, ...lines },
    style: { 'padding-left': 0, 'padding-right': 3, head: [], border: [] },
  });
  for (const row of rows) table.push([...row]);
  return table.toString().replace(/ +$/gm, '');
}

/** Text of a manifest or a log must not control the terminal. Line ends and tabs stay. */
export function harmless(text: string): string {
  return text.replace(
    /[^\P{Cc}\n\t]|[\u2028\u2029]/gu,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** Time since an ISO time, as kubectl writes it: 42s, 7m, 3h12m, 5d. */
export function age(since: string | undefined, now = Date.now()): string {
  if (since === undefined) return '-';
  const seconds = Math.max(0, Math.floor((now - Date.parse(since)) / 1000));
  if (seconds < 120) return `${seconds}s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes}m`;
  const hours = Math.floor(minutes / 60);
  if (hours < 24) return minutes % 60 === 0 ? `${hours}h` : `${hours}h${minutes % 60}m`;
  return `${Math.floor(hours / 24)}d`;
}

export function megabytes(bytes: number): string {
  return `${Math.round(bytes / 1024 / 1024)} MB`;
}
