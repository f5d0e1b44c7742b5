import { describe, expect, it } from '@jest/globals';
import { day, email, instant, line, lines, phone, today } from './fields.ts';

describe('line', () => {
  it('trims and composes', () => {
    expect(line(10).parse('  E\u0301mile ')).toBe('Émile');
  });

  it.each(['', '  ', 'a\u0000b', 'a\nb', 'a\ud800', 'a\u200bb', 'a'.repeat(11)])('refuses %j', (text) => {
    expect(line(10).safeParse(text).success).toBe(false);
  });

  it('names the refused character, and what to do', () => {
    expect(line(10).safeParse(' Ja\u202ene ').error?.issues).toMatchObject([
      { message: 'has the hidden character U+202E: leave it out' },
    ]);
  });
});

describe('lines', () => {
  it('keeps the ends of lines, all in the same form', () => {
    expect(lines(40).parse(' 1 Main Street\r\n\nDublin\n')).toBe('1 Main Street\n\nDublin');
  });

  it.each(['a\u0000b', 'a\tb', 'a\rb', 'a\u2028b', 'a\u202eb', ' \n ', 'x'.repeat(41)])('refuses %j', (text) => {
    expect(lines(40).safeParse(text).success).toBe(false);
  });

  it('names the character that can not stay', () => {
    expect(lines(40).safeParse('Dublin\n\u0000').error?.issues).toMatchObject([
      { message: 'has the control character U+0000: leave it out' },
    ]);
  });
});

describe('a line beyond its limit', () => {
  const issuesOf = (text: string, max = 254) =>
    line(max)
      .safeParse(text)
      .error?.issues.map(({ message }) => message);

  it('is checked only for its length', () => {
    let normalized = 0;
    const { normalize } = String.prototype;
    String.prototype.normalize = function (form) {
      normalized += 1;
      return normalize.call(this, form);
    };
    try {
      expect(line(254).safeParse('\u0301\u0323'.repeat(40_000)).error?.issues).toHaveLength(1);
      expect(normalized).toBe(0);
      line(254).parse('Jane');
      expect(normalized).toBe(1);
    } finally {
      String.prototype.normalize = normalize;
    }
  });

  it('refuses letters with more marks than any language writes', () => {
    expect(issuesOf(`a${'\u0301'.repeat(31)}`)).toEqual([
      'has more than 30 combining marks on one letter: leave some out',
    ]);
    expect(issuesOf(`a${'\u0301'.repeat(30)}`)).toBeUndefined();
  });

  it('is checked again after normalisation, which makes a few letters longer', () => {
    expect(issuesOf('\u0958'.repeat(6), 10)).toEqual([expect.stringContaining('10 characters')]);
    expect(issuesOf('\u0958'.repeat(5), 10)).toBeUndefined();
  });
});

describe('instant', () => {
  it.each([
    ['2026-01-01T00:00:00+23:59', '2025-12-31T00:01:00.000Z'],
    ['2026-01-01T00:00:00.123456789Z', '2026-01-01T00:00:00.123Z'],
    ['0001-01-01T00:00:00Z', '0001-01-01T00:00:00.000Z'],
    ['9999-12-31T23:59:59.999Z', '9999-12-31T23:59:59.999Z'],
  ])('reads %s', (text, moment) => {
    expect(instant.parse(text)).toBe(moment);
  });

  it.each([
    `2026-01-01T00:00:00.${'1'.repeat(200)}Z`,
    '0000-01-01T00:00:00Z',
    '0001-01-01T00:00:00+00:01',
    '9999-12-31T23:59:59-00:01',
    '2026-01-01T24:00:00Z',
    '2026-01-01T00:00:60Z',
    '2026-01-01T00:00:00',
  ])('refuses %s', (text) => {
    expect(instant.safeParse(text).success).toBe(false);
  });
});

describe('phone', () => {
  it.each([
    ['+62 (812) 345-67.89', '+62812345 6789'.replace(' ', '')],
    ['+1234567', '+1234567'],
    ['\u202A+353\u00A086\u202F121\u20114393\u202C', '+353861214393'],
    ['\u200E+353–86—121−4393', '+353861214393'],
    ['＋３５３（８６）１２１ー４３９３', '+353861214393'],
    ['+٣٥٣ ٨٦ ١٢١ ٤٣٩٣', '+353861214393'],
    ['+۳۵۳۸۶۱۲۱۴۳۹۳', '+353861214393'],
    ['+३५३८६१२१४३९३', '+353861214393'],
    ['+৩৫৩৮৬১২১৪৩৯৩', '+353861214393'],
    ['tel:+353-86-121-4393', '+353861214393'],
    ['+33.1.23.45.67.00', '+33123456700'],
    ['+353.861214393', '+353861214393'],
    // In Italy, the zero is dialled from abroad too.
    ['+39 06 1234 5678', '+390612345678'],
  ])('reads %s', (text, number) => {
    expect(phone.parse(text)).toBe(number);
  });

  it('refuses a zero in brackets, because the number from abroad may be with or without it', () => {
    const { error } = phone.safeParse('+44 (0)20 7946 0123');
    expect(error?.issues.map(({ message }) => message)).toEqual([expect.stringContaining('must not have (0)')]);
  });

  it.each([
    ...['0812345678', '+0812345678', '+12345', `+${'1'.repeat(16)}`, '+62812abc', '62812345678'],
    ...[
      '353861214393.0',
      '3.53861E+11',
      '+3.53861214393E11',
      '+353861214393 ext. 5',
      '+353861214393;5',
      '++353861214393',
    ],
    ...['+353861214393/+353861214394', '+353 86 121 439O', '\u202E+353861214393x'],
  ])('refuses %s', (text) => {
    expect(phone.safeParse(text).success).toBe(false);
  });

  it.each([
    ['+353861214393.0', 'decimal point'],
    ['+353861214393.', 'decimal point'],
    ['+353861214393.00', 'decimal point'],
    ['+3538612143.93', 'decimal point'],
    ['+353 0861214393', 'has a 0 that is not dialled from abroad'],
    ['+44-020-7946-0123', 'has a 0 that is not dialled from abroad'],
  ])('refuses %s, which would be another number', (text, why) => {
    const { error } = phone.safeParse(text);
    expect(error?.issues.map(({ message }) => message)).toEqual([expect.stringContaining(why)]);
  });
});

describe('email', () => {
  it('says how long the part before the @ may be, which mail servers and Keycloak limit', () => {
    const { error } = email.safeParse(`${'x'.repeat(65)}@example.org`);
    expect(error?.issues.map(({ message }) => message)).toEqual([
      expect.stringContaining('must have at most 64 characters before the @'),
    ]);
  });
});

describe('day', () => {
  it('is the day as written, whatever the offset', () => {
    expect(day.parse('1990-05-17T23:59:59-12:00')).toBe('1990-05-17');
    expect(day.safeParse('1990-02-29').success).toBe(false);
  });
});

describe('today', () => {
  it('depends on the hospital’s time zone', () => {
    const now = new Date('2026-03-01T20:00:00Z');
    expect(today('Asia/Jakarta', now)).toBe('2026-03-02');
    expect(today('America/New_York', now)).toBe('2026-03-01');
  });
});
