import { describe, expect, it } from '@jest/globals';
import { type Current, check, type Facts, isSameSubstance, type Taken } from './checks.ts';

const drug = (name: string, more: Partial<Taken['drug']> = {}): Taken['drug'] => {
  const limits = { maxDailyDose: null, mgPerUnit: null, maxDailyMgPerKg: null };
  return { id: name, name, ingredients: [name], allergyGroups: [], ...limits, ...more };
};
const taken = (name: string, more: Partial<Taken['drug']> = {}, dailyDose = 1): Taken => ({
  drug: drug(name, more),
  dailyDose,
});
const current = (one: Taken): Current => ({ ...one, prescriptionId: 'p', rxNo: 'RX-1' });
const findings = (facts: Partial<Facts>) => {
  const nothing = { wanted: [], current: [], allergies: null, interactions: [], weight: null, today: '2026-11-28' };
  const all = { ...nothing, ...facts };
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
    expect(findings({ wanted: [limited(0.301)] })).toEqual([expect.objectContaining({ finding: 'dose/A/0.301/0.3' })]);
  });
});

describe('a drug in two lines, once as a substitute', () => {
  it('gives each finding once', () => {
    const two = [taken('A', { maxDailyDose: 1 }), taken('A', { maxDailyDose: 1 })];
    const allergies = [{ substance: 'A', severity: 'severe', note: null }] as const;
    expect(findings({ wanted: two, allergies: [...allergies] }).map(({ kind }) => kind)).toEqual([
      'allergy',
      'duplicate',
      'dose',
    ]);
  });
});

describe('a dose by weight', () => {
  const syrup = (dailyDose: number, more: Partial<Taken['drug']> = {}) =>
    taken('Syrup', { ingredients: ['paracetamol'], mgPerUnit: 50, maxDailyMgPerKg: 60, ...more }, dailyDose);
  const weight = { kg: 12.5, on: '2026-11-28' };
  const names = (facts: Partial<Facts>) => findings(facts).map(({ finding }) => finding);

  it('at the limit is right, and above it a finding with both figures', () => {
    expect(findings({ wanted: [syrup(15)], weight })).toEqual([]);
    expect(findings({ wanted: [syrup(15.001)], weight })).toEqual([
      {
        finding: 'weight/Syrup/exceeded/750.05/12.5/60',
        ...{ kind: 'weight', needsReason: true, drugIds: ['Syrup'] },
        message: 'Syrup: 750.05 mg a day are more than 750 mg, which are 60 mg for each of 12.5 kg',
        details: {
          ...{ drug: 'Syrup', problem: 'exceeded', dailyMg: 750.05, maxDailyMg: 750, maxDailyMgPerKg: 60 },
          ...{ weightKg: 12.5, weighedOn: '2026-11-28' },
        },
      },
    ]);
  });

  it('is exact', () => {
    // In floating-point numbers, 3 times 0.1 is more than 0.3, and 4.35 times 100 is less than 435.
    const small = { mgPerUnit: 0.1, maxDailyMgPerKg: 0.3 };
    expect(names({ wanted: [syrup(3, small)], weight: { ...weight, kg: 1 } })).toEqual([]);
    const large = { mgPerUnit: 1, maxDailyMgPerKg: 100 };
    expect(names({ wanted: [syrup(435, large)], weight: { ...weight, kg: 4.35 } })).toEqual([]);
    const most = { mgPerUnit: 100_000, maxDailyMgPerKg: 100_000 };
    expect(names({ wanted: [syrup(700, most)], weight: { ...weight, kg: 700 } })).toEqual([]);
    expect(names({ wanted: [syrup(700.001, most)], weight: { ...weight, kg: 700 } })).toHaveLength(1);
  });

  it('is of everything with the same ingredients, in this prescription and in others', () => {
    const drops = taken('Drops', { ingredients: ['Paracetamol'], mgPerUnit: 100 }, 1);
    const other = taken('Other', { ingredients: ['paracetamol', 'caffeine'], mgPerUnit: 500 }, 1);
    const own = (facts: Partial<Facts>) => names(facts).filter((name) => name.startsWith('weight'));
    expect(own({ wanted: [syrup(13), drops, other], weight })).toEqual([]);
    expect(own({ wanted: [syrup(14), drops], weight })).toEqual(['weight/Syrup/exceeded/800/12.5/60']);
    expect(own({ wanted: [syrup(14)], current: [current(drops)], weight })).toEqual([
      'weight/Syrup/exceeded/800/12.5/60',
    ]);
    expect(own({ wanted: [drops], current: [current(syrup(16))], weight })).toEqual([]);
    // The same drug twice, once in place of another one.
    expect(own({ wanted: [syrup(8), syrup(8)], weight })).toEqual(['weight/Syrup/exceeded/800/12.5/60']);
  });

  it('of something else does not count', () => {
    const other = taken('Ibuprofen', { mgPerUnit: 400 }, 3);
    expect(names({ wanted: [syrup(15), other], current: [current(other)], weight })).toEqual([
      'duplicate/Ibuprofen/Ibuprofen/p',
    ]);
  });

  it('is one finding beside that of the units', () => {
    expect(kinds({ wanted: [syrup(16, { maxDailyDose: 10 })], weight })).toEqual(['dose', 'weight']);
    expect(kinds({ wanted: [syrup(15, { maxDailyDose: 10 })], weight })).toEqual(['dose']);
    expect(kinds({ wanted: [syrup(16, { maxDailyDose: 20 })], weight })).toEqual(['weight']);
  });

  it('without a weight is a finding, which names the dose', () => {
    expect(names({ wanted: [syrup(1)] })).toEqual(['weight/Syrup/missing/50']);
    expect(names({ wanted: [syrup(2)] })).toEqual(['weight/Syrup/missing/100']);
  });

  it.each([
    ['2026-10-29', []],
    ['2026-10-28', ['weight/Syrup/old/50/12.5/2026-10-28']],
  ])('with a weight of %s has findings %j', (on, expected) => {
    expect(names({ wanted: [syrup(1)], weight: { ...weight, on } })).toEqual(expected);
  });

  it('that is too high for an old weight is two findings', () => {
    expect(names({ wanted: [syrup(16)], weight: { ...weight, on: '2026-01-01' } })).toEqual([
      'weight/Syrup/old/800/12.5/2026-01-01',
      'weight/Syrup/exceeded/800/12.5/60',
    ]);
  });

  it('is another finding with another weight', () => {
    expect(names({ wanted: [syrup(16)], weight: { ...weight, kg: 12 } })).toEqual(['weight/Syrup/exceeded/800/12/60']);
  });

  it('is not asked for by a drug without a limit', () => {
    expect(names({ wanted: [syrup(9, { mgPerUnit: null, maxDailyMgPerKg: null })] })).toEqual([]);
  });
});
