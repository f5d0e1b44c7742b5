/** Allergies and alerts of a person, who may have several records. */
import type { Work } from '@hms/service';
import { SEVERITIES } from './clinical.ts';
import { mergedWith } from './merges.ts';
import type { Patient } from './record.ts';

type Warnings = Pick<Patient, 'allergies' | 'alerts'>;

/** What the record of a survivor and those that were merged into it say. */
export async function warningsOf(work: Work, patient: Warnings & Pick<Patient, 'id'>): Promise<Warnings> {
  return joinedWarnings([patient, ...(await mergedWith(work, patient.id))]);
}

/** Pure. Of a substance that several records name, the worst reaction counts. Null: nobody has asked for any record. */
export function joinedWarnings(all: readonly Warnings[]): Warnings {
  const worst = new Map<string, NonNullable<Patient['allergies']>[number]>();
  for (const one of all.flatMap(({ allergies }) => allergies ?? [])) {
    const key = one.substance.toLowerCase();
    const known = worst.get(key);
    if (!known || SEVERITIES.indexOf(one.severity) > SEVERITIES.indexOf(known.severity)) worst.set(key, one);
  }
  return {
    allergies: all.some((one) => one.allergies !== null) ? [...worst.values()] : null,
    alerts: [...new Set(all.flatMap(({ alerts }) => alerts))],
  };
}
