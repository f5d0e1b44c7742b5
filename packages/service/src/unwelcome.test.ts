import { describe, expect, it } from '@jest/globals';
import { unwelcomeIn } from './unwelcome.ts';

describe('unwelcomeIn', () => {
  it.each([
    ['Jane Doe-Ó Briain'],
    ['李秀英'],
    ['دکتر محمد‌رضا'],
    ['عَبْدُ‌الله'],
    ['क्‍ष'],
    ['শ্রী‌মতী'],
    ['രാമന്‍'],
    ['ශ්‍රී ලාල්'],
    ['ᠮᠣᠩᠭᠣᠯ᠎ᠠ'],
    ['葛\u{E0100}城'],
    ["D'Arcy, J.-P. (3)"],
    ['e\u0301'],
  ])('takes %s', (text) => {
    expect(unwelcomeIn(text)).toBeUndefined();
  });

  it.each([
    ['a\u0000b', 'the control character U+0000'],
    ['a\nb', 'the control character U+000A'],
    ['a\u0085b', 'the control character U+0085'],
    ['a\u2028b', 'the control character U+2028'],
    ['\u200b', 'the hidden character U+200B'],
    ['Ja\u200bne', 'the hidden character U+200B'],
    ['Jane\u200e', 'the hidden character U+200E'],
    ['\u202enaJ', 'the hidden character U+202E'],
    ['a\u2066b\u2069', 'the hidden character U+2066'],
    ['a\u061cb', 'the hidden character U+061C'],
    ['a\ufeffb', 'the hidden character U+FEFF'],
    ['a\u00adb', 'the hidden character U+00AD'],
    ['a\u2060b', 'the hidden character U+2060'],
    ['\u3164', 'the hidden character U+3164'],
    ['\u2800', 'the hidden character U+2800'],
    ['a\u{E0041}', 'the hidden character U+E0041'],
    ['a\ufffe', 'the hidden character U+FFFE'],
    ['J\ufffd', 'U+FFFD, which stands for a character that was lost'],
  ])('names the refused character of %j', (text, named) => {
    expect(unwelcomeIn(text)).toBe(named);
  });

  it.each([
    ['between Latin letters', 'Ja\u200cne', 'U+200C'],
    ['between Latin letters with a mark', 'Je\u0301\u200dne', 'U+200D'],
    ['alone', '\u200d', 'U+200D'],
    ['before the first letter', '\u200cرضا', 'U+200C'],
    ['after the last letter', 'رضا\u200c', 'U+200C'],
    ['twice', 'محمد\u200c\u200cرضا', 'U+200C'],
    ['after a space', 'محمد \u200cرضا', 'U+200C'],
    ['of another script, a variant', 'A\ufe00', 'U+FE00'],
  ])('refuses a joiner that joins nothing: %s', (_where, text, code) => {
    expect(unwelcomeIn(text)).toBe(`the hidden character ${code}`);
  });
});
