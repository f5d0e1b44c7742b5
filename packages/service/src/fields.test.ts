import { describe, expect, it } from '@jest/globals';
import { day, line, phone, today } from './fields.ts';

describe('line', () => {
  it('trims and composes', () => {
    expect(line(10).parse('  E\u0301mile ')).toBe('Émile');
  });

  it.each(['', '  ', 'a\u0000b', 'a\nb', 'a\ud800', 'a\u200bb', 'a'.repeat(11)])('refuses %j', (text) => {
    expect(line(10).safeParse(text).success).toBe(false);
  });

  it('says which character it refuses, and what to do', () => {
    expect(line(10).safeParse(' Ja\u202ene ').error?.issues).toMatchObject([
      { message: 'has the hidden character U+202E: leave it out' },
    ]);
  });
});

describe('phone', () => {
  it.each([
    ['+62 (812) 345-67.89', '+62812345 6789'.replace(' ', '')],
    ['+1234567', '+1234567'],
  ])('reads %s', (text, number) => {
    expect(phone.parse(text)).toBe(number);
  });

  it.each(['0812345678', '+0812345678', '+12345', `+${'1'.repeat(16)}`, '+62812abc', '62812345678'])(
    'refuses %s',
    (text) => {
      expect(phone.safeParse(text).success).toBe(false);
    },
  );
});

describe('day', () => {
  it('is the day as written, whatever the offset', () => {
    expect(day.parse('1990-05-17T23:59:59-12:00')).toBe('1990-05-17');
    expect(day.safeParse('1990-02-29').success).toBe(false);
  });
});

describe('today', () => {
  it('depends on where the hospital is', () => {
    const now = new Date('2026-03-01T20:00:00Z');
    expect(today('Asia/Jakarta', now)).toBe('2026-03-02');
    expect(today('America/New_York', now)).toBe('2026-03-01');
  });
});
