import { foldText } from '@hms/service';
import { describe, expect, it } from '@jest/globals';
import { namesAlike } from './names-alike.ts';

/** First and last name, with a slash between them. */
function alike(one: string, other: string): number {
  const [a, b] = [one, other].map((name) => {
    const [first = '', last = ''] = foldText(name).split('/');
    return { firstName: first || null, lastName: last || null };
  });
  if (!a || !b) throw new Error('two names are compared');
  const both = namesAlike(a, b);
  expect(namesAlike(b, a)).toBe(both);
  return both;
}

describe('the same name', () => {
  it.each([
    ['in other Latin letters', 'Mohammed/Ali Hassan', 'Muhammad/Ali Hassan'],
    ['by the consonants alone', 'Dmitriy/Kuznetsov', 'Dimitri/Kuznetsov'],
    ['with an article that is joined', 'Fatima/Al-Qahtani', 'Fatima/Alqahtani'],
    ['with another transcription of both', 'Chen/Wang', 'Chan/Wong'],
    ['with an umlaut', 'Jörg/Müller', 'Joerg/Mueller'],
    ['misspelt', 'Siobhan/Murphy', 'Siobahn/Murphy'],
    ['short, with two letters swapped', 'Jane/Doe', 'Jane/Deo'],
    ['swapped', 'Lan/Nguyễn Thị', 'Nguyen Thi/Lan'],
    ['with one more part', 'María/García', 'Maria/García López'],
    ['in Arabic and in Latin letters', 'محمد/القحطاني', 'Mohammed/Al-Qahtani'],
    ['in Cyrillic and in Latin letters', 'Дмитрий/Щербаков', 'Dmitry/Shcherbakov'],
    ['in Chinese and in Latin letters', '小明/王', 'Xiaoming/Wang'],
    ['in Devanagari and in Latin letters', 'राहुल/शर्मा', 'Rahul/Sharma'],
    ['in Hebrew and in Latin letters', 'שרה/כהן', 'Sarah/Kohen'],
    ['Arabic, without a long vowel', 'نورة/الغامدي', 'نورة/الغمدي'],
    ['Arabic, with a letter twice', 'محمد/حسن', 'محممد/حسن'],
  ])('%s', (_how, one, other) => {
    expect(alike(one, other)).toBeGreaterThanOrEqual(0.7);
  });
});

describe('another name', () => {
  it.each([
    ['twins with short names', 'Ann/Doe', 'Anna/Doe'],
    ['twins', 'Jane/Doe', 'Peter/Doe'],
    ['twins with a long last name', 'Omar/García López', 'Elena/García López'],
    ['with one letter more in Arabic', 'محمد/حسن', 'محمود/حسن'],
    ['with one character more in Chinese', '小明/王', '明/王'],
    ['of a family', 'Omar/Haddad', 'Haddad/Layla'],
    ['in another script', 'محمد/حسن', 'Fatima/Haddad'],
    ['with one part in common', 'Maria/García', 'Lucia/García López'],
  ])('%s', (_whose, one, other) => {
    expect(alike(one, other)).toBeLessThan(0.4);
  });
});

it('is half alike if a part is unknown of one of the two', () => {
  expect(alike('Jane/Doe', 'Jane/')).toBe(0.5);
  expect(alike('Jane/', 'Jane/')).toBe(1);
});
