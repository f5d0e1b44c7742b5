/** Languages have the same words, and say the same values in them. */

import { LEAST_PASSWORD_CHARACTERS, PERMISSION_NAMES, SYSTEM_TEMPLATES } from '@hms/tenancy';
import { describe, expect, it } from '@jest/globals';
import { consolePages } from '../../console/pages/words.ts';
import consoleAr from '../../console/words/ar.ts';
import consoleEn from '../../console/words/en.ts';
import { portalPages } from '../../portal/pages/words.ts';
import portalAr from '../../portal/words/ar.ts';
import portalEn from '../../portal/words/en.ts';
import { words as tvAr } from '../../tv/words/ar.ts';
import { words as tvEn } from '../../tv/words/en.ts';
import { kitPages } from './pages.ts';

function wordsOf(node: object, at = ''): Map<string, string> {
  return new Map(
    Object.entries(node).flatMap(([key, value]) =>
      typeof value === 'string' ? [[`${at}${key}`, value] as const] : [...wordsOf(value, `${at}${key}.`)],
    ),
  );
}

/** With a point on televisions, where `other` stands for the forms that are left out. */
const PLURAL = /[_.](zero|one|two|few|many|other)$/;
const keysOf = (words: Map<string, string>) =>
  [...new Set([...words.keys()].map((key) => key.replace(PLURAL, '')))].sort();
/** In `{{…}}`, and on televisions in `{…}`. */
const valuesIn = (text = '') => (text.match(/\{\{?\w+\}\}?/g) ?? []).sort();

const pages = await Promise.all(
  Object.entries({ kit: kitPages, portal: portalPages, console: consolePages }).flatMap(([entry, files]) =>
    Object.entries(files).map(async ([name, { en, ar }]) => {
      const [english, arabic] = await Promise.all([en(), ar()]);
      return [`pages of ${entry}: ${name}`, english.default, arabic.default] as const;
    }),
  ),
);

describe.each<readonly [string, object, object]>([
  ['portal', portalEn, portalAr],
  ['console', consoleEn, consoleAr],
  ['tv', tvEn, tvAr],
  ...pages,
])('%s', (_, en, ar) => {
  it('Arabic has the words of English, with the same values', () => {
    const [english, arabic] = [wordsOf(en), wordsOf(ar)];
    expect(keysOf(arabic)).toEqual(keysOf(english));
    for (const [key, text] of english) {
      // One and two are words in Arabic.
      if (PLURAL.test(key) && !key.endsWith('other')) continue;
      expect([key, valuesIn(arabic.get(key))]).toEqual([key, valuesIn(text)]);
    }
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
});

it('says nothing twice in a tab, so that no page changes the words of another one', () => {
  const keys = [portalEn, ...pages.filter(([name]) => !name.includes('console')).map(([, words]) => words)].flatMap(
    (words) => [...wordsOf(words).keys()],
  );
  expect(keys.filter((key, index) => keys.indexOf(key) !== index)).toEqual([]);
});

it('has words for each role and each permission of hospitals', async () => {
  const words = wordsOf((await kitPages.permissions.en()).default);
  const wanted = [
    ...SYSTEM_TEMPLATES.map(({ name }) => `role.${name}`),
    ...PERMISSION_NAMES.hospital.flatMap((name) => [`permission.${name}`, `subject.${name.split('.')[0]}`]),
  ];
  expect(wanted.filter((key) => !words.has(key))).toEqual([]);
});

it.each([portalEn, portalAr, consoleEn, consoleAr])('names the shortest password that a realm accepts', (words) => {
  const [least] = /\d+/.exec(wordsOf(words).get('forgotten.rules') ?? '') ?? [];
  expect(Number(least)).toBe(LEAST_PASSWORD_CHARACTERS);
});
