import { DEFAULT_SETTINGS } from '@hms/tenancy';
import { describe, expect, it } from '@jest/globals';
import { daysLike, type Identity, numbersLike, similarityOf } from './similarity.ts';

const jane: Identity = {
  ...{ firstName: 'jane', lastName: 'doe', dateOfBirth: '1990-05-17', phone: '+353861234567' },
  gender: 'female',
};
const THRESHOLD = DEFAULT_SETTINGS.duplicateThreshold;
const score = (changes: Partial<Identity>) => similarityOf(jane, { ...jane, ...changes }).score;

describe('the score of two patients', () => {
  it('is 100 for the same name, day and number', () => {
    const similarity = { score: 100, name: 100, dateOfBirth: 100, phone: 100, gender: 100 };
    expect(similarityOf(jane, jane)).toEqual(similarity);
  });

  it('counts the parts that are known of both, if there are two', () => {
    const known = (changes: Partial<Identity>) => similarityOf(jane, { ...jane, ...changes });
    const unnamed = { firstName: null, lastName: null };
    expect(known({ phone: null })).toMatchObject({ score: 100, name: 100, dateOfBirth: 100, phone: null });
    expect(known(unnamed)).toMatchObject({ score: 100, name: null, dateOfBirth: 100, phone: 100 });
    expect(known({ ...unnamed, dateOfBirth: null })).toMatchObject({ score: 0, phone: 100 });
    expect(known({ phone: null, dateOfBirth: null })).toMatchObject({ score: 0, name: 100 });
    expect(known({ ...unnamed, phone: null, dateOfBirth: null }).score).toBe(0);
    // Half of the name, the same day and number.
    expect(known({ lastName: null })).toMatchObject({ score: 75, name: 50 });
    // Half of the name, and another day: fewer parts do not make people more alike.
    expect(score({ lastName: null, phone: null, dateOfBirth: '1961-01-02' })).toBeLessThan(60);
  });

  it('is the same in both directions', () => {
    const changes = { firstName: 'jean', lastName: 'do', dateOfBirth: '1990-05-11', phone: '+353861234576' };
    const other = { ...jane, ...changes };
    expect(similarityOf(jane, other)).toEqual(similarityOf(other, jane));
  });

  it.each([
    ['a misspelt name', { firstName: 'jnae' }],
    ['first and last name swapped', { firstName: 'doe', lastName: 'jane' }],
    ['a new number', { phone: '+491701234567' }],
    ['a wrong digit in the day', { dateOfBirth: '1990-05-11' }],
    ['the year before, and a new number', { dateOfBirth: '1989-05-17', phone: '+491701234567' }],
    ['a wrong digit in the day and in the number', { dateOfBirth: '1990-05-11', phone: '+353861234568' }],
    ['another gender, as somebody clicks the wrong one', { gender: 'male' }],
  ])('stays high with %s', (_what, changes) => {
    expect(score(changes)).toBeGreaterThanOrEqual(THRESHOLD);
  });

  it.each([
    ['a father and a son of the same name and number', { dateOfBirth: '1958-11-02' }],
    ['people of the same name', { dateOfBirth: '1958-11-02', phone: '+491701234567' }],
    ['people who were born on the same day', { firstName: 'omar', lastName: 'haddad', phone: '+491701234567' }],
    ['twins with one number', { firstName: 'peter' }],
    [
      'a man and a woman of similar names, with another number',
      { firstName: 'jana', phone: '+491701234567', gender: 'male' },
    ],
  ])('is low for %s', (_what, changes) => {
    expect(score(changes)).toBeLessThan(THRESHOLD);
  });

  it('does not compare a gender that is unknown or something else', () => {
    for (const gender of [null, 'unknown', 'other']) {
      expect(similarityOf(jane, { ...jane, gender })).toMatchObject({ score: 100, gender: null });
    }
  });
});

describe('typing errors of a date', () => {
  it('are day and month swapped, one digit, and neighbouring digits swapped', () => {
    expect(daysLike('1990-05-12')).toEqual(
      expect.arrayContaining(['1990-12-05', '1991-05-12', '1989-05-12', '1990-05-21', '1909-05-12']),
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
