/** Output for people and for programs. */
import Table from 'cli-table3';
import { stringify } from 'yaml';

export const FORMATS = ['table', 'json', 'yaml'] as const;
export type Format = (typeof FORMATS)[number];

/** Prints data as JSON or YAML, or as the table of `rows`. The first row is the heading. */
export function print<T>(data: T, format: Format, rows: (data: T) => readonly (readonly string[])[]): void {
  if (format === 'json') console.log(JSON.stringify(data, null, 2));
  else if (format === 'yaml') process.stdout.write(stringify(data));
  else console.log(columns(rows(data)));
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
