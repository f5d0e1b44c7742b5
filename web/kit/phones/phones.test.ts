import { describe, expect, it } from '@jest/globals';
import * as library from 'libphonenumber-js/min';
import { readPhone } from './phones.ts';

describe('a phone number', () => {
  it.each([
    ['086 121 4393', 'IE', '+353861214393'],
    ['+353 86 121 4393', undefined, '+353861214393'],
    ['\u202A+353\u00A086\u2011121\u20114393\u202C', undefined, '+353861214393'],
    ['＋３５３８６１２１４３９３', undefined, '+353861214393'],
    ['٠٨٦ ١٢١ ٤٣٩٣', 'IE', '+353861214393'],
    ['+44 (0)20 7946 0123', 'IE', '+442079460123'],
    ['tel:+353-86-121-4393', undefined, '+353861214393'],
    ['01.23.45.67.00', 'FR', '+33123456700'],
  ])('is read from %s', (typed, country, number) => {
    expect(readPhone(library, typed, country)).toBe(number);
  });

  it.each([
    ['+353861214393.0', 'IE'],
    ['353861214393.0', 'IE'],
    ['0861214393.00', 'IE'],
    ['3.53861E+11', 'IE'],
    ['086 121 4393 ext. 5', 'IE'],
    ['Jane 086 121 4393', 'IE'],
    ['086 121 4393 / 087 121 4393', 'IE'],
    ['086 121 4393', undefined],
    ['12', 'IE'],
    ['', 'IE'],
  ])('is not guessed from %s', (typed, country) => {
    expect(readPhone(library, typed, country)).toBeUndefined();
  });
});
