/** What the owners of records contribute to the timeline of a patient. They import this, and `timeline.ts` imports them. */
import { build } from '@hms/database';
import type { Knex } from 'knex';

/** What happened. The pages have a sentence for each. */
export const TIMELINE_KINDS = [
  'patient.registered',
  'patient.merged',
  'document.added',
  'document.withdrawn',
  'family.joined',
  'family.left',
  'prescription.written',
  'prescription.dispensed',
  'lab.ordered',
  'lab.collected',
  'lab.verified',
  'lab.amended',
  'lab.cancelled',
  'vip.granted',
  'vip.cancelled',
  'visitor.came',
  'visitor.left',
] as const;
export type TimelineKind = (typeof TIMELINE_KINDS)[number];

interface Part {
  readonly kind: TimelineKind;
  readonly table: string;
  /** Column with the time. Rows without a time are left out. */
  readonly at: string;
  /** Column with the patient. Default: `patient_id`. */
  readonly patient?: string;
  /** Texts to show, by name, from their columns. One that is null is left out. */
  readonly details: Readonly<Record<string, string>>;
}

/**
 * Rows of a table as events of a timeline, for a UNION ALL.
 * @param patientIds those who are one person.
 */
export function timelinePart(
  { kind, table, at, patient = 'patient_id', details }: Part,
  patientIds: readonly string[],
): Knex.QueryBuilder {
  const texts = Object.entries(details).flat();
  const pairs = texts.map((_, index) => (index % 2 === 0 ? '?::text' : '??')).join(', ');
  return build
    .from(table)
    .select({ at, record_id: 'id', patient_id: patient })
    .select(
      build.raw('?::text AS kind', [kind]),
      build.raw(`jsonb_strip_nulls(jsonb_build_object(${pairs})) AS details`, texts),
    )
    .whereIn(patient, patientIds)
    .whereNotNull(at);
}
