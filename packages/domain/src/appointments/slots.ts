/** Slots: the times at which a doctor has places, from the schedules, the absences and what is booked. */
import { fields, invalidFields, records, today, type Work } from '@hms/service';
import { z } from 'zod';
import { clinics } from '../clinics/clinics.ts';
import { employees } from '../employees/employees.ts';
import { nameOf } from '../employees/people.ts';
import { rooms } from '../rooms/rooms.ts';
import { addDays, momentOf, readWorkingTimes, type ScheduledTime, type Wanted } from '../schedules/schedules.ts';
import { daysFrom, inZone, type Period } from '../schedules/times.ts';
import { type VisitType, visitTypes } from '../visit-types/visit-types.ts';
import { takers } from './taking.ts';

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

/** Whose slots are wanted, and for which visits. */
interface WantedSlots extends Wanted {
  readonly visitTypeId?: string | undefined;
}

/** What slots need to know of a type of visit. */
type Kind = Pick<VisitType, 'minutes' | 'clinicId'>;

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
    heldUntil: moment.nullable().describe('How long somebody else keeps a place, who is booking it. Null: nobody does'),
  })
  .meta({ id: 'Slot' });
export type ShownSlot = z.output<typeof shownSlot>;

export const slotQuery = z.object({
  doctorId: fields.id.optional(),
  clinicId: fields.id.optional(),
  visitTypeId: fields.id.optional().describe('Slots as long as such a visit. Default: as the schedules say'),
  date: fields.isoDate.optional().describe('The first day. Default: today'),
  days: fields.count(MOST_DAYS).optional().describe('How many days. Default: 1'),
  onlyFree: z.enum(['true', 'false']).optional().describe('Without those that nobody can book'),
});

/** The slots of some days, by their begin. @param days each as `YYYY-MM-DD`, in their order. @param kind of the visits */
export async function slotsOn(
  work: Work,
  wanted: Wanted,
  days: readonly string[],
  kind?: Kind,
): Promise<readonly Slot[]> {
  const { times } = await readWorkingTimes(work, wanted, days);
  const clinicId = kind?.clinicId ?? null;
  const all = times
    .filter(({ schedule }) => clinicId === null || schedule.of.clinicId === clinicId)
    .flatMap((time) => slotsIn(time, work.hospital.timezone, kind?.minutes));
  return all.sort((one, other) => one.from - other.from || one.to - other.to);
}

/**
 * The slots of a working time. They begin where those of the whole schedule do, so an absence moves none of them.
 * Pure. @param minutes of the visits, as they pass. Default: those of the schedule
 */
export function slotsIn({ schedule, day, period }: ScheduledTime, zone: string, minutes?: number): readonly Slot[] {
  const { of, startTime, endTime, slotMinutes } = schedule;
  const [begin, end] = [momentOf(day, startTime, zone), momentOf(day, endTime, zone)];
  const length = (minutes ?? slotMinutes) * MINUTE;
  const slots: Slot[] = [];
  for (let from = begin; from + length <= end; from += slotMinutes * MINUTE) {
    if (from < period.from || from + length > period.to) continue;
    const { id: scheduleId, doctorId, clinicId, roomId, capacity } = of;
    slots.push({ scheduleId, doctorId, clinicId, roomId, capacity, from, to: from + length });
  }
  return slots;
}

/** The slot of a doctor that begins at a moment. @param from in ms since 1970. @param kind of the visit */
export async function slotAt(work: Work, doctorId: string, from: number, kind?: Kind): Promise<Slot | undefined> {
  // A slot belongs to the day on which its schedule begins, which is the same day by the clock of the hospital.
  const day = inZone(from, work.hospital.timezone).slice(0, 10);
  return (await slotsOn(work, { doctorId }, [day], kind)).find((slot) => slot.from === from);
}

interface Taken extends Period {
  readonly doctorId: string;
  readonly seat: number;
  /** Of somebody else's hold, in ms since 1970. */
  readonly heldUntil: number | undefined;
}

/** What is taken of a slot. */
interface Use {
  readonly seats: ReadonlySet<number>;
  /** How long the first of the holds lasts, in ms since 1970. */
  readonly heldUntil: number | undefined;
}

/** Pure. @param taken of the doctor */
function useOf({ from, to }: Period, taken: readonly Taken[]): Use {
  const own = taken.filter((one) => one.from < to && one.to > from);
  const held = own.flatMap(({ heldUntil }) => heldUntil ?? []);
  return { seats: new Set(own.map(({ seat }) => seat)), heldUntil: held.length > 0 ? Math.min(...held) : undefined };
}

/** What is taken of a slot, over its whole length. */
export async function readUse(work: Work, slot: Slot): Promise<Use> {
  return useOf(slot, (await takenIn(work, [slot])).get(slot.doctorId) ?? []);
}

/** Days of everybody in a clinic. A hospital's slots of a month would fill many megabytes. */
export const MOST_DAYS_OF_CLINIC = 7;

/** @throws Problem VALIDATION_FAILED, EMPLOYEE_NOT_FOUND, CLINIC_NOT_FOUND, VISIT_TYPE_NOT_FOUND */
export async function readSlots(
  work: Work,
  { visitTypeId, ...wanted }: WantedSlots,
  first: string,
  days: number,
  onlyFree: boolean,
): Promise<ShownSlot[]> {
  demandFew(work, wanted, first, days);
  if (wanted.doctorId !== undefined) await records(work, employees).read(wanted.doctorId);
  if (wanted.clinicId !== undefined) await records(work, clinics).read(wanted.clinicId);
  const kind = visitTypeId === undefined ? undefined : await records(work, visitTypes).read(visitTypeId);
  const { timezone } = work.hospital;
  const all = await slotsOn(work, wanted, daysFrom(first, days), kind);
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
    const { seats, heldUntil } = useOf(slot, taken.get(doctorId) ?? []);
    return {
      ...{ scheduleId, doctorId, doctorName: doctorName.get(doctorId) ?? '' },
      ...{ clinicId, clinicName: placeName.get(clinicId) ?? '' },
      ...{ roomId, roomName: roomId === null ? null : (placeName.get(roomId) ?? '') },
      ...{ startsAt: inZone(from, timezone), endsAt: inZone(to, timezone), capacity },
      free: from < now ? 0 : Math.max(0, capacity - seats.size),
      heldUntil: heldUntil === undefined ? null : inZone(heldUntil, timezone),
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

/** What is taken in the time of some slots, by doctor. */
async function takenIn(work: Work, slots: readonly Slot[]): Promise<ReadonlyMap<string, readonly Taken[]>> {
  if (slots.length === 0) return new Map();
  const rows = takers(work);
  rows.whereIn('doctor_id', [...new Set(slots.map(({ doctorId }) => doctorId))]);
  rows.where('starts_at', '<', new Date(Math.max(...slots.map(({ to }) => to))));
  rows.where('ends_at', '>', new Date(Math.min(...slots.map(({ from }) => from))));
  const found = await work.trx.run<{
    doctor_id: string;
    starts_at: Date;
    ends_at: Date;
    seat: number;
    held_until: Date | null;
  }>(rows.select('doctor_id', 'starts_at', 'ends_at', 'seat', 'held_until'));
  return Map.groupBy(
    found.map(({ doctor_id: doctorId, starts_at: from, ends_at: to, seat, held_until: heldUntil }): Taken => {
      return { doctorId, from: from.getTime(), to: to.getTime(), seat, heldUntil: heldUntil?.getTime() };
    }),
    ({ doctorId }) => doctorId,
  );
}
