/** Somebody who is registered a second time, with the errors that people make at a reception. */
import { countryOf, lastName, type Person, phone } from './names.ts';
import type { Random } from './random.ts';
import { inOtherScript, otherSpellings } from './spellings.ts';

/** The same person, registered by somebody else: one to three errors. */
export function registeredAgain(of: Person, random: Random): { readonly person: Person; readonly errors: ErrorName[] } {
  let person: Person = of;
  const errors: ErrorName[] = [];
  const wanted = random.between(1, 3);
  while (errors.length < wanted || isSame(person, of)) {
    const name = random.oneOf(ERROR_NAMES);
    const wrong = ERRORS[name](person, random);
    // Not every name has accents, and the 13th is no month.
    if (errors.includes(name) || isSame(wrong, person)) continue;
    person = wrong;
    errors.push(name);
  }
  return { person, errors };
}

function isSame(one: Person, other: Person): boolean {
  const names = ['firstName', 'lastName', 'dateOfBirth', 'phone'] as const;
  return names.every((name) => one[name] === other[name]);
}

const ERRORS = {
  'misspelt first name': (of, random) => ({ ...of, firstName: misspelt(of.firstName, random) }),
  'misspelt last name': (of, random) => ({ ...of, lastName: misspelt(of.lastName, random) }),
  'names swapped': (of) => ({ ...of, firstName: of.lastName, lastName: of.firstName }),
  'one more name': (of, random) => {
    return { ...of, lastName: `${of.lastName} ${lastName(countryOf(of.country), of.sex, random)}` };
  },
  'no accents': (of) => ({ ...of, firstName: of.firstName.normalize('NFD').replaceAll(/\p{M}/gu, '') || of.firstName }),
  'another number': (of, random) => ({ ...of, phone: phone(countryOf(of.country), random) }),
  'wrong digit in the number': (of, random) => ({ ...of, phone: wrongDigit(of.phone, 5, random) }),
  'day and month swapped': (of) => ({ ...of, dateOfBirth: swappedDay(of.dateOfBirth) }),
  'wrong digit in the date': (of, random) => ({ ...of, dateOfBirth: wrongDay(of.dateOfBirth, random) }),
  'other spelling': (of, random) => ({ ...of, ...speltOtherwise(of, random) }),
  'other script': (of, random) => ({ ...of, ...inTheOtherScript(of, random) }),
} satisfies Record<string, (of: Person, random: Random) => Person>;
export type ErrorName = keyof typeof ERRORS;
/** Few people have a name that is written in several ways, so those who have one come in another way more often. */
const OFTEN = ['another number', 'other spelling', 'other script'] as const;
const ERROR_NAMES = [...(Object.keys(ERRORS) as ErrorName[]), ...OFTEN, ...OFTEN.slice(1), OFTEN[2]];

const LAST = ['last', 'lastOfWomen'] as const;

/** Every name that has other Latin letters elsewhere: Mohammed as Muhammad, Chen as Chan. */
function speltOtherwise({ country, sex, firstName: first, lastName: last }: Person, random: Random): Partial<Person> {
  const [firsts, lasts] = [otherSpellings(country, [sex], first), otherSpellings(country, LAST, last)];
  return {
    ...(firsts.length > 0 ? { firstName: random.oneOf(firsts) } : {}),
    ...(lasts.length > 0 ? { lastName: random.oneOf(lasts) } : {}),
  };
}

/** Both names, as nobody mixes scripts. */
function inTheOtherScript({ country, sex, firstName: first, lastName: last }: Person, random: Random): Partial<Person> {
  const [firsts, lasts] = [inOtherScript(country, [sex], first), inOtherScript(country, LAST, last)];
  if (firsts.length === 0 || lasts.length === 0) return {};
  return { firstName: random.oneOf(firsts), lastName: random.oneOf(lasts) };
}

function misspelt(name: string, random: Random): string {
  const letters = [...name];
  const at = random.below(letters.length);
  const kind = random.next();
  if (kind < 0.34) letters.splice(at, 1);
  else if (kind < 0.67) letters.splice(at, 0, letters[at] ?? '');
  else [letters[at], letters[at + 1]] = [letters[at + 1] ?? '', letters[at] ?? ''];
  return letters.join('').trim() || name;
}

function wrongDigit(text: string, from: number, random: Random): string {
  const at = from + random.below(text.length - from);
  return text.slice(0, at) + String((Number(text.charAt(at)) + random.between(1, 9)) % 10) + text.slice(at + 1);
}

function swappedDay(written: string): string {
  const [year, month, date] = written.split('-');
  return Number(date) <= 12 ? `${year}-${date}-${month}` : written;
}

function wrongDay(written: string, random: Random): string {
  const changed = wrongDigit(written, 8, random);
  const isDay = !Number.isNaN(Date.parse(changed)) && new Date(changed).toISOString().startsWith(changed);
  return isDay ? changed : written;
}
