import { describe, expect, it } from '@jest/globals';
import { prefixProblem } from './prefix.ts';

describe('prefixProblem', () => {
  it.each(['st-mary', 'abc', 'a1b', `a${'b'.repeat(30)}c`])('accepts %s', (prefix) => {
    expect(prefixProblem(prefix)).toBeUndefined();
  });

  it.each(['ab', 'St-Mary', '1st', 'st_mary', 'st-mary-', '-st', `a${'b'.repeat(31)}c`, 'a\nb', 'st.mary', ''])(
    'refuses %j and describes a valid prefix',
    (prefix) => {
      expect(prefixProblem(prefix)).toMatch(/3 to 32 lower-case letters, digits and hyphens/);
    },
  );

  it('refuses two hyphens in a row', () => {
    expect(prefixProblem('st--mary')).toMatch(/two hyphens in a row/);
  });

  it.each(['master', 'console', 'public', 'template0', 'pg-stat', 'auth', 'www'])(
    'refuses %s, which an engine or the platform uses',
    (prefix) => {
      expect(prefixProblem(prefix)).toMatch(/reserved/);
    },
  );
});
