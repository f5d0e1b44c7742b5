import { describe, expect, it } from '@jest/globals';
import { age, columns, harmless, megabytes } from './output.ts';

describe('harmless', () => {
  it('shows what would control the terminal, and keeps lines', () => {
    expect(harmless('a\u001b[31m\u0007\r\n\tb\u2028é')).toBe('a\\u001b[31m\\u0007\\u000d\n\tb\\u2028é');
  });
});

describe('age', () => {
  const at = (seconds: number) => age(new Date(0).toISOString(), seconds * 1000);
  it.each([
    [0, '0s'],
    [119, '119s'],
    [120, '2m'],
    [3599, '59m'],
    [3600, '1h'],
    [11_520, '3h12m'],
    [432_000, '5d'],
  ])('writes %d seconds as %s', (seconds, text) => {
    expect(at(seconds)).toBe(text);
  });

  it('writes - without a time', () => {
    expect(age(undefined)).toBe('-');
  });
});

describe('columns', () => {
  it('are aligned without borders and trailing blanks', () => {
    expect(
      columns([
        ['PREFIX', 'READY'],
        ['st-mary', 'True'],
      ]),
    ).toBe('PREFIX    READY\nst-mary   True');
  });
});

describe('megabytes', () => {
  it('rounds', () => {
    expect(megabytes(1_600_000)).toBe('2 MB');
  });
});
