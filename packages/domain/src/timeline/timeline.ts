/** What happened to a patient, from the records of all owners. */
import { build } from '@hms/database';
import { type DataReply, fields, type Moment, readPage, type Work } from '@hms/service';
import type { Knex } from 'knex';
import { z } from 'zod';
import { documentEvents } from '../documents/documents.ts';
import { membershipEvents } from '../families/members.ts';
import { labEvents } from '../lab-orders/events.ts';
import { patientEvents } from '../patients/events.ts';
import { samePerson } from '../patients/merges.ts';
import { pharmacyEvents } from '../prescriptions/events.ts';
import { vipEvents } from '../vip/events.ts';
import { visitorEvents } from '../visitors/events.ts';
import { TIMELINE_KINDS, type TimelineKind } from './part.ts';

export { TIMELINE_KINDS } from './part.ts';

/** Each adds the events of its records. */
const OWNERS: readonly ((patientIds: readonly string[]) => readonly Knex.QueryBuilder[])[] = [
  patientEvents,
  documentEvents,
  membershipEvents,
  labEvents,
  pharmacyEvents,
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
  readonly page: number;
  readonly limit: number;
  readonly from?: Moment | undefined;
  readonly to?: Moment | undefined;
  readonly kind?: TimelineKind | undefined;
}

/** One page, latest first. @param patientId the patient, or one who was merged into them. The audit log has no event. */
export async function readTimeline(
  work: Work,
  patientId: string,
  { page, limit, from, to, kind }: TimelineQuery,
): Promise<DataReply<TimelineEvent[]>> {
  const ids = await samePerson(work, patientId);
  const events = build.unionAll(OWNERS.flatMap((owner) => owner(ids)));
  const rows: Knex.QueryBuilder = build.from(events.as('events')).select('*');
  if (kind !== undefined) rows.where({ kind });
  const query = { page, limit, from, to, sort: [{ field: 'at', descending: true }], q: undefined, byMatch: false };
  const columns = { sort: { at: 'at' }, time: 'at', id: 'record_id' };
  const { rows: found, meta } = await readPage<Row>(work, rows, query, columns);
  return { data: found.map(toEvent), meta };
}

interface Row {
  readonly at: Date;
  readonly kind: TimelineKind;
  readonly record_id: string;
  readonly patient_id: string;
  readonly details: Record<string, string>;
}

function toEvent({ at, kind, record_id, patient_id, details }: Row): TimelineEvent {
  return { at: at.toISOString(), kind, recordId: record_id, patientId: patient_id, details };
}
