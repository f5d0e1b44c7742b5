/** What the owners of records contribute to the timeline of a patient. They import this, and `timeline.ts` imports them. */
import { build } from '@hms/database';
import type { Permission } from '@hms/tenancy';
import type { Knex } from 'knex';

/**
 * What happened, with the permission to see such records: who lacks it does not learn of them. The pages have a sentence
 * for each. Before the dot is the subject, by which people choose what they see. Visitors are told to everybody, as only
 * the number of their pass is shown.
 */
const NEEDS = {
  'patient.registered': 'patients.read',
  'patient.merged': 'patients.read',
  'patient.separated': 'patients.read',
  'patient.deleted': 'patients.read',
  'patient.restored': 'patients.read',
  'family.joined': 'families.read',
  'family.left': 'families.read',
  'appointment.booked': 'appointments.read',
  'appointment.offered': 'appointments.read',
  'appointment.moved': 'appointments.read',
  'appointment.completed': 'appointments.read',
  'appointment.cancelled': 'appointments.read',
  'appointment.missed': 'appointments.read',
  'waiting.joined': 'appointments.read',
  'waiting.booked': 'appointments.read',
  'waiting.withdrawn': 'appointments.read',
  'queue.came': 'queue.read',
  'queue.served': 'queue.read',
  'queue.done': 'queue.read',
  'queue.left': 'queue.read',
  'lab.ordered': 'lab-orders.read',
  'lab.collected': 'lab-orders.read',
  'lab.verified': 'lab-orders.read',
  'lab.amended': 'lab-orders.read',
  'lab.cancelled': 'lab-orders.read',
  'prescription.written': 'prescriptions.read',
  'prescription.dispensed': 'dispenses.read',
  'prescription.returned': 'dispenses.read',
  'document.added': 'documents.read',
  'document.withdrawn': 'documents.read',
  'invoice.issued': 'invoices.read',
  'invoice.voided': 'invoices.read',
  'invoice.paid': 'invoices.read',
  'invoice.refunded': 'invoices.read',
  'invoice.credited': 'invoices.read',
  'invoice.prepaid': 'invoices.read',
  'vip.granted': 'vip.read',
  'vip.cancelled': 'vip.read',
  'visitor.came': 'patients.read',
  'visitor.left': 'patients.read',
} as const satisfies Readonly<Record<string, Permission>>;

export type TimelineKind = keyof typeof NEEDS;
export const TIMELINE_KINDS = Object.keys(NEEDS) as TimelineKind[];

type SubjectOf<Kind> = Kind extends `${infer Subject}.${string}` ? Subject : never;
export type TimelineSubject = SubjectOf<TimelineKind>;
export const TIMELINE_SUBJECTS = [...new Set(TIMELINE_KINDS.map(subjectOf))];

export function subjectOf(kind: TimelineKind): TimelineSubject {
  return kind.split('.')[0] as TimelineSubject;
}

export function permissionFor(kind: TimelineKind): Permission {
  return NEEDS[kind];
}

/** Events of one kind, for a UNION ALL. */
export interface Events {
  readonly kind: TimelineKind;
  readonly rows: Knex.QueryBuilder;
}

interface Part {
  readonly kind: TimelineKind;
  /** A table, or rows with a name. */
  readonly table: string | Knex.QueryBuilder;
  /** Column with the time. Rows without a time are left out. */
  readonly at: string;
  /** Column with the id of the record. Default: `id`. */
  readonly id?: string;
  /** Column with the patient. Default: `patient_id`. */
  readonly patient?: string;
  /** What to show, by name, from their columns. What is null is left out. */
  readonly details: Readonly<Record<string, string>>;
  /** Only some rows. */
  where?(rows: Knex.QueryBuilder): void;
}

/**
 * Rows of a table as events of a timeline.
 * @param patientIds those who are one person.
 */
export function timelinePart(
  { kind, table, at, id = 'id', patient = 'patient_id', details, where }: Part,
  patientIds: readonly string[],
): Events {
  const texts = Object.entries(details).flat();
  const pairs = texts.map((_, index) => (index % 2 === 0 ? '?::text' : '??')).join(', ');
  const rows: Knex.QueryBuilder = build
    .from(table)
    .select({ at, record_id: id, patient_id: patient })
    .select(
      build.raw('?::text AS kind', [kind]),
      build.raw(`jsonb_strip_nulls(jsonb_build_object(${pairs})) AS details`, texts),
    )
    .whereIn(patient, patientIds)
    .whereNotNull(at);
  where?.(rows);
  return { kind, rows };
}
