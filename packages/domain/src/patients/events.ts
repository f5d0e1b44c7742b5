import type { Knex } from 'knex';
import { timelinePart } from '../timeline/part.ts';

/** The patient's own events. */
export function patientEvents(patientIds: readonly string[]): readonly Knex.QueryBuilder[] {
  const own = { table: 'patients', patient: 'id', details: { patientCode: 'patient_code' } } as const;
  return [
    timelinePart({ ...own, kind: 'patient.registered', at: 'created_at' }, patientIds),
    timelinePart({ ...own, kind: 'patient.merged', at: 'merged_at' }, patientIds),
  ];
}
