import { patients } from '@hms/domain/patients';
import { expect, it } from '@jest/globals';
import { familyName } from './names.ts';
import { labelledPairs } from './pairs.ts';
import { detailsAt, personAt } from './people.ts';
import { inLatin, inOtherScript, spelt } from './spellings.ts';

const MANY = Array.from({ length: 3000 }, (_, index) => personAt(1, index));

it('is the same person in each run, and another one with another seed', () => {
  expect(personAt(1, 17)).toEqual(MANY[17]);
  expect(detailsAt(1, 17)).toEqual(detailsAt(1, 17));
  expect(personAt(2, 17)).not.toEqual(MANY[17]);
});

it('has names in several scripts', () => {
  const scripts = ['Latin', 'Arabic', 'Cyrillic', 'Devanagari', 'Thai', 'Han', 'Hebrew'];
  const shares = scripts.map((script) => {
    const pattern = new RegExp(`^\\p{Script=${script}}`, 'u');
    return MANY.filter(({ lastName }) => pattern.test(lastName)).length / MANY.length;
  });
  expect(shares.filter((share) => share > 0.01)).toHaveLength(scripts.length);
});

it('has nobody whom the reception could not register', () => {
  for (const [index, { origin: _, sex: __, country: ___, ...person }] of MANY.entries()) {
    expect(patients.create.safeParse({ ...person, ...detailsAt(1, index) }).error).toBeUndefined();
  }
});

it('has relatives who look alike, and are somebody else', () => {
  const relatives = MANY.flatMap((person) => (person.origin.kind === 'relative' ? [[person, person.origin.of]] : []));
  expect(relatives.length / MANY.length).toBeGreaterThan(0.2);
  for (const [person, of] of relatives as [(typeof MANY)[number], number][]) {
    const other = MANY[of];
    expect(other?.origin.kind).toBe('new');
    expect(person.lastName).toBe(familyName(person.country, other?.lastName ?? '', person.sex));
    const isSame = person.firstName === other?.firstName && person.dateOfBirth === other.dateOfBirth;
    expect(isSame && person.phone === other?.phone).toBe(false);
  }
});

it.each([
  ['RU', 'Чернов', 'female', 'Чернова'],
  ['RU', 'Мартынова', 'male', 'Мартынов'],
  ['RU', 'Воробьёв', 'female', 'Воробьёва'],
  ['RU', 'Чернова', 'female', 'Чернова'],
  ['RU', 'Zhukov', 'female', 'Zhukova'],
  ['RU', 'Yudina', 'male', 'Yudin'],
  ['IE', 'Quinn', 'female', 'Quinn'],
] as const)('in %s, %s of a %s is %s', (country, name, sex, expected) => {
  expect(familyName(country, name, sex)).toBe(expected);
});

it('gives Russian speakers the surname of their sex', () => {
  const born = MANY.filter(({ country, origin }) => country === 'RU' && origin.kind !== 'duplicate');
  expect(born.length).toBeGreaterThan(100);
  for (const { lastName, sex } of born)
    expect([lastName, /[аaя]$/u.test(lastName)]).toEqual([lastName, sex === 'female']);
});

it('labels who is registered twice', () => {
  const pairs = [...labelledPairs(1, MANY.length)];
  expect(pairs.length / MANY.length).toBeGreaterThan(0.01);
  for (const { first, again, errors, numbers } of pairs) {
    expect(MANY[numbers[0]]).toMatchObject(first);
    expect(MANY[numbers[1]]).toMatchObject(again);
    expect(errors.length).toBeGreaterThan(0);
    expect(again).not.toEqual(first);
  }
});

it('labels who is registered again with another spelling, or in another script', () => {
  const pairs = [...labelledPairs(1, 10_000)];
  const alone = (name: string) => pairs.filter(({ errors }) => errors.length === 1 && errors[0] === name);
  expect(alone('other spelling').length).toBeGreaterThan(2);
  for (const { first, again } of alone('other spelling')) {
    expect(inLatin(first.lastName + again.lastName)).toBe(true);
    expect([again.dateOfBirth, again.phone]).toEqual([first.dateOfBirth, first.phone]);
  }
  expect(alone('other script').length).toBeGreaterThan(2);
  for (const { first, again } of alone('other script')) {
    expect(inLatin(again.firstName)).toBe(!inLatin(first.firstName));
    expect(inLatin(again.lastName)).toBe(!inLatin(first.lastName));
  }
  const scripts = pairs.filter(({ errors }) => errors.includes('other script')).map(({ first }) => first.country);
  expect(new Set(scripts).size).toBeGreaterThan(3);
});

it('has one transcription for each name, so that nobody comes again as somebody else', () => {
  for (const country of ['SA', 'RU', 'CN', 'IL', 'NP', 'PK']) {
    for (const kind of ['female', 'male', 'last', 'lastOfWomen'] as const) {
      const own = spelt(country, kind, false);
      const latin = own.flatMap((name) => inOtherScript(country, [kind], name));
      expect(new Set(own).size).toBe(own.length);
      expect(new Set(latin).size).toBe(latin.length);
    }
  }
});

it('gives everybody a day of birth that exists, and hardly two strangers one name, day and phone', () => {
  for (const { dateOfBirth } of MANY) expect(new Date(dateOfBirth).toISOString().slice(0, 10)).toBe(dateOfBirth);
  const strangers = MANY.filter(({ origin }) => origin.kind !== 'duplicate');
  const keys = new Set(strangers.map((one) => [one.firstName, one.lastName, one.dateOfBirth, one.phone].join()));
  expect(keys.size / strangers.length).toBeGreaterThan(0.998);
});
