import { describe, expect, it } from '@jest/globals';
import { daysLike, type Identity, numbersLike, similarityOf } from './similarity.ts';

const jane: Identity = { firstName: 'jane', lastName: 'doe', dateOfBirth: '1990-05-17', phone: '+353861234567' };
const score = (changes: Partial<Identity>, trigrams = 0) => similarityOf(jane, { ...jane, ...changes }, trigrams).score;

describe('the score of two patients', () => {
  it('is 100 for the same name, day and number', () => {
    expect(similarityOf(jane, jane, 1)).toEqual({ score: 100, name: 100, dateOfBirth: 100, phone: 100 });
  });

  it('counts the parts that are known of both, if there are two', () => {
    const known = (changes: Partial<Identity>) => similarityOf(jane, { ...jane, ...changes }, 1);
    const unnamed = { firstName: null, lastName: null };
    expect(known({ phone: null })).toEqual({ score: 100, name: 100, dateOfBirth: 100, phone: null });
    expect(known({ lastName: null }).score).toBe(100);
    expect(known(unnamed)).toEqual({ score: 100, name: null, dateOfBirth: 100, phone: 100 });
    expect(known({ ...unnamed, dateOfBirth: null })).toMatchObject({ score: 0, phone: 100 });
    expect(known({ phone: null, dateOfBirth: null })).toMatchObject({ score: 0, name: 100 });
    expect(known({ ...unnamed, phone: null, dateOfBirth: null }).score).toBe(0);
    // Half of the name, and another day: fewer parts do not make people more alike.
    expect(score({ phone: null, dateOfBirth: '1961-01-02' }, 1)).toBeLessThan(65);
  });

  it('is the same in both directions', () => {
    const other = { firstName: 'jean', lastName: 'do', dateOfBirth: '1990-05-11', phone: '+353861234576' };
    expect(similarityOf(jane, other, 0.3)).toEqual(similarityOf(other, jane, 0.3));
  });

  it.each([
    ['a misspelt name', { firstName: 'jnae' }],
    ['first and last name swapped', { firstName: 'doe', lastName: 'jane' }],
    ['a new number', { phone: '+491701234567' }],
    ['a wrong digit in the day', { dateOfBirth: '1990-05-11' }],
    ['a wrong digit in the day and in the number', { dateOfBirth: '1990-05-11', phone: '+353861234568' }],
  ])('stays high with %s', (_what, changes) => {
    expect(score(changes)).toBeGreaterThanOrEqual(76);
  });

  it.each([
    ['a father and a son of the same name and number', { dateOfBirth: '1958-11-02' }],
    ['people of the same name', { dateOfBirth: '1958-11-02', phone: '+491701234567' }],
    ['people who were born on the same day', { firstName: 'omar', lastName: 'haddad', phone: '+491701234567' }],
    ['twins with one number', { firstName: 'peter' }],
  ])('is low for %s', (_what, changes) => {
    expect(score(changes)).toBeLessThan(76);
  });
});

describe('typing errors of a date', () => {
  it('are day and month swapped, one digit, and neighbouring digits swapped', () => {
    expect(daysLike('1990-05-12')).toEqual(
      expect.arrayContaining(['1990-12-05', '1991-05-12', '1990-05-21', '1909-05-12']),
    );
  });

  it('are days of the calendar only, without the day itself', () => {
    for (const day of daysLike('2000-02-29')) expect(new Date(`${day}T00:00:00Z`).toISOString()).toContain(day);
    expect(daysLike('2000-02-29')).not.toContain('2000-02-29');
    expect(daysLike('2000-02-28')).not.toContain('2001-02-29');
    expect(daysLike('2000-02-28').filter((day) => day < '1000')).toEqual([]);
  });
});

it('typing errors of a number leave the country code', () => {
  const numbers = numbersLike('+353861234567');
  expect(numbers).toEqual(expect.arrayContaining(['+353861234568', '+353861234576']));
  expect(numbers.every((number) => number.startsWith('+353'))).toBe(true);
});
