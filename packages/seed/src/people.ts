/**
 * The people of a hospital. Who has a number follows from the seed and the number alone, so a later run knows everybody
 * again. Some are relatives of somebody with a lower number, and some are somebody with a lower number who is registered
 * a second time, with the errors that people make.
 */
import { type ErrorName, registeredAgain } from './errors.ts';
import {
  address,
  countryOf,
  familyName,
  firstName,
  lastName,
  type Person,
  phone,
  type Sex,
  someCountry,
} from './names.ts';
import { Random } from './random.ts';
import { inLatin, isTranscribed } from './spellings.ts';

type Relation = 'spouse' | 'child' | 'parent' | 'other';

/** Why somebody looks like somebody with a lower number. */
export type Origin =
  | { readonly kind: 'new' }
  /** @property relation to the other one. Undefined for a namesake, who belongs to another family. */
  | { readonly kind: 'relative'; readonly of: number; readonly relation: Relation | undefined }
  | { readonly kind: 'duplicate'; readonly of: number; readonly errors: readonly ErrorName[] };

export interface Registered extends Person {
  readonly origin: Origin;
}

/** Families come together: of those who come after somebody alone, and of those who come after a relative. */
const RELATIVES = 0.22;
const MORE_RELATIVES = 0.55;
const DUPLICATES = 0.02;
/** Of the people with another script, those whose names are in Latin letters. */
const TRANSCRIBED = 0.3;
/** Somebody must be there before their relatives and duplicates come. */
const FIRST_ALONE = 10;

/** Who has this number, from 0 on. */
export function personAt(seed: number, index: number): Registered {
  const random = new Random(seed, 'person', index);
  random.next();
  const kind = kindAt(seed, index);
  if (kind === 'relative') {
    const { head, nth } = headOf(seed, index);
    return relativeOf(personAt(seed, head), head, nth, random);
  }
  const other = kind === 'new' ? undefined : earlierNew(seed, index, random);
  if (other === undefined) return { ...newPerson(random), origin: { kind: 'new' } };
  const { person, errors } = registeredAgain(personAt(seed, other), random);
  return { ...person, origin: { kind: 'duplicate', of: other, errors } };
}

function kindAt(seed: number, index: number): Origin['kind'] {
  if (index < FIRST_ALONE) return 'new';
  const kind = new Random(seed, 'person', index).next();
  if (kind >= 1 - DUPLICATES) return 'duplicate';
  const isRelative = kind < RELATIVES || (kind < MORE_RELATIVES && kindAt(seed, index - 1) === 'relative');
  return isRelative ? 'relative' : 'new';
}

/** Whose relative somebody is, and which one of those. */
function headOf(seed: number, index: number): { readonly head: number; readonly nth: number } {
  let nth = 1;
  for (let head = index - 1; ; head -= 1) {
    const kind = kindAt(seed, head);
    if (kind === 'new') return { head, nth };
    if (kind === 'relative') nth += 1;
  }
}

/** What else is asked at the reception desk. */
export function detailsAt(seed: number, index: number) {
  const random = new Random(seed, 'details', index);
  const { sex, country, firstName: first } = personAt(seed, index);
  const isLatin = inLatin(first);
  return {
    gender: random.chance(0.97) ? sex : ('unknown' as const),
    ...(random.chance(0.6) ? { bloodGroup: bloodGroup(random) } : {}),
    ...(random.chance(0.75) ? { address: address(countryOf(country), random) } : {}),
    ...(isLatin && random.chance(0.4) ? { email: emailOf(first, index) } : {}),
    ...(random.chance(0.7) ? { allergies: random.chance(0.7) ? [] : allergies(random) } : {}),
    alerts: random.chance(0.05) ? [random.oneOf(ALERTS)] : [],
  };
}

/** Somebody with a lower number who is nobody's relative or duplicate, or undefined after some tries. */
function earlierNew(seed: number, index: number, random: Random): number | undefined {
  for (let tries = 0; tries < 8; tries += 1) {
    const other = random.below(index);
    if (kindAt(seed, other) === 'new') return other;
  }
  return undefined;
}

function newPerson(random: Random): Person {
  const country = someCountry(random);
  const sex = random.chance(0.52) ? 'female' : 'male';
  const isLatin = isTranscribed(country.code) && random.chance(TRANSCRIBED);
  return {
    firstName: firstName(country, sex, random, isLatin),
    lastName: lastName(country, sex, random, isLatin),
    dateOfBirth: birthday(random, yearOfBirth(random)),
    phone: phone(country, random),
    sex,
    country: country.code,
  };
}

/** More people who are young or old than in between, as in a waiting room. */
function yearOfBirth(random: Random): number {
  const age = random.chance(0.25) ? random.between(0, 15) : random.between(16, 92);
  return YEAR - age;
}

/** Years. */
const ADULT = 20;
/** The year of the youngest, so that nobody is registered before their birth. */
const YEAR = 2023;

/** One in twenty has January 1, as people who do not know their day of birth do. */
function birthday(random: Random, year: number): string {
  const day = random.chance(0.05) ? 1 : 1 + random.below(365);
  return new Date(Date.UTC(year, 0, day)).toISOString().slice(0, 10);
}

/**
 * Somebody who looks alike and is somebody else.
 * @param nth of the relatives. Only the first one may be a spouse, and the parents of a child come first.
 */
function relativeOf(of: Person, index: number, nth: number, random: Random): Registered {
  const country = countryOf(of.country);
  const kind = random.next();
  const sex: Sex = random.chance(0.5) ? 'female' : 'male';
  const born = Number(of.dateOfBirth.slice(0, 4));
  const as = (changes: Partial<Person>, relation: Relation | undefined): Registered => {
    const lastName = familyName(of.country, of.lastName, changes.sex ?? of.sex);
    return { ...of, lastName, ...changes, origin: { kind: 'relative', of: index, relation } };
  };
  // A namesake, a parent or a child of the same name, a twin.
  if (kind < 0.12) {
    return as({ dateOfBirth: birthday(random, yearOfBirth(random)), phone: phone(country, random) }, undefined);
  }
  if (kind < 0.25 && nth === 1) {
    const dateOfBirth = birthday(random, generation(born, random));
    return as({ dateOfBirth }, Number(dateOfBirth.slice(0, 4)) < born ? 'parent' : 'child');
  }
  if (kind < 0.32) return as({ firstName: another(of, of.sex, random) }, 'other');
  const isFirst = nth === 1 && kind < 0.8;
  if (born <= YEAR - ADULT) {
    const spouse = of.sex === 'female' ? 'male' : 'female';
    return isFirst
      ? as({ firstName: another(of, spouse, random), sex: spouse, dateOfBirth: near(born, random) }, 'spouse')
      : as({ firstName: another(of, sex, random), sex, dateOfBirth: later(born, random) }, 'child');
  }
  return isFirst
    ? as(
        { firstName: another(of, sex, random), sex, dateOfBirth: birthday(random, born - random.between(20, 40)) },
        'parent',
      )
    : as({ firstName: another(of, sex, random), sex, dateOfBirth: younger(born, random) }, 'other');
}

/** A year of birth of a parent, or of a child if the parent would be too old. */
function generation(born: number, random: Random): number {
  const years = random.between(20, 40);
  return born - years >= YEAR - 95 ? born - years : born + years;
}

function later(born: number, random: Random): string {
  return birthday(random, Math.min(YEAR, born + random.between(20, 40)));
}

/** Whoever comes first of brothers and sisters is the oldest. */
function younger(born: number, random: Random): string {
  return birthday(random, Math.min(YEAR, born + random.between(1, 6)));
}

function near(born: number, random: Random): string {
  return birthday(random, Math.min(YEAR, born + random.between(-6, 6)));
}

function another({ country, firstName: name }: Person, sex: Sex, random: Random): string {
  const isLatin = isTranscribed(country) && inLatin(name);
  for (;;) {
    const other = firstName(countryOf(country), sex, random, isLatin);
    if (other !== name) return other;
  }
}

/** Of how many people in a hundred. */
const BLOOD_GROUPS = [
  ['O+', 38],
  ['A+', 28],
  ['B+', 19],
  ['AB+', 5],
  ['O-', 4],
  ['A-', 4],
  ['B-', 1.5],
  ['AB-', 0.5],
] as const;

function bloodGroup(random: Random) {
  return random.byShare(BLOOD_GROUPS, ([, share]) => share)[0];
}

const SUBSTANCES = [
  'Penicillin',
  'Ibuprofen',
  'Latex',
  'Peanuts',
  'Sulfamethoxazole',
  'Aspirin',
  'Shellfish',
  'Codeine',
];
const REACTIONS = ['Rash', 'Swelling of the face', 'Shortness of breath', 'Nausea', 'Anaphylaxis'];
const ALERTS = ['Risk of falls', 'Needs an interpreter', 'Hard of hearing', 'Pacemaker', 'Isolation: MRSA'];

function allergies(random: Random) {
  return random.some(SUBSTANCES, random.between(1, 2)).map((substance) => ({
    substance,
    severity: random.oneOf(['mild', 'moderate', 'severe'] as const),
    ...(random.chance(0.5) ? { note: random.oneOf(REACTIONS) } : {}),
  }));
}

function emailOf(name: string, index: number): string {
  const plain = name
    .normalize('NFD')
    .replaceAll(/[^A-Za-z]/g, '')
    .toLowerCase();
  return `${plain || 'patient'}.${index}@example.com`;
}
