import { describe, expect, it } from '@jest/globals';
import { numberIn, numberText } from './numbers.ts';

const [english, german, arabic] = ['en-IE-u-nu-latn', 'de', 'ar-EG-u-nu-latn'] as const;

describe('numberIn', () => {
  it.each([
    ['0.5', english, 0.5],
    ['0,5', english, 0.5],
    ['12', english, 12],
    ['0,125', english, 0.125],
    ['1.125', english, 1.125],
    ['1,125', german, 1.125],
    ['٠٫٥', arabic, 0.5],
    ['۱۲', arabic, 12],
  ])('reads %s', (text, locale, number) => {
    expect(numberIn(text, locale)).toBe(number);
  });

  it.each([
    ['1,000', english],
    ['12,500', english],
    ['1.000', german],
    ['1,000,000', english],
    ['1.2.3', english],
    ['1e3', english],
    ['-1', english],
    ['½', english],
    ['', english],
  ])('does not take %s for another number', (text, locale) => {
    expect(numberIn(text, locale)).toBeNaN();
  });
});

describe('numberText', () => {
  it.each([english, german, arabic])('writes what numberIn reads, in %s', (locale) => {
    for (const number of [0.5, 1.125, 12, 1000.25]) expect(numberIn(numberText(number, locale), locale)).toBe(number);
  });
});
