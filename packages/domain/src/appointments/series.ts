/** Appointments that repeat after some weeks, at the same time by the clock of the hospital. */
import { build } from '@hms/database';
import { newId, Problem, records, type Work } from '@hms/service';
import type { z } from 'zod';
import { holdDoctor } from '../employees/employees.ts';
import { holdSurvivor, ofSamePerson } from '../patients/merges.ts';
import { addDays, momentOf } from '../schedules/schedules.ts';
import { inZone } from '../schedules/times.ts';
import { useVisitType } from '../visit-types/visit-types.ts';
import { fillPlace, findPlace, type Place } from './booking.ts';
import { endAppointment } from './ending.ts';
import { mailCancellation, mailSeries } from './mail-task.ts';
import {
  APPOINTMENT_NOT_FOUND,
  type Appointment,
  type appointmentCancellation,
  appointments,
  NO_SERIES,
  type newSeries,
  OUTSIDE_SCHEDULE,
  type RefusedTime,
  SERIES_REFUSED,
} from './record.ts';

/** What became of the times of a series. */
export interface SeriesBooking {
  readonly seriesId: string;
  readonly booked: readonly Appointment[];
  readonly refused: readonly RefusedTime[];
}

/**
 * Books all times of a series, or none. With `skipRefused`, it books those that are possible.
 * @throws Problem SERIES_REFUSED, which names each time that is not possible; PATIENT_NOT_FOUND, EMPLOYEE_NOT_FOUND,
 * NOT_A_DOCTOR, VISIT_TYPE_NOT_FOUND, VISIT_TYPE_INACTIVE
 */
export async function bookSeries(
  work: Work,
  { times, everyWeeks, skipRefused, startsAt, visitTypeId, ...body }: z.output<typeof newSeries>,
): Promise<SeriesBooking> {
  const { id: patientId } = await holdSurvivor(work, body.patientId);
  await holdDoctor(work, body.doctorId);
  const visitType = visitTypeId ? await useVisitType(work, visitTypeId) : undefined;
  const places: Place[] = [];
  const refused: RefusedTime[] = [];
  const { timezone } = work.hospital;
  for (const time of timesOf(startsAt, everyWeeks, times, timezone)) {
    try {
      // The clock skips it, and the patient would be expected at another one.
      if (clockAt(time, timezone) !== clockAt(startsAt, timezone)) throw new Problem(OUTSIDE_SCHEDULE);
      places.push(await findPlace(work, { patientId, doctorId: body.doctorId, startsAt: time, visitType }));
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      refused.push({ startsAt: inZone(Date.parse(time), timezone), code: error.kind.code, message: error.message });
    }
  }
  if (places.length === 0 || (refused.length > 0 && !skipRefused))
    throw new Problem(SERIES_REFUSED, { details: { refused, possible: places.length } });
  const seriesId = newId();
  const booked: Appointment[] = [];
  for (const place of places) {
    const time = new Date(place.from).toISOString();
    booked.push(await fillPlace(work, { ...body, patientId, startsAt: time, seriesId, visitType }, place));
  }
  mailSeries(work, booked);
  return { seriesId, booked, refused };
}

/**
 * Cancels an appointment of a series and those after it, as far as the patient has not come yet.
 * @returns those that are cancelled now
 * @throws Problem APPOINTMENT_NOT_FOUND, NO_SERIES
 */
export async function cancelFollowing(
  work: Work,
  id: string,
  { reason, version }: z.output<typeof appointmentCancellation>,
): Promise<readonly Appointment[]> {
  const own = records(work, appointments);
  const found = await own.find(id);
  if (!found || found.deletedAt !== undefined) throw new Problem(APPOINTMENT_NOT_FOUND);
  if (found.seriesId === null) throw new Problem(NO_SERIES);
  // In the order of locks.
  const { id: patientId } = await holdSurvivor(work, found.patientId);
  await own.lock(id, version);
  const rows = build.from('appointments').where('series_id', found.seriesId).whereIn('status', ['booked', 'confirmed']);
  rows.where('starts_at', '>=', found.startsAt).whereNull('deleted_at').orderBy('starts_at').orderBy('id');
  // One that moved while its patient was merged stays with the other person after they were separated.
  ofSamePerson(rows, patientId);
  rows.select('id');
  const cancelled: Appointment[] = [];
  // Again, because somebody may have moved one while this waited for its lock.
  for (let left = await work.trx.run<{ id: string }>(rows); left.length > 0; left = await work.trx.run(rows)) {
    for (const { id: one } of left) {
      const before = await own.lock(one);
      // Somebody checked in meanwhile, or moved it.
      if (before.status !== 'booked' && before.status !== 'confirmed') continue;
      cancelled.push(await endAppointment(work, before, 'cancelled', reason));
    }
  }
  mailCancellation(work, cancelled);
  return cancelled;
}

/** The begins of a series. The clock on the wall shows the same time at each, also when clocks have changed, unless it skips that. Pure. */
export function timesOf(startsAt: string, everyWeeks: number, times: number, zone: string): readonly string[] {
  const day = inZone(Date.parse(startsAt), zone).split('T')[0] ?? '';
  const clock = clockAt(startsAt, zone);
  const later = Array.from({ length: times - 1 }, (_, index) => addDays(day, 7 * everyWeeks * (index + 1)));
  return [startsAt, ...later.map((one) => inZone(momentOf(one, clock, zone), zone))];
}

/** `HH:MM` */
function clockAt(moment: string, zone: string): string {
  return (inZone(Date.parse(moment), zone).split('T')[1] ?? '').slice(0, 5);
}
