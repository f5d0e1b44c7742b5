/**
 * Schedules of doctors: the table `schedules`. Each is one weekday's hours of a doctor in a clinic, for as long as it is
 * valid. Hours on a single date are a schedule that is valid for one day.
 *
 * What has been stays. A change of a schedule that has begun ends it, and begins another one.
 *
 * Locks are taken in this order, so that two requests can't deadlock: the doctor, the schedule, the room, the clinic.
 * Because doctor and room are locked, the search for another schedule at the same time misses none.
 */
import { build } from '@hms/database';
import { fields, invalidFields, Problem, records, today, type Work } from '@hms/service';
import type { z } from 'zod';
import { type Clinic, clinics, holdClinic } from '../clinics/clinics.ts';
import { employees, holdDoctor } from '../employees/employees.ts';
import { rooms } from '../rooms/rooms.ts';
import {
  hoursOf,
  ROOM_OF_OTHER_CLINIC,
  SCHEDULE_BEGUN,
  SCHEDULE_ENDED,
  SCHEDULE_OVERLAP,
  type Schedule,
  schedules,
} from './record.ts';
import { addDays, firstDayOf, minutesOf, type Plan, problemsOf } from './rules.ts';

export { scheduleFeed } from './feed.ts';
export * from './record.ts';
export { addDays } from './rules.ts';
export { inZone, momentOf, weekdayOf } from './times.ts';
export * from './week.ts';

export const scheduleChanges = schedules.changes
  .omit({ doctorId: true, validFrom: true })
  .extend({ from: fields.day.optional().describe('The first day of the change. Default: today') })
  .meta({ id: 'ScheduleChanges' });
type Changes = Omit<z.output<typeof scheduleChanges>, 'version'>;

/** Fields whose change begins another schedule, if this one has begun. */
const HELD = ['clinicId', 'roomId', 'weekday', 'startTime', 'endTime', 'slotMinutes', 'capacity'] as const;

interface Values extends Plan {
  readonly doctorId: string;
  readonly clinicId: string;
  readonly roomId: string | null;
  readonly capacity: number;
}

/** @throws Problem EMPLOYEE_NOT_FOUND, NOT_A_DOCTOR, or one of a place, VALIDATION_FAILED, SCHEDULE_OVERLAP */
export async function createSchedule(work: Work, body: z.output<typeof schedules.create>): Promise<Schedule> {
  await holdDoctor(work, body.doctorId);
  const clinic = await holdPlace(work, body);
  const thisDay = today(work);
  const values: Values = {
    ...body,
    roomId: body.roomId ?? null,
    slotMinutes: body.slotMinutes ?? clinic.slotMinutes ?? work.hospital.settings.slotMinutes,
    validFrom: body.validFrom ?? thisDay,
    validTo: body.validTo ?? null,
  };
  demandRight(values, { field: 'validFrom', day: thisDay });
  await demandFree(work, values);
  return records(work, schedules).insert({ ...values });
}

/**
 * Changes a schedule from a day on. Its last day can be changed at any time before that.
 * @returns the schedule from that day on: another one, if somebody has worked by the former one.
 * @throws Problem SCHEDULE_NOT_FOUND, SCHEDULE_ENDED, or one of a place, VALIDATION_FAILED, SCHEDULE_OVERLAP
 */
export async function changeSchedule(
  work: Work,
  id: string,
  { from, ...changes }: Changes,
  version: number | undefined,
): Promise<Schedule> {
  const own = records(work, schedules);
  const before = await lockWithDoctor(work, id, version);
  const thisDay = today(work);
  const held = valuesOf(before);
  if (held.validTo !== null && held.validTo < thisDay) throw new Problem(SCHEDULE_ENDED);
  const changed: Values = { ...held, ...defined(changes) };
  if (HELD.every((name) => changed[name] === held[name])) {
    demandRight(changed, { field: 'validFrom', day: held.validFrom });
    demandStays(changed.validTo, addDays(thisDay, -1));
    await demandFree(work, changed, id);
    return own.update(before, { validTo: changed.validTo });
  }
  await holdPlace(work, changed, held.clinicId);
  const begin = from ?? thisDay;
  const isUnused = begin <= firstDayOf(held);
  const after = isUnused ? changed : { ...changed, validFrom: begin };
  demandRight({ ...after, validFrom: begin }, { field: 'from', day: thisDay });
  await demandFree(work, after, id);
  if (isUnused) return own.update(before, defined(changes));
  await own.update(before, { validTo: addDays(begin, -1) });
  return own.insert({ ...after });
}

/** @throws Problem SCHEDULE_NOT_FOUND, SCHEDULE_BEGUN */
export async function removeSchedule(work: Work, id: string, version: number | undefined): Promise<Schedule> {
  const own = records(work, schedules);
  const before = await lockWithDoctor(work, id, version);
  if (firstDayOf(valuesOf(before)) < today(work)) throw new Problem(SCHEDULE_BEGUN);
  return own.remove(before);
}

/** Ends the schedules of a locked doctor who leaves: today is the last day. */
export async function endSchedules(work: Work, doctorId: string): Promise<void> {
  const own = records(work, schedules);
  const thisDay = today(work);
  const rows = build.from('schedules').whereNull('deleted_at').where('doctor_id', doctorId);
  rows.whereRaw('coalesce(valid_to > ?, true)', [thisDay]);
  const found = await work.trx.run<{ id: string }>(rows.orderBy('id').select('id'));
  for (const { id } of found) {
    const before = await own.lock(id);
    if (firstDayOf(valuesOf(before)) > thisDay) await own.remove(before);
    else await own.update(before, { validTo: thisDay });
  }
}

/** Whether a locked room or clinic has schedules, today or later. */
export async function isScheduled(
  work: Work,
  place: { readonly room_id: string } | { readonly clinic_id: string },
): Promise<boolean> {
  const rows = build.from('schedules').whereNull('deleted_at').where(place);
  rows.whereRaw('coalesce(valid_to >= ?, true)', [today(work)]);
  return (await work.trx.run(rows.select('id').limit(1))).length > 0;
}

async function lockWithDoctor(work: Work, id: string, version: number | undefined): Promise<Schedule> {
  const own = records(work, schedules);
  const found = await own.find(id);
  if (!found) throw new Problem(schedules.notFound);
  await records(work, employees).lock(found.doctorId);
  return own.lock(id, version);
}

/**
 * Locks the room and the clinic. @param formerClinicId stays usable for what is there, also if it is inactive.
 * @throws Problem ROOM_NOT_FOUND, CLINIC_NOT_FOUND, CLINIC_INACTIVE, ROOM_OF_OTHER_CLINIC
 */
async function holdPlace(
  work: Work,
  { roomId, clinicId }: { readonly roomId?: string | null | undefined; readonly clinicId: string },
  formerClinicId?: string,
): Promise<Clinic> {
  const room = roomId ? await records(work, rooms).lock(roomId) : undefined;
  const clinic =
    clinicId === formerClinicId ? await records(work, clinics).lock(clinicId) : await holdClinic(work, clinicId);
  if (room && room.clinicId !== clinicId) throw new Problem(ROOM_OF_OTHER_CLINIC);
  return clinic;
}

/** @throws Problem VALIDATION_FAILED */
function demandRight(plan: Plan, earliest: Parameters<typeof problemsOf>[1]): void {
  const problems = problemsOf(plan, earliest);
  if (problems.length > 0) throw invalidFields(problems);
}

/** @throws Problem VALIDATION_FAILED if a schedule would end before a day of the past. */
function demandStays(validTo: string | null, yesterday: string): void {
  if (validTo === null || validTo >= yesterday) return;
  const message = `must not be before ${yesterday}: what has been stays`;
  throw invalidFields([{ field: 'validTo', in: 'body', message }]);
}

/** @param exceptId the schedule that is changed. @throws Problem SCHEDULE_OVERLAP that names the other schedule. */
async function demandFree(work: Work, values: Values, exceptId?: string): Promise<void> {
  const { doctorId, roomId, weekday, startTime, endTime, validFrom, validTo } = values;
  const rows = build.from('schedules').whereNull('deleted_at').where('weekday', weekday).select('id');
  rows.whereRaw('minutes && int4range(?, ?)', [minutesOf(startTime), minutesOf(endTime)]);
  rows.whereRaw("daterange(valid_from, valid_to, '[]') && daterange(?, ?, '[]')", [validFrom, validTo]);
  rows.where((either) => {
    either.where('doctor_id', doctorId);
    if (roomId !== null) either.orWhere('room_id', roomId);
  });
  if (exceptId !== undefined) rows.whereNot('id', exceptId);
  const [other] = await work.trx.run<{ id: string }>(rows.orderBy('valid_from').limit(1));
  const found = other && (await records(work, schedules).find(other.id));
  if (!found) return;
  const taken = valuesOf(found);
  const of = found.doctorId === doctorId ? 'doctor' : 'room';
  throw new Problem(SCHEDULE_OVERLAP, {
    message: `The ${of} has another schedule from ${taken.startTime} to ${taken.endTime}, valid from ${taken.validFrom} ${taken.validTo === null ? 'on' : `to ${taken.validTo}`}: change that one first, or choose another time`,
    details: { of, schedule: { id: found.id, ...taken } },
  });
}

function valuesOf(schedule: Schedule): Values {
  const { doctorId, clinicId, roomId, weekday, startTime, endTime, capacity } = schedule;
  return {
    ...{ doctorId, clinicId, roomId, weekday, startTime, endTime, capacity },
    ...hoursOf(schedule),
  };
}

/** A field that is absent stays as it is. */
function defined<Fields extends object>(
  changes: Fields,
): { [Name in keyof Fields]?: Exclude<Fields[Name], undefined> } {
  return Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined)) as never;
}
