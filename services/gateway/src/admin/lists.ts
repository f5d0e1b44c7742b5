import { invalidOffset, invalidOption, invalidSize } from '../store/errors.ts';
import type { Stored } from '../store/journal.ts';

export interface Page {
  readonly data: readonly object[];
  readonly next: string | null;
  readonly offset?: string;
}

/**
 * One page of rows, in the order in which they are given.
 * @param path of the list, for the link to the next page
 * @param isNested nested lists have no tags filter, and their links say the offset alone
 */
export function page(rows: readonly Stored[], query: URLSearchParams, path: string, isNested: boolean): Page {
  const size = pageSize(query.get('size'));
  const tags = isNested ? null : query.get('tags');
  const filtered = tags === null ? rows : withTags(rows, tags);
  const start = startOf(filtered, query.get('offset'));
  const data = filtered.slice(start, start + size);
  const last = data.at(-1);
  if (!last || start + size >= filtered.length) return { data, next: null };
  const offset = Buffer.from(JSON.stringify([last.id]))
    .toString('base64')
    .replace(/=+$/, '');
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

/** The rows after the one that the offset names; that one may be gone by now. */
function startOf(rows: readonly Stored[], offset: string | null): number {
  if (offset === null) return 0;
  const id = decodeOffset(offset);
  const at = rows.findIndex((row) => row.id === id);
  if (at >= 0) return at + 1;
  const after = rows.findIndex((row) => row.id > id);
  return after < 0 ? rows.length : after;
}

function decodeOffset(offset: string): string {
  try {
    const decoded: unknown = JSON.parse(Buffer.from(offset, 'base64').toString());
    if (Array.isArray(decoded) && typeof decoded[0] === 'string') return decoded[0];
  } catch {
    // Told below, as for an offset of another shape.
  }
  throw invalidOffset(offset);
}

/** `a,b` asks for both, `a/b` for either. */
function withTags(rows: readonly Stored[], text: string): Stored[] {
  if (text === '') throw invalidOption('tags', 'cannot be null');
  if (text.includes(',') && text.includes('/')) throw invalidOption('tags', 'invalid filter syntax');
  const all = !text.includes('/');
  const wanted = text.split(all ? ',' : '/').filter((tag) => tag !== '');
  if (wanted.length === 0) throw invalidOption('tags', 'invalid filter syntax');
  if (wanted.length > 5) throw invalidOption('tags', 'cannot query more than 5 tags');
  return rows.filter((row) => {
    const tags: readonly unknown[] = Array.isArray(row.tags) ? row.tags : [];
    const has = (tag: string) => tags.includes(tag);
    return all ? wanted.every(has) : wanted.some(has);
  });
}
