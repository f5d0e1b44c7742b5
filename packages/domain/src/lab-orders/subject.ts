/** Whose result is judged: the sex, and the age at the collection. Pure. */
import { fields } from '@hms/service';
import { type Hours, MOST_HOURS, type Subject } from '../lab-tests/ranges.ts';
import type { Patient } from '../patients/record.ts';
import { momentOf, momentsOf } from '../schedules/times.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

/** With the age as a result keeps it: the hours only if they counted. */
interface AgedSubject extends Subject {
  readonly ageDays: number | null;
  readonly ageHours: number | null;
}

/**
 * By which a range is chosen. In the first 28 days of a patient whose time of birth is known, the age is the hours that
 * have passed. Otherwise it is the days of the hospital's calendar, and a range in hours has to be true at whatever time
 * of that day the patient was born.
 */
export function subjectOf(
  { gender, dateOfBirth, timeOfBirth }: Pick<Patient, 'gender' | 'dateOfBirth' | 'timeOfBirth'>,
  collectedAt: string,
  timezone: string,
): AgedSubject {
  const sex = gender === 'female' || gender === 'male' ? gender : undefined;
  if (dateOfBirth === null) return { sex, ages: undefined, ageDays: null, ageHours: null };
  const born = dateOfBirth.slice(0, 10);
  const ageDays = ageInDays(born, fields.today(timezone, new Date(collectedAt)));
  const passed = hoursSince(born, timeOfBirth, Date.parse(collectedAt), timezone);
  if (timeOfBirth !== null && passed.from < MOST_HOURS) {
    return { sex, ages: { days: passed, hours: passed }, ageDays, ageHours: passed.from };
  }
  const day = { from: 24 * ageDays, to: 24 * ageDays + 24 };
  // With the day itself, so that a range in hours and one in days never count both.
  const hours = { from: Math.min(day.from, passed.from), to: Math.max(day.to, passed.to) };
  return { sex, ages: { days: day, hours }, ageDays, ageHours: null };
}

/** Age in days. @param birth and @param on as `YYYY-MM-DD`. Never negative. */
export function ageInDays(birth: string, on: string): number {
  return Math.max(0, Math.round((Date.parse(`${on}T00:00:00Z`) - Date.parse(`${birth}T00:00:00Z`)) / DAY));
}

/** Hours that may have passed since birth. A time that exists twice, because clocks are set back, may be either. */
function hoursSince(born: string, time: string | null, until: number, zone: string): Hours {
  const [first, last] =
    time === null ? [momentOf(born, '00:00', zone), momentOf(born, '24:00', zone) - 1] : momentsOf(born, time, zone);
  // Collected before the birth, by another clock.
  const hours = (since: number) => Math.max(0, Math.floor((until - since) / HOUR));
  return { from: hours(last), to: hours(first) + 1 };
}
