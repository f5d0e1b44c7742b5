/** What people find when they write a part of a name. */
import { describe, expect, it } from '@jest/globals';
import { directoryOf, isSearchable, type Listed, MOST_FOUND } from './search.ts';

const named = (displayName: string, prefix: string, state: Listed['state'] = 'Active'): Listed => ({
  displayName,
  prefix,
  state,
});
const directory = directoryOf([
  named('St. Mary’s Hospital', 'st-mary'),
  named('Mary Immaculate Clinic', 'immaculate'),
  named('Maryland General', 'maryland'),
  named('Rosemary House', 'rosemary'),
  named('Clínica São João', 'sao-joao'),
  named('مستشفى الأمل', 'amal'),
  named('北京大学医院', 'pku'),
  named('서울대학교병원', 'snuh'),
  named('Old Town', 'old-town', 'Suspended'),
  named('New Town', 'new-town', 'Provisioning'),
  named('Gone Town', 'gone-town', 'Deleting'),
  named('Kept Town', 'kept-town', 'Retained'),
]);
const found = (query: string) => directory.find(query).hospitals.map(({ prefix }) => prefix);

describe('a search', () => {
  it.each([
    ['MARYS', 'st-mary'],
    ["st mary's", 'st-mary'],
    ['st-mary', 'st-mary'],
    ['immac', 'immaculate'],
    ['sao joao', 'sao-joao'],
    ['CLÍNICA', 'sao-joao'],
    ['الامل', 'amal'],
    ['أمل', 'amal'],
    ['مُسْتَشْفى', 'amal'],
    ['大学', 'pku'],
    ['서울', 'snuh'],
    ['old', 'old-town'],
  ])('for %s finds the hospital by the start of each word', (query, prefix) => {
    expect(found(query)).toEqual([prefix]);
  });

  it.each(['own', 'semary', 'oao', 'mary gone', 'New Town', 'gone', 'kept', '%%%', 'zzz', '<script>'])(
    'for %s finds nothing',
    (query) => {
      expect(found(query)).toEqual([]);
    },
  );

  it('has the hospitals with the word itself first, then those whose names start with it', () => {
    expect(found('mary')).toEqual(['immaculate', 'st-mary', 'maryland']);
    expect(found('maryland')).toEqual(['maryland']);
  });

  it('finds at most five, and says that there are more', () => {
    const many = directoryOf(
      Array.from({ length: 40 }, (_, index) => named(`City Hospital ${index}`, `city-${index}`)),
    );
    expect(many.find('hospital')).toMatchObject({ more: true });
    expect(many.find('hospital').hospitals).toHaveLength(MOST_FOUND);
    expect(many.find('city 39')).toMatchObject({ more: false, hospitals: [{ prefix: 'city-39' }] });
    expect(many.find('city-7').hospitals[0]?.prefix).toBe('city-7');
  });
});

it('has every hospital that people can look for, by name', () => {
  expect(directory.all.map(({ prefix }) => prefix)).toEqual(expect.arrayContaining(['st-mary', 'old-town', 'amal']));
  expect(directory.all.slice(0, 3).map(({ displayName }) => displayName)).toEqual([
    'Clínica São João',
    'Mary Immaculate Clinic',
    'Maryland General',
  ]);
  expect(directory.all).toHaveLength(9);
});

it.each([
  ['mar', true],
  ['st mary', true],
  ['ma', false],
  ['a b c d e f', false],
  ['أم', true],
  ['ا', false],
  ['الا', false],
  ['大学', true],
  ['大', false],
  ['서울', true],
  ['서', false],
  ['---', false],
  ['áb́', false],
])('knows whether %s is long enough', (query, isEnough) => {
  expect(isSearchable(query)).toBe(isEnough);
});
