import { invalidOffset, invalidOption, invalidSize } from '../store/errors.ts';
import type { Stored } from '../store/journal.ts';

export interface Page {
  readonly data: readonly object[];
  readonly next: string | null;
  readonly offset?: string;
}

/** How a list is sorted, and how its offsets name a position that stays valid while rows are added and deleted. */
export interface Order {
  readonly compare: (a: Stored, b: Stored) => number;
  /** The offset of the position behind the row at an index. */
  readonly offsetBehind: (rows: readonly Stored[], index: number) => string;
  /** The index of the first row behind an offset. Refuses an invalid offset. */
  readonly indexBehind: (rows: readonly Stored[], offset: string) => number;
}

export const byId: Order = {
  compare: (a, b) => (a.id < b.id ? -1 : 1),
  offsetBehind: (rows, index) =>
    Buffer.from(JSON.stringify([rows[index]?.id]))
      .toString('base64')
      .replace(/=+$/, ''),
  indexBehind: (rows, offset) => {
    const id = decodeId(offset);
    return firstIndex(rows, (row) => row.id > id);
  },
};

/** Offsets are numbers: the time of the last row in milliseconds, then its id after the decimal point. */
export const newestFirst: Order = {
  compare: (a, b) => msOf(b) - msOf(a) || byId.compare(a, b),
  offsetBehind: (rows, index) => {
    const row = rows[index];
    return row ? `${msOf(row)}.${numberOf(row)}` : '';
  },
  indexBehind: (rows, offset) => {
    const [, ms, last] = /^(-?\d+)\.(\d+)$/.exec(offset) ?? [];
    if (ms === undefined || last === undefined) throw invalidOffset(offset, 'not an offset of a list');
    return firstIndex(
      rows,
      (row) => msOf(row) < Number(ms) || (msOf(row) === Number(ms) && numberOf(row) > BigInt(last)),
    );
  },
};

/**
 * One page of rows.
 * @param rows in the list's order
 * @param path of the list, for the link to the next page
 * @param isNested nested lists have no tags filter, and their links contain only the offset
 */
export function page(
  rows: readonly Stored[],
  query: URLSearchParams,
  path: string,
  isNested: boolean,
  order: Order = byId,
): Page {
  const size = pageSize(query.get('size'));
  const tags = isNested ? null : query.get('tags');
  const filtered = tags === null ? rows : withTags(rows, tags);
  const after = query.get('offset');
  const start = after === null ? 0 : order.indexBehind(filtered, after);
  const data = filtered.slice(start, start + size);
  if (start + size >= filtered.length) return { data, next: null };
  const offset = order.offsetBehind(filtered, start + size - 1);
  const rest = isNested
    ? ''
    : `${tags === null ? '' : `&tags=${encodeURIComponent(tags)}`}${query.has('size') ? `&size=${size}` : ''}`;
  return { data, offset, next: `${path}?offset=${encodeURIComponent(offset)}${rest}` };
}

function pageSize(text: string | null): number {
  if (text === null) return 100;
  const size = text.trim() === '' ? Number.NaN : Number(text);
  if (Number.isNaN(size)) throw invalidSize('size must be a number');
  if (!Number.isInteger(size) || size < 1 || size > 1000)
    throw invalidSize('size must be an integer between 1 and 1000');
  return size;
}

function firstIndex(rows: readonly Stored[], holds: (row: Stored) => boolean): number {
  const index = rows.findIndex(holds);
  return index < 0 ? rows.length : index;
}

function msOf(row: Stored): number {
  return Math.round(Number(row.created_at) * 1000);
}

/** A UUID as a number. */
function numberOf(row: Stored): bigint {
  return BigInt(`0x${row.id.replaceAll('-', '')}`);
}

function decodeId(offset: string): string {
  try {
    const decoded: unknown = JSON.parse(Buffer.from(offset, 'base64').toString());
    if (Array.isArray(decoded) && typeof decoded[0] === 'string') return decoded[0];
  } catch {
    // Refused below, like an offset of another shape.
  }
  throw invalidOffset(offset);
}

/** `a,b` means both tags, `a/b` either. */
function withTags(rows: readonly Stored[], text: string): Stored[] {
  if (text === '') throw invalidOption('tags', 'cannot be null');
  if (text.includes(',') && text.includes('/')) throw invalidOption('tags', 'invalid filter syntax');
  const matchesAll = !text.includes('/');
  const wantedTags = text.split(matchesAll ? ',' : '/').filter((tag) => tag !== '');
  if (wantedTags.length === 0) throw invalidOption('tags', 'invalid filter syntax');
  if (wantedTags.length > 5) throw invalidOption('tags', 'cannot query more than 5 tags');
  return rows.filter((row) => {
    const tags: readonly unknown[] = Array.isArray(row.tags) ? row.tags : [];
    const has = (tag: string) => tags.includes(tag);
    return matchesAll ? wantedTags.every(has) : wantedTags.some(has);
  });
}
