/** The language of a television: the hospital's, and the browser's as long as that is not known. */
import { words as ar } from './words/ar.ts';
import { words as en, type Words } from './words/en.ts';

export interface Language {
  readonly words: Words;
  readonly direction: 'ltr' | 'rtl';
  /** For Intl. Digits are the ones in codes. */
  readonly locale: string;
}

const ENGLISH: Language = { words: en, direction: 'ltr', locale: 'en-GB' };
const ARABIC: Language = { words: ar, direction: 'rtl', locale: 'ar-u-nu-latn' };

/** @param tag such as ar-EG */
export function languageOf(tag: string): Language {
  return tag.slice(0, 2) === 'ar' ? ARABIC : ENGLISH;
}

/** A sentence with its values. */
export function say(sentence: string, values: Readonly<Record<string, string>>): string {
  return sentence.replace(/\{(\w+)\}/g, (whole, name: string) => values[name] ?? whole);
}
