import { describe, expect, it } from '@jest/globals';
import { type Current, check, type Facts, isSameSubstance, type Taken } from './checks.ts';

const drug = (name: string, more: Partial<Taken['drug']> = {}): Taken['drug'] => {
  return { id: name, name, ingredients: [name], allergyGroups: [], maxDailyDose: null, ...more };
};
const taken = (name: string, more: Partial<Taken['drug']> = {}, dailyDose = 1): Taken => ({
  drug: drug(name, more),
  dailyDose,
});
const current = (one: Taken): Current => ({ ...one, prescriptionId: 'p', rxNo: 'RX-1' });
const findings = (facts: Partial<Facts>) => {
  const all = { wanted: [], current: [], allergies: null, interactions: [], ...facts };
  const texts = [...all.wanted, ...all.current].flatMap(({ drug: { name, ingredients, allergyGroups } }) => [
    ...[name, ...ingredients, ...allergyGroups],
  ]);
  const keys = [...texts, ...(all.allergies ?? []).map(({ substance }) => substance)];
  return check({ ...all, spellings: new Map(keys.map((text) => [text, text.toLowerCase()])) });
};
const kinds = (facts: Partial<Facts>) => findings(facts).map(({ kind }) => kind);

describe('a substance', () => {
  it.each([
    ['penicillin', 'penicillin', true],
    ['penicillin', 'penicillins', true],
    ['penicillin v', 'penicillin', true],
    ['asa', 'asparaginase', false],
    ['iron', 'ironwood', false],
    ['ibuprofen', 'naproxen', false],
  ])('%s and %s are the same: %s', (one, other, expected) => {
    expect([isSameSubstance(one, other), isSameSubstance(other, one)]).toEqual([expected, expected]);
  });
});

it('nothing speaks against drugs that have nothing in common', () => {
  const allergies = [{ substance: 'Nuts', severity: 'severe' }];
  expect(findings({ wanted: [taken('A'), taken('B')], current: [current(taken('C'))], allergies })).toEqual([]);
});

it('an allergy to the name, an ingredient or a group is one finding, the most severe first', () => {
  const wanted = [taken('Amoxil', { ingredients: ['amoxicillin'], allergyGroups: ['Penicillins'] }), taken('Aspro')];
  const allergies = [
    { substance: 'Aspro', severity: 'mild' },
    { substance: 'penicillin', severity: 'severe' },
  ];
  expect(findings({ wanted, allergies }).map(({ finding }) => finding)).toEqual([
    'allergy/Amoxil/penicillin',
    'allergy/Aspro/aspro',
  ]);
});

describe('an interaction', () => {
  const interactions = [{ id: 'i', a: 'x', b: 'y', severity: 'severe', effect: 'Bleeding' }] as const;

  it('of two wanted drugs is found once, in either order, and has the same name', () => {
    const [one] = findings({ wanted: [taken('X'), taken('Y')], interactions });
    const [other] = findings({ wanted: [taken('Y'), taken('X')], interactions });
    expect(kinds({ wanted: [taken('X'), taken('Y')], interactions })).toEqual(['interaction']);
    expect(one?.finding).toBe(other?.finding);
  });

  it('with a current drug is found for the wanted one only', () => {
    expect(kinds({ wanted: [taken('Y')], current: [current(taken('X'))], interactions })).toEqual(['interaction']);
    expect(kinds({ wanted: [], current: [current(taken('X')), current(taken('Y'))], interactions })).toEqual([]);
  });

  it('of two ingredients of one drug is no finding', () => {
    expect(kinds({ wanted: [taken('XY', { ingredients: ['x', 'y'] })], interactions })).toEqual([]);
  });
});

describe('a dose', () => {
  it('at the limit is right, and above it a finding that names the dose', () => {
    const limited = (dose: number) => taken('A', { maxDailyDose: 0.3 }, dose);
    expect(kinds({ wanted: [limited(0.3)] })).toEqual([]);
    // 0.1 + 0.2 is more than 0.3 in floating-point numbers.
    expect(kinds({ wanted: [limited(0.1)], current: [current(limited(0.2))] })).toEqual(['duplicate']);
    expect(findings({ wanted: [limited(0.301)] })).toEqual([expect.objectContaining({ finding: 'dose/A/0.301' })]);
  });
});
