/** Languages have the same words, and say the same values in them. */
import { expect, it } from '@jest/globals';
import ar from '../../portal/words/ar.ts';
import en from '../../portal/words/en.ts';
import { words as tvArabic } from '../../tv/words/ar.ts';
import { words as tvEnglish } from '../../tv/words/en.ts';

function wordsOf(node: object, at = ''): Map<string, string> {
  return new Map(
    Object.entries(node).flatMap(([key, value]) =>
      typeof value === 'string' ? [[`${at}${key}`, value] as const] : [...wordsOf(value, `${at}${key}.`)],
    ),
  );
}

const PLURAL = /_(zero|one|two|few|many|other)$/;
const keysOf = (words: Map<string, string>) =>
  [...new Set([...words.keys()].map((key) => key.replace(PLURAL, '')))].sort();
const valuesIn = (text = '') => (text.match(/\{\{\w+\}\}/g) ?? []).sort();

it('Arabic has the words of English, with the same values', () => {
  const [english, arabic] = [wordsOf(en), wordsOf(ar)];
  expect(keysOf(arabic)).toEqual(keysOf(english));
  for (const [key, text] of english) {
    // One and two are words in Arabic.
    if (PLURAL.test(key) && !key.endsWith('_other')) continue;
    expect([key, valuesIn(arabic.get(key))]).toEqual([key, valuesIn(text)]);
  }
});

it('televisions say the same in Arabic, with the same values', () => {
  const [english, arabic] = [wordsOf(tvEnglish), wordsOf(tvArabic)];
  const values = (text = '') => (text.match(/\{\w+\}/g) ?? []).sort();
  expect(keysOf(arabic)).toEqual(keysOf(english));
  for (const [key, text] of english) expect([key, values(arabic.get(key))]).toEqual([key, values(text)]);
});

it('has every form of each plural', () => {
  const forms = (words: Map<string, string>, language: string) => {
    const categories = new Intl.PluralRules(language).resolvedOptions().pluralCategories;
    const plurals = [...words.keys()].filter((key) => key.endsWith('_other')).map((key) => key.replace(PLURAL, ''));
    return plurals
      .flatMap((key) => categories.map((category) => `${key}_${category}`))
      .filter((key) => !words.has(key));
  };
  expect(forms(wordsOf(en), 'en')).toEqual([]);
  expect(forms(wordsOf(ar), 'ar')).toEqual([]);
});
