/**
 * Appointments of patients with doctors: the table `appointments`.
 *
 * A doctor has no place twice, and a patient is in no two places, because PostgreSQL excludes it. A slot with a capacity
 * has as many seats.
 *
 * Locks are taken in this order, so that two requests can't deadlock: the patient, the doctor, the type of visit, the
 * appointment. Schedules and absences lock the doctor too, so none of them changes while somebody books.
 */
import { build } from '@hms/database';
import { type DataReply, INVALID_STATE, Problem, type RecordQuery, records, type Work } from '@hms/service';
import type { Knex } from 'knex';
import type { z } from 'zod';
import { holdDoctor } from '../employees/employees.ts';
import { holdSurvivor } from '../patients/merges.ts';
import { keepVisitType, useVisitType } from '../visit-types/visit-types.ts';
import { take } from './booking.ts';
import { endAppointment, momentOf, offerLater } from './ending.ts';
import { mailCancellation } from './mail-task.ts';
import { noShow } from './no-show-task.ts';
import {
  APPOINTMENT_NOT_FOUND,
  type Appointment,
  type appointmentCancellation,
  appointments,
  type newAppointment,
  type rescheduling,
  type ShownAppointment,
  TAKING,
} from './record.ts';
import { showAppointment, showAppointments } from './show.ts';
import type { Slot } from './slots.ts';
import { clearHolds, takers } from './taking.ts';

export { findPlace, takePlace } from './booking.ts';
export * from './broken.ts';
export * from './ending.ts';
export { appointmentFeed } from './feed.ts';
export { expireHold, giveBack, holdExpiry, holdPlace, shownHold } from './holds.ts';
export * from './mail-task.ts';
export * from './no-show-task.ts';
export * from './offer-tasks.ts';
export * from './record.ts';
export * from './series.ts';
export { readSessions } from './sessions.ts';
export * from './show.ts';
export {
  MOST_DAYS,
  MOST_DAYS_AHEAD,
  MOST_DAYS_OF_CLINIC,
  readSlotDays,
  readSlots,
  type ShownSlot,
  type SlotDay,
  shownSlot,
  slotDay,
  slotDayQuery,
  slotQuery,
} from './shown-slots.ts';
export { type Slot, slotAt, slotsOn } from './slots.ts';
export { readUse } from './uses.ts';

const MINUTE = 60_000;

/**
 * @throws Problem PATIENT_NOT_FOUND, EMPLOYEE_NOT_FOUND, NOT_A_DOCTOR, VISIT_TYPE_NOT_FOUND, VISIT_TYPE_INACTIVE,
 * IN_THE_PAST, TOO_FAR_AHEAD, OUTSIDE_SCHEDULE, SLOT_TAKEN, PATIENT_DOUBLE_BOOKED
 */
export async function book(
  work: Work,
  { visitTypeId, ...body }: z.output<typeof newAppointment>,
): Promise<Appointment> {
  const { id: patientId } = await holdSurvivor(work, body.patientId);
  await holdDoctor(work, body.doctorId);
  const visitType = visitTypeId ? await useVisitType(work, visitTypeId) : undefined;
  return take(work, { ...body, patientId, visitType });
}

/**
 * Books another time in the place of an appointment. It keeps the type of visit, which may take longer or shorter now.
 * @throws Problem APPOINTMENT_NOT_FOUND, INVALID_STATE, and those of `book`
 */
export async function reschedule(
  work: Work,
  id: string,
  { startsAt, doctorId, version }: z.output<typeof rescheduling>,
): Promise<Appointment> {
  const own = records(work, appointments);
  const found = await own.find(id);
  if (!found) throw new Problem(APPOINTMENT_NOT_FOUND);
  const { id: patientId } = await holdSurvivor(work, found.patientId);
  const doctor = await holdDoctor(work, doctorId ?? found.doctorId);
  const visitType = found.visitTypeId === null ? undefined : await keepVisitType(work, found.visitTypeId);
  // First, so that the two may overlap.
  const before = await endAppointment(work, await own.lock(id, version), 'rescheduled');
  const { reason, notes, seriesId } = before;
  const visit = { patientId, doctorId: doctor.id, startsAt, visitType };
  return take(work, { ...visit, reason, notes, seriesId, rescheduledFromId: id });
}

/** Notes that the patient will come. @throws Problem APPOINTMENT_NOT_FOUND, INVALID_STATE */
export async function confirm(work: Work, id: string, version: number | undefined): Promise<Appointment> {
  const own = records(work, appointments);
  return own.moveTo(await own.lock(id, version), 'confirmed');
}

/** @throws Problem APPOINTMENT_NOT_FOUND, INVALID_STATE */
export async function cancelAppointment(
  work: Work,
  id: string,
  { reason, version }: z.output<typeof appointmentCancellation>,
): Promise<Appointment> {
  const found = await records(work, appointments).lock(id, version);
  const ended = await endAppointment(work, planned(found, 'cancelled'), 'cancelled', reason);
  mailCancellation(work, [ended]);
  return ended;
}

/** Notes that the patient has not come. @throws Problem APPOINTMENT_NOT_FOUND, INVALID_STATE */
export async function missAppointment(work: Work, id: string, version: number | undefined): Promise<Appointment> {
  const found = await records(work, appointments).lock(id, version);
  return endAppointment(work, planned(found, 'no_show'), 'no_show');
}

/** Whether somebody can come to an appointment in this state. */
export function canCheckIn(status: Appointment['status']): boolean {
  return status === 'booked' || status === 'confirmed' || status === 'no_show';
}

const IN_QUEUE = 'The patient is here: take the step with their token in the queue';
/** Where an appointment that is not planned takes its steps. */
const ELSEWHERE: Partial<Readonly<Record<Appointment['status'], string>>> = {
  offered: 'The time is only offered: accept or decline the offer',
  checked_in: IN_QUEUE,
  in_consultation: IN_QUEUE,
};

/** @throws Problem INVALID_STATE */
function planned(appointment: Appointment, to: Appointment['status']): Appointment {
  const { status } = appointment;
  const message = ELSEWHERE[status];
  if (message === undefined) return appointment;
  throw new Problem(INVALID_STATE, { message, details: { from: status, to, allowed: [] } });
}

/** What a no-show task does: whoever has come in time, or has another time now, stays as they are. */
export async function missIfAbsent(work: Work, id: string): Promise<void> {
  const own = records(work, appointments);
  const minutes = work.hospital.settings.noShowAfterMinutes;
  // The hospital does not want it.
  if (minutes === 0) return;
  const before = await own.lockAny(id);
  if (before.deletedAt !== undefined) return;
  const runAt = new Date(Date.parse(before.startsAt) + minutes * MINUTE);
  // A check-in before that may be undone.
  if (runAt > work.trx.moment) return work.addTask(noShow, { appointmentId: id }, { key: id, runAt });
  if (before.status !== 'booked' && before.status !== 'confirmed') return;
  await own.moveTo(before, 'no_show', { endedAt: momentOf(work), endReason: 'Nobody had come in time' });
}

/** The states of an appointment that follow from those of the person in the queue. */
const FOLLOWS = {
  waiting: 'checked_in',
  called: 'checked_in',
  serving: 'in_consultation',
  done: 'completed',
  no_show: 'no_show',
  cancelled: 'cancelled',
} as const;

/**
 * Keeps an appointment in step with the person in the queue, also when a step is undone. If somebody else has got the time
 * meanwhile, the appointment stays ended, and the person waits without it.
 */
export async function followQueue(work: Work, id: string, state: keyof typeof FOLLOWS): Promise<void> {
  const own = records(work, appointments);
  const before = await own.lock(id);
  const status = FOLLOWS[state];
  if (before.status === status) return;
  const takes = TAKING.some((one) => one === status) && !TAKING.some((one) => one === before.status);
  if (takes && (await isTaken(work, before))) return;
  if (takes) await makeRoom(work, before);
  const isOver = !TAKING.some((one) => one === status);
  await own.update(before, { status, endedAt: isOver ? momentOf(work) : null } as Partial<Appointment>);
  if (isOver) offerLater(work, before);
}

/** Lets somebody have the time of a missed appointment after all, unless somebody else has it now. */
export async function makeRoom(
  work: Work,
  { doctorId, startsAt, endsAt }: Pick<Appointment, 'doctorId' | 'startsAt' | 'endsAt'>,
): Promise<void> {
  await clearHolds(work, { doctorId, from: Date.parse(startsAt), to: Date.parse(endsAt) }, 'own');
}

/** Whether the place of an ended appointment, or the time of its patient, belongs to another one. */
async function isTaken(work: Work, { id, doctorId, patientId, seat, startsAt, endsAt }: Appointment): Promise<boolean> {
  const rows = takers(work).whereNot('id', id);
  rows.where('starts_at', '<', endsAt).where('ends_at', '>', startsAt);
  rows.where((either) => void either.where({ doctor_id: doctorId, seat }).orWhere('patient_id', patientId));
  return (await work.trx.run(rows.select('id').limit(1))).length > 0;
}

/** Ids of patients who have an appointment in some time, for a filter. */
export function busyIn({ from, to }: Pick<Slot, 'from' | 'to'>): Knex.QueryBuilder {
  const rows = build.from('appointments').whereIn('status', TAKING).whereNull('deleted_at').select('patient_id');
  return rows.where('starts_at', '<', new Date(to)).where('ends_at', '>', new Date(from));
}

/** Ids of the entries of the waiting list that had a time before, for a filter. */
export function entriesWith({ doctorId, from }: Pick<Slot, 'doctorId' | 'from'>): Knex.QueryBuilder {
  const rows = build.from('appointments').whereNotNull('waiting_entry_id').select('waiting_entry_id');
  return rows.where({ doctor_id: doctorId, starts_at: new Date(from) });
}

/** Where a patient, a doctor or a clinic still has appointments. */
export async function hasAppointments(
  { trx }: Work,
  where: Readonly<Partial<Record<'doctor_id' | 'clinic_id' | 'room_id', string>>>,
): Promise<boolean> {
  const rows = build.from('appointments').where(where).whereIn('status', TAKING).whereNull('deleted_at');
  return (await trx.run(rows.where('ends_at', '>', trx.moment).select('id').limit(1))).length > 0;
}

/** What keeps a locked patient from being deleted. */
export async function openAppointments(
  work: Work,
  patientIds: readonly string[],
): Promise<readonly { readonly record: 'appointments'; readonly id: string; readonly name: string }[]> {
  const rows = build.from('appointments').whereIn('patient_id', patientIds).whereIn('status', TAKING);
  rows.whereNull('deleted_at').orderBy('starts_at').select('id');
  const found = await work.trx.run<{ id: string }>(rows);
  const open = await records(work, appointments).byIds(found.map(({ id }) => id));
  return open.map(({ id, appointmentNo }) => ({ record: 'appointments', id, name: appointmentNo }));
}

/** One page. */
export async function listAppointments(work: Work, query: RecordQuery): Promise<DataReply<ShownAppointment[]>> {
  const { data, ...reply } = await records(work, appointments).list(query);
  return { ...reply, data: await showAppointments(work, data) };
}

/** @throws Problem APPOINTMENT_NOT_FOUND */
export async function readAppointment(work: Work, id: string): Promise<ShownAppointment> {
  return showAppointment(work, await records(work, appointments).read(id));
}
