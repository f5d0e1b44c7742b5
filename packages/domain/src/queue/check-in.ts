/** Somebody has come to their appointment, and gets a token. */
import { Problem, records, STALE_VERSION, type Work } from '@hms/service';
import { canCheckIn, makeRoom } from '../appointments/appointments.ts';
import { type Appointment, appointments, NOT_TODAY } from '../appointments/record.ts';
import { currentDay } from './day.ts';
import { join, serviceDayOf } from './queue.ts';
import type { Entry } from './record.ts';

/**
 * Gives a token for an appointment of today.
 * @throws Problem APPOINTMENT_NOT_FOUND, NOT_TODAY, STALE_VERSION, INVALID_STATE, SLOT_TAKEN, PATIENT_DOUBLE_BOOKED, and
 * those of `join`
 */
export async function checkInAppointment(
  work: Work,
  id: string,
  { priority, note }: { readonly priority: number; readonly note?: string | undefined },
  version: number | undefined,
): Promise<{ readonly appointment: Appointment; readonly entry: Entry }> {
  const own = records(work, appointments);
  const found = await own.find(id);
  if (!found || found.deletedAt !== undefined) throw new Problem(appointments.notFound);
  if (serviceDayOf(work, found.startsAt) !== currentDay(work)) throw new Problem(NOT_TODAY);
  const { id: appointmentId, patientId, clinicId, startsAt, status } = found;
  // In the order of locks, the person in the queue comes before the appointment.
  const entry = canCheckIn(status)
    ? await join(work, clinicId, { patientId, priority, note }, { appointmentId, startsAt })
    : undefined;
  // Whoever is late takes the time again.
  if (status === 'no_show') await makeRoom(work, found);
  const appointment = await own.moveTo(await own.lock(appointmentId, version), 'checked_in', { endedAt: null });
  // Somebody else has changed it meanwhile.
  if (!entry) throw new Problem(STALE_VERSION);
  return { appointment, entry };
}
