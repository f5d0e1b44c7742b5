import type { Knex } from 'knex';
import { type Events, timelinePart } from '../timeline/part.ts';

/** What became of the appointments of a patient. */
export function appointmentEvents(patientIds: readonly string[]): readonly Events[] {
  const details = { appointmentNo: 'appointment_no', startsAt: 'starts_at', doctorId: 'doctor_id' };
  const own = { table: 'appointments', details } as const;
  const begun = (where: (rows: Knex.QueryBuilder) => void) => ({ ...own, at: 'created_at', where });
  const ended = (status: string) => ({
    ...own,
    at: 'ended_at',
    details: { ...details, reason: 'end_reason' },
    where: (rows: Knex.QueryBuilder) => void rows.where({ status }),
  });
  const booked = begun((rows) => void rows.whereNull('rescheduled_from_id').whereNull('offer_expires_at'));
  const offered = begun((rows) => void rows.whereNotNull('offer_expires_at'));
  const moved = begun((rows) => void rows.whereNotNull('rescheduled_from_id'));
  return [
    timelinePart({ ...booked, kind: 'appointment.booked' }, patientIds),
    timelinePart({ ...offered, kind: 'appointment.offered' }, patientIds),
    timelinePart({ ...moved, kind: 'appointment.moved' }, patientIds),
    timelinePart({ ...ended('completed'), kind: 'appointment.completed' }, patientIds),
    timelinePart({ ...ended('cancelled'), kind: 'appointment.cancelled' }, patientIds),
    timelinePart({ ...ended('no_show'), kind: 'appointment.missed' }, patientIds),
  ];
}
