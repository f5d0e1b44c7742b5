/** How likely two records are of the same person. Pure. docs/duplicates.md has the precision and recall. */
import { type Names, namesAlike } from './names-alike.ts';

/** What is compared. Null is unknown. */
export interface Identity extends Names {
  /** `YYYY-MM-DD` */
  readonly dateOfBirth: string | null;
  /** International, with a leading plus sign. */
  readonly phone: string | null;
  readonly gender: string | null;
}

/** Percentages: 100 is the same. Null: unknown of one of the two. */
export interface Similarity {
  readonly score: number;
  readonly name: number | null;
  readonly dateOfBirth: number | null;
  readonly phone: number | null;
  readonly gender: number | null;
}

/** The parts of a score. No single part is enough for a sensible threshold: relatives share names and phones. */
const WEIGHTS = { name: 0.5, dateOfBirth: 0.33, phone: 0.17 };
/** What a gender costs that differs. One that is the same says nothing: half of all people have it. */
const OTHER_GENDER = 0.15;

export function similarityOf(one: Identity, other: Identity): Similarity {
  const parts = {
    name: hasName(one) && hasName(other) ? namesAlike(one, other) : null,
    dateOfBirth: both(one.dateOfBirth, other.dateOfBirth, daySimilarity),
    phone: both(one.phone, other.phone, digitSimilarity),
  };
  const gender = both(genderOf(one), genderOf(other), (a, b) => (a === b ? 1 : 0));
  return {
    score: percent(Math.max(0, scoreOf(parts) - (gender === 0 ? OTHER_GENDER : 0))),
    name: percent(parts.name),
    dateOfBirth: percent(parts.dateOfBirth),
    phone: percent(parts.phone),
    gender: percent(gender),
  };
}

/** Null unless somebody has asked, and the answer is one of the two that most people give. */
function genderOf({ gender }: Identity): string | null {
  return gender === 'female' || gender === 'male' ? gender : null;
}

function both(one: string | null, other: string | null, compare: (one: string, other: string) => number) {
  return one === null || other === null ? null : compare(one, other);
}

/** The known parts, each by its weight. One alone says nothing. */
function scoreOf(parts: Readonly<Record<keyof typeof WEIGHTS, number | null>>): number {
  const known = (['name', 'dateOfBirth', 'phone'] as const).flatMap((part) => {
    const value = parts[part];
    return value === null ? [] : [{ value, weight: WEIGHTS[part] }];
  });
  if (known.length < 2) return 0;
  const [sum, weights] = known.reduce(([a, b], { value, weight }) => [a + value * weight, b + weight], [0, 0]);
  return sum / weights;
}

function hasName({ firstName, lastName }: Identity): boolean {
  return firstName !== null || lastName !== null;
}

function percent<Value extends number | null>(value: Value) {
  return (value === null ? null : Math.round(value * 100)) as Value;
}

/** Typing errors: day and month swapped, one digit, or a year. As `daysLike`, without making them all for each comparison. */
function daySimilarity(one: string, other: string): number {
  if (one === other) return 1;
  return swappedDay(one) === other || hasOneError(one, other) || isYearApart(one, other) ? 0.7 : 0;
}

function isYearApart(one: string, other: string): boolean {
  return one.slice(4) === other.slice(4) && Math.abs(Number(one.slice(0, 4)) - Number(other.slice(0, 4))) === 1;
}

function digitSimilarity(one: string, other: string): number {
  if (one === other) return 1;
  return hasOneError(one, other, firstNationalDigit(one)) ? 0.7 : 0;
}

/** Whether one digit differs, or two neighbouring digits are swapped. @param from the first character that may differ */
function hasOneError(one: string, other: string, from = 0): boolean {
  if (one.length !== other.length) return false;
  let first = 0;
  while (one[first] === other[first] && first < one.length) first += 1;
  let last = one.length - 1;
  while (one[last] === other[last] && last > first) last -= 1;
  if (first < from) return false;
  if (![first, last].every((at) => isDigit(one.charAt(at)) && isDigit(other.charAt(at)))) return false;
  return first === last || (last === first + 1 && one[first] === other[last] && one[last] === other[first]);
}

/**
 * Days that a typing error makes of this one: day and month swapped, a wrong digit, two neighbouring ones swapped, or the
 * year before or after.
 */
export function daysLike(day: string): readonly string[] {
  const years = [-1, 1].map((apart) => `${Number(day.slice(0, 4)) + apart}${day.slice(4)}`);
  return [...new Set([swappedDay(day), ...years, ...oneError(day)])].filter((other) => other !== day && isDay(other));
}

function swappedDay(day: string): string {
  const [year = '', month = '', date = ''] = day.split('-');
  return `${year}-${date}-${month}`;
}

/** Numbers that a typing error makes of this one. The country code stays. */
export function numbersLike(phone: string): readonly string[] {
  return oneError(phone, firstNationalDigit(phone)).filter((other) => other !== phone);
}

function firstNationalDigit(phone: string): number {
  return Math.max(2, phone.length - NATIONAL_DIGITS);
}

/** Country codes have up to three digits. Changing one of these gives a number abroad. */
const NATIONAL_DIGITS = 9;

/** The text with one other digit, or with two neighbouring digits swapped. @param from the first character that may differ */
function oneError(text: string, from = 0): readonly string[] {
  const found: string[] = [];
  for (let at = from; at < text.length; at++) {
    const [before, digit, after] = [text.slice(0, at), text.charAt(at), text.slice(at + 1)];
    if (!isDigit(digit)) continue;
    for (const another of '0123456789') if (another !== digit) found.push(before + another + after);
    const next = after.charAt(0);
    if (isDigit(next) && next !== digit) found.push(before + next + digit + after.slice(1));
  }
  return found;
}

function isDigit(character: string): boolean {
  return character >= '0' && character <= '9';
}

/** Nobody who lives was born earlier, and PostgreSQL has no year 0. */
const FIRST_YEAR = '1800';

function isDay(text: string): boolean {
  if (text < FIRST_YEAR) return false;
  const date = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text);
}
