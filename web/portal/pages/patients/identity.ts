/** How a patient is named, and when they were born, also while some of it is unknown. */
import type { TFunction } from 'i18next';
import { listedName } from '../../../kit/i18n/i18n.ts';
import { showAge, showDay } from '../../../kit/time/time.ts';
import type { Patient } from './patients.queries.ts';

type Named = Pick<Patient, 'firstName' | 'lastName' | 'patientCode'>;

/** By the code, as long as no part of the name is known. */
export function nameOf({ firstName, lastName, patientCode }: Named): string {
  return joined([firstName, lastName], ' ') || patientCode;
}

/** As lists sort it. */
export function listedNameOf({ firstName, lastName, patientCode }: Named): string {
  return listedName(lastName, firstName) || patientCode;
}

/** The day of birth. @param today for the age, which is left out without it. @param time of birth, if it is to be shown. */
export function bornText(t: TFunction, dateOfBirth: string | null, today?: string, time: string | null = null): string {
  if (dateOfBirth === null) return t('app.bornUnknown');
  const born = joined([showDay(dateOfBirth), time], ', ');
  return today === undefined ? born : `${born} (${showAge(dateOfBirth, today)})`;
}

function joined(parts: readonly (string | null)[], separator: string): string {
  return parts.filter(Boolean).join(separator);
}
