/** How an appointment gets its place. */
import { build } from '@hms/database';
import { Problem, records, type Work } from '@hms/service';
import { samePerson } from '../patients/merges.ts';
import { inZone } from '../schedules/times.ts';
import type { VisitType } from '../visit-types/visit-types.ts';
import { mailNow, remind } from './mail-task.ts';
import { noShow } from './no-show-task.ts';
import {
  type Appointment,
  appointments,
  OUTSIDE_SCHEDULE,
  PATIENT_DOUBLE_BOOKED,
  SLOT_TAKEN,
  TAKING,
} from './record.ts';
import { whyNever } from './shown-slots.ts';
import { type Slot, slotAt } from './slots.ts';
import { clearHolds } from './taking.ts';
import { readUse } from './uses.ts';

/** A time with a doctor. */
export interface Time {
  readonly doctorId: string;
  readonly startsAt: string;
  /** Default: as long as a slot of the schedule. */
  readonly visitType?: VisitType | undefined;
}

/** Who comes to whom. */
export interface Visit extends Time {
  readonly patientId: string;
}

export interface Booking extends Visit {
  readonly reason?: string | null | undefined;
  readonly notes?: string | null | undefined;
  readonly rescheduledFromId?: string;
  readonly seriesId?: string | null;
  /** The entry of the waiting list that gets the time. */
  readonly waitingEntryId?: string;
  /** Until when the time is kept for the patient, who has not answered yet. In ms since 1970. */
  readonly offeredUntil?: number;
}

/** A seat in a slot. */
export interface Place extends Slot {
  readonly seat: number;
}

/**
 * Books a slot. The patient and the doctor are held.
 * @throws Problem as `findPlace`
 */
export async function take(work: Work, booking: Booking): Promise<Appointment> {
  return takePlace(work, booking, await findPlace(work, booking));
}

/**
 * The place that an appointment would take. While the patient and the doctor are held, nobody else takes it.
 * @throws Problem IN_THE_PAST, TOO_FAR_AHEAD, OUTSIDE_SCHEDULE, SLOT_TAKEN, PATIENT_DOUBLE_BOOKED
 */
export async function findPlace(work: Work, visit: Visit): Promise<Place> {
  const slot = await findSlot(work, visit);
  await demandFree(work, visit.patientId, slot);
  return { ...slot, seat: await findSeat(work, slot) };
}

/** @throws Problem IN_THE_PAST, TOO_FAR_AHEAD, OUTSIDE_SCHEDULE */
export async function findSlot(work: Work, { startsAt, doctorId, visitType }: Time): Promise<Slot> {
  const from = Date.parse(startsAt);
  const never = whyNever(work, from);
  if (never) throw new Problem(never);
  const slot = await slotAt(work, doctorId, from, visitType);
  if (!slot) throw new Problem(OUTSIDE_SCHEDULE);
  return slot;
}

/** A seat that is free over the whole length. The caller's own hold is not in the way. @throws Problem SLOT_TAKEN */
export async function findSeat(work: Work, slot: Slot): Promise<number> {
  const { seats, heldUntil } = await readUse(work, slot);
  const all = Array.from({ length: slot.capacity }, (_, index) => index + 1);
  const free = all.find((seat) => !seats.includes(seat));
  // The schedule may have had more places.
  if (free !== undefined && seats.length < slot.capacity) return free;
  if (heldUntil === undefined) throw new Problem(SLOT_TAKEN);
  throw new Problem(SLOT_TAKEN, {
    message: 'Somebody is booking this time: choose another slot, or try again after details.heldUntil',
    details: { heldUntil: inZone(heldUntil, work.hospital.timezone) },
  });
}

/** Books a place that was found in the same transaction, and mails the patient about it. */
export async function takePlace(work: Work, booking: Booking, place: Place): Promise<Appointment> {
  const appointment = await fillPlace(work, booking, place);
  mailNow(work, appointment);
  return appointment;
}

/** As `takePlace`, without the mail at once. The caller's own hold of the place becomes the appointment. */
export async function fillPlace(
  work: Work,
  { offeredUntil, visitType, ...booking }: Booking,
  place: Place,
): Promise<Appointment> {
  const { clinicId, roomId, seat, from, to } = place;
  await clearHolds(work, place, 'own');
  const appointment = await records(work, appointments).insert({
    ...{ ...booking, clinicId, roomId, seat, visitTypeId: visitType?.id ?? null },
    ...{ startsAt: new Date(from).toISOString(), endsAt: new Date(to).toISOString() },
    ...(offeredUntil === undefined ? {} : { status: 'offered', offerExpiresAt: new Date(offeredUntil).toISOString() }),
  });
  // How long the hospital waits, it says then.
  work.addTask(noShow, { appointmentId: appointment.id }, { key: appointment.id, runAt: new Date(from) });
  if (offeredUntil === undefined) remind(work, appointment);
  return appointment;
}

/** @throws Problem PATIENT_DOUBLE_BOOKED, which names the other one. */
async function demandFree(work: Work, patientId: string, { from, to }: Slot): Promise<void> {
  const rows = build.from('appointments').whereIn('patient_id', await samePerson(work, patientId));
  rows
    .whereIn('status', TAKING)
    .whereNull('deleted_at')
    .where('starts_at', '<', new Date(to))
    .where('ends_at', '>', new Date(from));
  const [found] = await work.trx.run<{ id: string }>(rows.select('id').limit(1));
  if (!found) return;
  const [other] = await records(work, appointments).byIds([found.id]);
  const details = { id: found.id, appointmentNo: other?.appointmentNo, startsAt: other?.startsAt };
  throw new Problem(PATIENT_DOUBLE_BOOKED, { details });
}
