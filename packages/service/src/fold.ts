/** Text as searches compare it, outside of a hospital's schema. */

/**
 * Apostrophes, the Arabic stretch, the Catalan dot, and what is invisible. Decomposed, some of them would become a space
 * and an accent.
 */
const LEFT_OUT =
  /['\u2018\u2019\u201B\u02BC\u02BB\u02BD\u02BE\u02BF\u02B9\u2032\uFF07`\u00B4\u0640\u00B7\u00AD\u061C\u200B-\u200F\u202A-\u202E\u2060\u2066-\u2069\uFEFF]/g;
/** Latin, Greek, Cyrillic, Hebrew and Arabic marks; the vowel signs of other scripts are letters. */
const MARKS =
  /[\u0300-\u036F\u0483-\u0487\u0591-\u05BD\u05BF\u05C1\u05C2\u05C4\u05C5\u05C7\u0610-\u061A\u064B-\u065F\u0670\u06D6-\u06DC\u06DF-\u06E4\u06E7\u06E8\u06EA-\u06ED]/g;
/** Letters that have no decomposition; dashes; final sigma; Arabic spellings. */
const LETTERS: Readonly<Record<string, string>> = {
  ...{ ø: 'o', ł: 'l', đ: 'd', ı: 'i', ð: 'd', ħ: 'h', ß: 'ss', æ: 'ae', œ: 'oe', þ: 'th', ς: 'σ' },
  ...{ ŧ: 't', ŋ: 'n', ɓ: 'b', ɗ: 'd', ƙ: 'k', ɛ: 'e', ɔ: 'o', ə: 'e' },
  ...{ '\u2010': '-', '\u2011': '-', '\u2012': '-', '\u2013': '-', '\u2014': '-', '\u2015': '-', '\u2212': '-' },
  ...{ '\u0649': '\u064A', '\u06CC': '\u064A', '\u06A9': '\u0643', '\u0629': '\u0647', '\u0671': '\u0627' },
  ...{ '\u06C1': '\u0647', '\u06BE': '\u0647', '\u06D5': '\u0647', '\u06C3': '\u0647' },
};
const REPLACED = new RegExp(`[${Object.keys(LETTERS).join('')}]`, 'g');
const DIGITS = /[\u0660-\u0669\u06F0-\u06F9]/g;
const SPACES = /[ .]+/g;

/** A folded text whose umlauts may be written with an e, or å with a second a: Mueller is Müller. */
export function withoutDigraphs(folded: string): string {
  return folded.replaceAll(/([aou])e/g, '$1').replaceAll('aa', 'a');
}

/**
 * The text without accents, apostrophes, dots, capital letters and spellings that mean the same. The rules are those of
 * `search_text`, a function of each hospital's schema. `fold.engine.test.ts` compares the two.
 */
export function foldText(text: string): string {
  return text
    .replace(LEFT_OUT, '')
    .normalize('NFKD')
    .toLowerCase()
    .replace(MARKS, '')
    .replace(REPLACED, (letter) => LETTERS[letter] ?? letter)
    .replace(DIGITS, (digit) => String((digit.codePointAt(0) ?? 0) & 0xf))
    .replace(SPACES, ' ');
}
