/** Finds hospitals by a part of their names. Pure. */
import type { Hospital } from '@hms/database';
import { foldText } from '@hms/service';

export type Listed = Pick<Hospital, 'prefix' | 'displayName' | 'state'>;

/** Any character of a line. */
const INSIDE = String.raw`[^\x00-\x1F\x7F-\x9F]`;

/** As many as a person compares at a glance, and too few to learn all names from. */
export const MOST_FOUND = 5;

interface Found<Entry> {
  /** The best matches, best first. */
  readonly hospitals: readonly Entry[];
  /** Whether others match too. */
  readonly more: boolean;
}

export interface Directory<Entry> {
  /** All hospitals that people may look for, by name. */
  readonly all: readonly Entry[];
  /** The hospitals with words that start with each word of the query. @param query for which `isSearchable` holds. */
  find(query: string): Found<Entry>;
}

/** Those that are open, and those that say at their address why they are not. */
export function directoryOf<Entry extends Listed>(hospitals: readonly Entry[]): Directory<Entry> {
  const entries = hospitals.filter(({ state }) => state === 'Active' || state === 'Suspended').map(entryOf);
  entries.sort((one, other) => order.compare(one.name, other.name) || compare(one.prefix, other.prefix));
  return {
    all: entries.map(({ hospital }) => hospital),
    find: (query) => {
      const wanted = { text: wordsOf(query).join(' '), words: wordsOf(query) };
      const matches = entries
        .filter((entry) => wanted.words.length > 0 && wanted.words.every((word) => startsIn(entry, word)))
        .map((entry) => ({ hospital: entry.hospital, rank: rankOf(entry, wanted) }))
        .sort((one, other) => one.rank - other.rank);
      return {
        hospitals: matches.slice(0, MOST_FOUND).map(({ hospital }) => hospital),
        more: matches.length > MOST_FOUND,
      };
    },
  };
}

/** Whether a query has a word that is long enough. With one or two letters, anybody could collect all names. */
export function isSearchable(query: string): boolean {
  return wordsOf(query).some((word) => {
    // Folding takes the syllables of Korean apart.
    const letters = [...word.normalize('NFC')];
    return letters.length >= (letters.every((letter) => DENSE.test(letter)) ? 2 : 3);
  });
}

/**
 * Every query for which `isSearchable` holds, as a pattern for all dialects of regular expressions. It counts ASCII only:
 * a single character of other scripts can stand for a word.
 */
export const SEARCHABLE = String.raw`^\s*${INSIDE}*(?:(?:[0-9A-Za-z]['${'`'}]*){3}|[^\x00-\x9F])${INSIDE}*\s*$`;

/** Scripts in which two characters say as much as three Latin letters. */
const DENSE = /[\p{Script=Arabic}\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;
/** Scripts without spaces between words, so that a word may start anywhere. */
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;
/** The Arabic article is a part of its word, and people leave it out. */
const ARTICLE = /^\u0627\u0644(?=.)/u;

interface Entry<Of> {
  readonly hospital: Of;
  readonly prefix: string;
  readonly name: string;
  readonly text: string;
  readonly words: readonly string[];
}

function entryOf<Of extends Listed>(hospital: Of): Entry<Of> {
  const words = wordsOf(hospital.displayName);
  return {
    hospital,
    prefix: hospital.prefix,
    name: hospital.displayName,
    text: words.join(' '),
    words: [...words, ...wordsOf(hospital.prefix)],
  };
}

function wordsOf(text: string): readonly string[] {
  return foldText(text)
    .split(/[^\p{L}\p{N}\p{M}]+/u)
    .filter(Boolean)
    .map((word) => word.replace(ARTICLE, ''));
}

function startsIn({ text, words }: Entry<unknown>, word: string): boolean {
  return words.some((own) => own.startsWith(word)) || (UNSPACED.test(word) && text.includes(word));
}

/** 0 for the whole name or the prefix, then those with the words themselves, then those whose names start alike. */
function rankOf(entry: Entry<unknown>, wanted: { readonly text: string; readonly words: readonly string[] }): number {
  if (entry.text === wanted.text || entry.prefix === wanted.words.join('-')) return 0;
  if (wanted.words.every((word) => entry.words.includes(word))) return 1;
  return entry.text.startsWith(wanted.text) ? 2 : 3;
}

const order = new Intl.Collator('en', { sensitivity: 'base', numeric: true });
const compare = (one: string, other: string) => (one < other ? -1 : Number(one > other));
