/** How an appointment gets its place. */
import { build } from '@hms/database';
import { Problem, records, type Work } from '@hms/service';
import { samePerson } from '../patients/merges.ts';
import { confirmAndRemind, mailNow } from './mail-task.ts';
import { noShow } from './no-show-task.ts';
import {
  type Appointment,
  appointments,
  IN_THE_PAST,
  OUTSIDE_SCHEDULE,
  PATIENT_DOUBLE_BOOKED,
  SLOT_TAKEN,
  TAKING,
  TOO_FAR_AHEAD,
} from './record.ts';
import { MOST_DAYS_AHEAD, type Slot, slotAt, takenSeats } from './slots.ts';

const DAY = 86_400_000;
const MINUTE = 60_000;

/** Who comes to whom. */
export interface Visit {
  readonly patientId: string;
  readonly doctorId: string;
  readonly startsAt: string;
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
export async function findPlace(work: Work, { startsAt, doctorId, patientId }: Visit): Promise<Place> {
  const from = Date.parse(startsAt);
  const now = work.trx.moment.getTime();
  if (from < now) throw new Problem(IN_THE_PAST);
  if (from > now + MOST_DAYS_AHEAD * DAY) throw new Problem(TOO_FAR_AHEAD);
  const slot = await slotAt(work, doctorId, from);
  if (!slot) throw new Problem(OUTSIDE_SCHEDULE);
  await demandFree(work, patientId, slot);
  const seat = await freeSeat(work, slot);
  if (seat === undefined) throw new Problem(SLOT_TAKEN);
  return { ...slot, seat };
}

/** Books a place that was found in the same transaction. */
export async function takePlace(work: Work, { offeredUntil, ...booking }: Booking, place: Place): Promise<Appointment> {
  const { clinicId, roomId, seat, from, to } = place;
  const appointment = await records(work, appointments).insert({
    ...{ ...booking, clinicId, roomId, seat },
    ...{ startsAt: new Date(from).toISOString(), endsAt: new Date(to).toISOString() },
    ...(offeredUntil === undefined ? {} : { status: 'offered', offerExpiresAt: new Date(offeredUntil).toISOString() }),
  });
  const minutes = work.hospital.settings.noShowAfterMinutes;
  if (minutes > 0) {
    const runAt = new Date(from + minutes * MINUTE);
    work.addTask(noShow, { appointmentId: appointment.id }, { key: appointment.id, runAt });
  }
  if (offeredUntil === undefined) confirmAndRemind(work, appointment);
  else mailNow(work, appointment);
  return appointment;
}

async function freeSeat(work: Work, slot: Slot): Promise<number | undefined> {
  const taken = await takenSeats(work, slot);
  // The schedule may have had more places.
  if (taken.size >= slot.capacity) return undefined;
  const seats = Array.from({ length: slot.capacity }, (_, index) => index + 1);
  return seats.find((seat) => !taken.has(seat));
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
