/** Who works where and when, on some days. */
import { build } from '@hms/database';
import { records, today, type Work } from '@hms/service';
import { z } from 'zod';
import { absencesOf } from '../absences/absences.ts';
import { activeClinicIds, clinics } from '../clinics/clinics.ts';
import { doctorIds, employees } from '../employees/employees.ts';
import { rooms } from '../rooms/rooms.ts';
import { hoursOf, type Schedule, schedules } from './record.ts';
import { addDays, type Plan } from './rules.ts';
import { daysFrom, inZone, momentOf, type WorkingTime, weekdayOf, workingTimes } from './times.ts';

const moment = z.iso.datetime({ offset: true });

const workingTime = z
  .object({
    scheduleId: z.uuid(),
    doctorId: z.uuid(),
    doctorName: z.string(),
    clinicId: z.uuid(),
    clinicName: z.string(),
    roomId: z.uuid().nullable(),
    roomName: z.string().nullable(),
    day: z.iso.date(),
    startsAt: moment.describe('With the offset of the hospital at that time'),
    endsAt: moment,
    slotMinutes: z.int(),
    capacity: z.int(),
  })
  .meta({ id: 'WorkingTime' });

export const week = z
  .object({
    from: z.iso.date().describe('The first of seven days'),
    timezone: z.string(),
    workingTimes: z.array(workingTime).describe('By their begin. An absence cuts out of a schedule what it covers'),
    absences: z
      .array(z.object({ doctorId: z.uuid(), doctorName: z.string(), from: moment, to: moment }))
      .describe('Of the doctors whose schedules these are'),
  })
  .meta({ id: 'Week' });

/** Whose times are wanted: those of a doctor, of a clinic, or of one in the other. */
export interface Wanted {
  readonly doctorId?: string | undefined;
  readonly clinicId?: string | undefined;
  /** Also those of doctors and clinics that do not work any more. */
  readonly alsoFormer?: boolean;
}

export type ScheduledTime = WorkingTime<Plan & { readonly of: Schedule }>;

/**
 * When doctors work, for slots of appointments too. A doctor who is suspended or has no role DOCTOR any more does not
 * work, nor does anybody in a clinic that is not in use.
 * @param days each as `YYYY-MM-DD`, in a row
 */
export async function readWorkingTimes(
  work: Work,
  { doctorId, clinicId, alsoFormer = false }: Wanted,
  days: readonly string[],
): Promise<{ readonly times: readonly ScheduledTime[]; readonly absences: Awaited<ReturnType<typeof absencesOf>> }> {
  const [first = '', last = ''] = [days[0], days.at(-1)];
  const { timezone } = work.hospital;
  const rows = build.from('schedules').whereNull('deleted_at').where('valid_from', '<=', last).select('id');
  rows.whereRaw('coalesce(valid_to >= ?, true)', [first]);
  if (!alsoFormer) rows.whereIn('doctor_id', doctorIds()).whereIn('clinic_id', activeClinicIds());
  if (doctorId !== undefined) rows.where('doctor_id', doctorId);
  if (clinicId !== undefined) rows.where('clinic_id', clinicId);
  const found = await records(work, schedules).byIds((await work.trx.run<{ id: string }>(rows)).map(({ id }) => id));
  const doctors = new Set(found.map((schedule) => schedule.doctorId));
  if (doctorId !== undefined) doctors.add(doctorId);
  const period = { from: momentOf(first, '00:00', timezone), to: momentOf(last, '24:00', timezone) };
  const absences = await absencesOf(work, [...doctors], period);
  const planned = found.map((of) => ({ ...hoursOf(of), of }));
  const away = ({ of }: { readonly of: Schedule }) => absences.filter((absence) => absence.doctorId === of.doctorId);
  return { times: workingTimes(planned, away, days, timezone), absences };
}

/** The first day of a week of the hospital, as `YYYY-MM-DD`. */
export function mondayOf(work: Work): string {
  const day = today(work);
  return addDays(day, 1 - weekdayOf(day));
}

/** Seven days. @throws Problem EMPLOYEE_NOT_FOUND, CLINIC_NOT_FOUND */
export async function readWeek(work: Work, wanted: Wanted, from: string): Promise<z.output<typeof week>> {
  const { timezone } = work.hospital;
  if (wanted.doctorId !== undefined) await records(work, employees).read(wanted.doctorId);
  if (wanted.clinicId !== undefined) await records(work, clinics).read(wanted.clinicId);
  const { times, absences } = await readWorkingTimes(work, wanted, daysFrom(from, 7));
  const all = times.map(({ schedule }) => schedule.of);
  const [doctors, places, usedRooms] = await Promise.all([
    records(work, employees).byIds([...all, ...absences].map(({ doctorId }) => doctorId)),
    records(work, clinics).byIds(all.map(({ clinicId }) => clinicId)),
    records(work, rooms).byIds(all.flatMap(({ roomId }) => roomId ?? [])),
  ]);
  const doctorName = new Map(doctors.map(({ id, firstName, lastName }) => [id, `${firstName} ${lastName}`]));
  const placeName = new Map([...places, ...usedRooms].map(({ id, name }) => [id, name]));
  const nameOf = (names: ReadonlyMap<string, string>, id: string) => names.get(id) ?? '';
  return {
    from,
    timezone,
    workingTimes: times.map(({ schedule: { of, slotMinutes }, day, period }) => ({
      scheduleId: of.id,
      doctorId: of.doctorId,
      doctorName: nameOf(doctorName, of.doctorId),
      clinicId: of.clinicId,
      clinicName: nameOf(placeName, of.clinicId),
      roomId: of.roomId,
      roomName: of.roomId === null ? null : nameOf(placeName, of.roomId),
      day,
      startsAt: inZone(period.from, timezone),
      endsAt: inZone(period.to, timezone),
      slotMinutes,
      capacity: of.capacity,
    })),
    absences: absences.map(({ doctorId, from: begin, to }) => ({
      doctorId,
      doctorName: nameOf(doctorName, doctorId),
      from: inZone(begin, timezone),
      to: inZone(to, timezone),
    })),
  };
}
