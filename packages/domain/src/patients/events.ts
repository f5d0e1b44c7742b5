import { build } from '@hms/database';
import type { Knex } from 'knex';
import { type Events, timelinePart } from '../timeline/part.ts';

/** The patient's own events. */
export function patientEvents(patientIds: readonly string[]): readonly Events[] {
  const code = { patientCode: 'patient_code' };
  const step = (kind: 'merged' | 'separated' | 'deleted' | 'restored') => ({
    kind: `patient.${kind}` as const,
    table: stepsOf(patientIds),
    at: 'taken_at',
    details: { ...code, intoCode: 'into_code' },
    // Both who was merged and who remained are told, also after a separation.
    patient: 'of',
    where: (rows: Knex.QueryBuilder) => void rows.where({ kind }),
  });
  return [
    timelinePart(
      { kind: 'patient.registered', table: 'patients', patient: 'id', at: 'created_at', details: code },
      patientIds,
    ),
    ...(['merged', 'separated', 'deleted', 'restored'] as const).map((kind) => timelinePart(step(kind), patientIds)),
  ];
}

/** The steps of patients, and those by which others became part of them. `of` is one of the patients. */
function stepsOf(patientIds: readonly string[]): Knex.QueryBuilder {
  const marks = patientIds.map(() => '?').join(', ');
  return build
    .from({ step: 'patient_steps' })
    .join({ one: 'patients' }, 'one.id', 'step.patient_id')
    .leftJoin({ other: 'patients' }, 'other.id', 'step.into_id')
    .select('step.id', 'step.kind', 'step.taken_at', 'one.patient_code', { into_code: 'other.patient_code' })
    .select(
      build.raw(`CASE WHEN step.patient_id IN (${marks}) THEN step.patient_id ELSE step.into_id END AS of`, [
        ...patientIds,
      ]),
    )
    .where((either) => void either.whereIn('step.patient_id', patientIds).orWhereIn('step.into_id', patientIds))
    .as('steps');
}
