import type { Knex } from 'knex';
import { type Events, timelinePart } from '../timeline/part.ts';

/** When a patient came on the waiting list, and how that ended. */
export function waitingEvents(patientIds: readonly string[]): readonly Events[] {
  const own = { table: 'waiting_list', details: { doctorId: 'doctor_id', clinicId: 'clinic_id' } } as const;
  const ended = (status: string) => ({
    ...own,
    at: 'ended_at',
    details: { ...own.details, reason: 'end_reason' },
    where: (rows: Knex.QueryBuilder) => void rows.where({ status }),
  });
  return [
    timelinePart({ ...own, kind: 'waiting.joined', at: 'created_at' }, patientIds),
    timelinePart({ ...ended('booked'), kind: 'waiting.booked' }, patientIds),
    timelinePart({ ...ended('withdrawn'), kind: 'waiting.withdrawn' }, patientIds),
  ];
}
