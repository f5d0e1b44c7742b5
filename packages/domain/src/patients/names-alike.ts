/** How alike two names are, whichever letters they are written with. Pure. docs/duplicates.md explains the rules. */
import { withoutDigraphs } from '@hms/service';
import { jaroWinkler } from '@skyra/jaro-winkler';
import anyAscii from 'any-ascii';

/** Names in the form of `search_text`: small letters without accents. Null is unknown. */
export interface Names {
  readonly firstName: string | null;
  readonly lastName: string | null;
}

/** Words below this similarity of Jaro and Winkler have nothing in common. */
const UNRELATED = 0.65;
/** The same consonants: perhaps another spelling, and perhaps another name. */
const SAME_CONSONANTS = 0.9;
/** Each name that only one of the two has. */
const ONE_MORE = 0.9;
/** In fewer letters, another one makes another name: Ann and Anna. */
const SHORT = 4;
/** Long Arabic words keep their meaning without an alef, waw or yeh. محمد and محمود are two names. */
const LONG_ARABIC = 6;

/**
 * From 0 to 1. Each name of one must be a name of the other, in any order: a surname alone says that people are
 * relatives. One of the two may have more names.
 */
export function namesAlike(one: Names, other: Names): number {
  const straight = pairAlike([one.firstName, one.lastName], [other.firstName, other.lastName]);
  const swapped = pairAlike([one.firstName, one.lastName], [other.lastName, other.firstName]);
  return Math.max(straight, swapped, wordsAlike(wordsOf(one), wordsOf(other)));
}

type Pair = readonly [string | null, string | null];

/** A part that is unknown of one of the two leaves half a name. */
function pairAlike(one: Pair, other: Pair): number {
  const parts = [0, 1].flatMap((at) => {
    const [a, b] = [one[at] ?? null, other[at] ?? null];
    return a === null && b === null ? [] : [a === null || b === null ? null : wordAlike(joined(a), joined(b))];
  });
  if (parts.every((part) => part === null)) return 0;
  return parts.reduce<number>((all, part) => all * (part ?? 0.5), 1);
}

/** Each word of the shorter name with the most similar one of the longer. One word in common is too little. */
function wordsAlike(one: readonly string[], other: readonly string[]): number {
  const [few, many] = one.length <= other.length ? [one, [...other]] : [other, [...one]];
  if (few.length < 2 || (few.length === many.length && few.length === 2)) return 0;
  let all = ONE_MORE ** (many.length - few.length);
  for (const word of few) {
    const alike = many.map((another) => wordAlike(word, another));
    const best = alike.indexOf(Math.max(...alike));
    all *= alike[best] ?? 0;
    many.splice(best, 1);
  }
  return all;
}

function wordsOf({ firstName, lastName }: Names): readonly string[] {
  return [firstName, lastName].flatMap((part) => part?.split(SEPARATORS).filter(Boolean) ?? []);
}

const SEPARATORS = /[ \-,;:()/_]+/;

function joined(name: string): string {
  return name.split(SEPARATORS).join('');
}

/** One letter more or less makes another name: Arabic words, and the one or two characters of Chinese ones. */
const EXACT = /[\p{Script=Arabic}\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;
const LATIN = /^[\p{Script=Latin}\p{M}]*$/u;

function wordAlike(one: string, other: string): number {
  if (one === other) return 1;
  if (LATIN.test(one) !== LATIN.test(other)) return acrossScripts(one, other);
  const slip = slipped(one, other) ? SAME_CONSONANTS : 0;
  const length = Math.min(lettersOf(one), lettersOf(other));
  if (EXACT.test(one + other)) return length < LONG_ARABIC ? slip : Math.max(slip, sameConsonants(one, other));
  const alike = Math.max(slip, sameConsonants(one, other));
  if (length < SHORT) return alike;
  return Math.max(
    alike,
    scaled(jaroWinkler(one, other)),
    scaled(jaroWinkler(withoutDigraphs(one), withoutDigraphs(other))),
  );
}

/** Vowel signs are no letters. */
function lettersOf(word: string): number {
  return word.replaceAll(/\p{M}/gu, '').length;
}

function scaled(alike: number): number {
  return Math.max(0, (alike - UNRELATED) / (1 - UNRELATED));
}

/** A letter typed twice, two neighbours in the wrong order, or y for i. */
function slipped(one: string, other: string): boolean {
  const bare = (word: string) => withoutDoubles(word.replaceAll('y', 'i'));
  if (bare(one) === bare(other)) return true;
  if (one.length !== other.length) return false;
  const at = [...one].findIndex((letter, index) => letter !== other[index]);
  return one.slice(0, at) + one.charAt(at + 1) + one.charAt(at) + one.slice(at + 2) === other;
}

function withoutDoubles(text: string): string {
  return text.replaceAll(/(.)\1+/gu, '$1');
}

function sameConsonants(one: string, other: string): number {
  const [a, b] = [consonantsOf(one), consonantsOf(other)];
  return a === b && a.length > 1 ? SAME_CONSONANTS : 0;
}

function acrossScripts(one: string, other: string): number {
  const [a, b] = [consonantsOf(one), consonantsOf(other)];
  return a === b && a !== '' ? SAME_CONSONANTS : SAME_CONSONANTS * scaled(jaroWinkler(a, b));
}

/** What is left of a name in every script, and in every spelling of it: محمد, Mohammed and Muhammad are `mhmd`. */
function consonantsOf(word: string): string {
  const latin = anyAscii(word.replace(/^ال(?=...)/u, ''))
    .toLowerCase()
    .replaceAll(/[^a-z]/g, '');
  const plain = latin
    .replaceAll('ph', 'f')
    .replaceAll('sh', 's')
    .replaceAll(/[cq]/g, 'k')
    .replaceAll(/[aeiouywv]/g, '');
  return withoutDoubles(plain);
}
