/** What happened to a patient, from the records of all owners. */
import { build } from '@hms/database';
import { type DataReply, fields, type Moment, readPage, records, type Work } from '@hms/service';
import { z } from 'zod';
import { appointmentEvents } from '../appointments/events.ts';
import { billingEvents } from '../billing/events.ts';
import { clinics } from '../clinics/clinics.ts';
import { documentEvents } from '../documents/documents.ts';
import { employees } from '../employees/employees.ts';
import { nameOf } from '../employees/people.ts';
import { membershipEvents } from '../families/members.ts';
import { labEvents } from '../lab-orders/events.ts';
import { patientEvents } from '../patients/events.ts';
import { samePerson } from '../patients/merges.ts';
import { pharmacyEvents } from '../prescriptions/events.ts';
import { queueEvents } from '../queue/events.ts';
import { vipEvents } from '../vip/events.ts';
import { visitorEvents } from '../visitors/events.ts';
import { waitingEvents } from '../waiting-list/events.ts';
import {
  type Events,
  permissionFor,
  subjectOf,
  TIMELINE_KINDS,
  type TimelineKind,
  type TimelineSubject,
} from './part.ts';

export { TIMELINE_KINDS, TIMELINE_SUBJECTS } from './part.ts';

/** Each adds the events of its records. */
const OWNERS: readonly ((patientIds: readonly string[]) => readonly Events[])[] = [
  patientEvents,
  documentEvents,
  membershipEvents,
  appointmentEvents,
  waitingEvents,
  queueEvents,
  labEvents,
  pharmacyEvents,
  billingEvents,
  vipEvents,
  visitorEvents,
];

export const timelineEvent = z
  .object({
    at: fields.timestamp,
    kind: z.enum(TIMELINE_KINDS),
    recordId: z.uuid().describe('The record that it is about, such as the document or the order'),
    patientId: z.uuid().describe('The patient, or one who was merged into the patient'),
    details: z
      .record(z.string(), z.string())
      .describe('What to show: the name of a file, the code of a patient, the number of an order'),
  })
  .meta({ id: 'TimelineEvent' });
type TimelineEvent = z.output<typeof timelineEvent>;

interface TimelineQuery {
  /** What the reader may see. */
  readonly permissions: ReadonlySet<string>;
  readonly page: number;
  readonly limit: number;
  readonly from?: Moment | undefined;
  readonly to?: Moment | undefined;
  readonly kind?: TimelineKind | undefined;
  readonly subject?: TimelineSubject | undefined;
}

/**
 * One page, latest first, of what the reader may see. The audit log has no event.
 * @param patientId the patient, or one who was merged into them.
 */
export async function readTimeline(
  work: Work,
  patientId: string,
  { permissions, page, limit, from, to, kind, subject }: TimelineQuery,
): Promise<DataReply<TimelineEvent[]>> {
  const ids = await samePerson(work, patientId);
  const wanted = OWNERS.flatMap((owner) => owner(ids)).filter(
    (events) =>
      permissions.has(permissionFor(events.kind)) &&
      (kind === undefined || events.kind === kind) &&
      (subject === undefined || subjectOf(events.kind) === subject),
  );
  if (wanted.length === 0) return { data: [], meta: { page, limit, total: 0 } };
  const rows = build.from(build.unionAll(wanted.map((events) => events.rows)).as('events')).select('*');
  const query = { page, limit, from, to, sort: [{ field: 'at', descending: true }], q: undefined, byMatch: false };
  const columns = { sort: { at: 'at' }, time: 'at', id: 'record_id' };
  const { rows: found, meta } = await readPage<Row>(work, rows, query, columns);
  return { data: await withNames(work, found.map(toEvent)), meta };
}

interface Row {
  readonly at: Date;
  readonly kind: TimelineKind;
  readonly record_id: string;
  readonly patient_id: string;
  readonly details: Record<string, string | number>;
}

function toEvent({ at, kind, record_id, patient_id, details }: Row): TimelineEvent {
  const texts = Object.entries(details).map(([name, value]) => [name, String(value)]);
  return { at: at.toISOString(), kind, recordId: record_id, patientId: patient_id, details: Object.fromEntries(texts) };
}

/** Adds what doctors and clinics are called now. */
async function withNames(work: Work, events: readonly TimelineEvent[]): Promise<TimelineEvent[]> {
  const ids = (field: string) => [...new Set(events.flatMap(({ details }) => details[field] ?? []))];
  const [doctors, places] = await Promise.all([
    records(work, employees).byIds(ids('doctorId')),
    records(work, clinics).byIds(ids('clinicId')),
  ]);
  return events.map((event) => {
    const doctor = doctors.find(({ id }) => id === event.details.doctorId);
    const clinic = places.find(({ id }) => id === event.details.clinicId);
    const names = { ...(doctor && { doctorName: nameOf(doctor) }), ...(clinic && { clinicName: clinic.name }) };
    return { ...event, details: { ...event.details, ...names } };
  });
}
