/** Slots: the times at which a doctor has places, from the schedules, the absences and what is booked. */
import { build } from '@hms/database';
import { fields, invalidFields, records, today, type Work } from '@hms/service';
import { z } from 'zod';
import { clinics } from '../clinics/clinics.ts';
import { employees } from '../employees/employees.ts';
import { nameOf } from '../employees/people.ts';
import { rooms } from '../rooms/rooms.ts';
import { addDays, momentOf, readWorkingTimes, type ScheduledTime, type Wanted } from '../schedules/schedules.ts';
import { daysFrom, inZone, type Period } from '../schedules/times.ts';
import { TAKING } from './record.ts';

const MINUTE = 60_000;
export const MOST_DAYS_AHEAD = 366;
export const MOST_DAYS = 31;

/** A time of a doctor, whoever has it. */
export interface Slot extends Period {
  readonly scheduleId: string;
  readonly doctorId: string;
  readonly clinicId: string;
  readonly roomId: string | null;
  readonly capacity: number;
}

const moment = z.iso.datetime({ offset: true });
export const shownSlot = z
  .object({
    scheduleId: z.uuid(),
    doctorId: z.uuid(),
    doctorName: z.string(),
    clinicId: z.uuid(),
    clinicName: z.string(),
    roomId: z.uuid().nullable(),
    roomName: z.string().nullable(),
    startsAt: moment.describe('With the offset of the hospital at that time'),
    endsAt: moment,
    capacity: z.int(),
    free: z.int().describe('Places that are left. None in a slot that has begun'),
  })
  .meta({ id: 'Slot' });
export type ShownSlot = z.output<typeof shownSlot>;

export const slotQuery = z.object({
  doctorId: fields.id.optional(),
  clinicId: fields.id.optional(),
  date: fields.isoDate.optional().describe('The first day. Default: today'),
  days: fields.count(MOST_DAYS).optional().describe('How many days. Default: 1'),
  onlyFree: z.enum(['true', 'false']).optional().describe('Without those that nobody can book'),
});

/** The slots of some days, by their begin. @param days each as `YYYY-MM-DD`, in their order */
export async function slotsOn(work: Work, wanted: Wanted, days: readonly string[]): Promise<readonly Slot[]> {
  const { times } = await readWorkingTimes(work, wanted, days);
  const all = times.flatMap((time) => slotsIn(time, work.hospital.timezone));
  return all.sort((one, other) => one.from - other.from || one.to - other.to);
}

/**
 * The slots of a working time. They begin where those of the whole schedule do, so an absence moves none of them.
 * Pure.
 */
function slotsIn({ schedule, day, period }: ScheduledTime, zone: string): readonly Slot[] {
  const { of, startTime, endTime, slotMinutes } = schedule;
  const [begin, end] = [momentOf(day, startTime, zone), momentOf(day, endTime, zone)];
  const length = slotMinutes * MINUTE;
  const slots: Slot[] = [];
  for (let from = begin; from + length <= end; from += length) {
    if (from < period.from || from + length > period.to) continue;
    const { id: scheduleId, doctorId, clinicId, roomId, capacity } = of;
    slots.push({ scheduleId, doctorId, clinicId, roomId, capacity, from, to: from + length });
  }
  return slots;
}

/** The slot of a doctor that begins at a moment. @param from in ms since 1970 */
export async function slotAt(work: Work, doctorId: string, from: number): Promise<Slot | undefined> {
  // A slot belongs to the day on which its schedule begins, which is the same day by the clock of the hospital.
  const day = inZone(from, work.hospital.timezone).slice(0, 10);
  return (await slotsOn(work, { doctorId }, [day])).find((slot) => slot.from === from);
}

/** The seats that are taken in a time of a doctor. */
export async function takenSeats(
  { trx }: Work,
  { doctorId, from, to }: Pick<Slot, 'doctorId' | 'from' | 'to'>,
): Promise<ReadonlySet<number>> {
  const rows = build
    .from('appointments')
    .where('doctor_id', doctorId)
    .whereIn('status', TAKING)
    .whereNull('deleted_at');
  rows.where('starts_at', '<', new Date(to)).where('ends_at', '>', new Date(from)).distinct('seat');
  return new Set((await trx.run<{ seat: number }>(rows)).map(({ seat }) => seat));
}

/** Days of everybody in a clinic. A hospital's slots of a month would fill many megabytes. */
export const MOST_DAYS_OF_CLINIC = 7;

/** @throws Problem VALIDATION_FAILED, EMPLOYEE_NOT_FOUND, CLINIC_NOT_FOUND */
export async function readSlots(
  work: Work,
  wanted: Wanted,
  first: string,
  days: number,
  onlyFree: boolean,
): Promise<ShownSlot[]> {
  demandFew(work, wanted, first, days);
  if (wanted.doctorId !== undefined) await records(work, employees).read(wanted.doctorId);
  if (wanted.clinicId !== undefined) await records(work, clinics).read(wanted.clinicId);
  const { timezone } = work.hospital;
  const all = await slotsOn(work, wanted, daysFrom(first, days));
  const [doctors, places, usedRooms, taken] = await Promise.all([
    records(work, employees).byIds([...new Set(all.map(({ doctorId }) => doctorId))]),
    records(work, clinics).byIds([...new Set(all.map(({ clinicId }) => clinicId))]),
    records(work, rooms).byIds([...new Set(all.flatMap(({ roomId }) => roomId ?? []))]),
    takenIn(work, all),
  ]);
  const doctorName = new Map(doctors.map((doctor) => [doctor.id, nameOf(doctor)]));
  const placeName = new Map([...places, ...usedRooms].map(({ id, name }) => [id, name]));
  const now = work.trx.moment.getTime();
  const shown = all.map((slot): ShownSlot => {
    const { scheduleId, doctorId, clinicId, roomId, capacity, from, to } = slot;
    const seats = new Set(
      (taken.get(doctorId) ?? []).filter((one) => one.from < to && one.to > from).map(({ seat }) => seat),
    );
    return {
      ...{ scheduleId, doctorId, doctorName: doctorName.get(doctorId) ?? '' },
      ...{ clinicId, clinicName: placeName.get(clinicId) ?? '' },
      ...{ roomId, roomName: roomId === null ? null : (placeName.get(roomId) ?? '') },
      ...{ startsAt: inZone(from, timezone), endsAt: inZone(to, timezone), capacity },
      free: from < now ? 0 : Math.max(0, capacity - seats.size),
    };
  });
  return onlyFree ? shown.filter(({ free }) => free > 0) : shown;
}

/** @throws Problem VALIDATION_FAILED */
function demandFew(work: Work, { doctorId, clinicId }: Wanted, first: string, days: number): void {
  const wrong = (field: string, message: string) => invalidFields([{ field, in: 'query', message }]);
  if (doctorId === undefined && clinicId === undefined) throw wrong('doctorId', 'is required without clinicId');
  if (doctorId === undefined && days > MOST_DAYS_OF_CLINIC)
    throw wrong('days', `must be at most ${MOST_DAYS_OF_CLINIC} without doctorId`);
  const last = addDays(today(work), MOST_DAYS_AHEAD);
  if (first > last) throw wrong('date', `must be at most ${MOST_DAYS_AHEAD} days ahead`);
}

interface Taken extends Period {
  readonly seat: number;
}

/** What is taken in the time of some slots, by doctor. */
async function takenIn({ trx }: Work, slots: readonly Slot[]): Promise<ReadonlyMap<string, readonly Taken[]>> {
  if (slots.length === 0) return new Map();
  const rows = build.from('appointments').whereIn('status', TAKING).whereNull('deleted_at');
  rows.whereIn('doctor_id', [...new Set(slots.map(({ doctorId }) => doctorId))]);
  rows.where('starts_at', '<', new Date(Math.max(...slots.map(({ to }) => to))));
  rows.where('ends_at', '>', new Date(Math.min(...slots.map(({ from }) => from))));
  const found = await trx.run<{ doctor_id: string; starts_at: Date; ends_at: Date; seat: number }>(
    rows.select('doctor_id', 'starts_at', 'ends_at', 'seat'),
  );
  return Map.groupBy(
    found.map(({ doctor_id: doctorId, starts_at: from, ends_at: to, seat }) => {
      return { doctorId, from: from.getTime(), to: to.getTime(), seat };
    }),
    ({ doctorId }) => doctorId,
  );
}
