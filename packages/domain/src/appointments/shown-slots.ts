/** Slots as they are shown: each by itself, or the free places of days. */
import { type ErrorKind, fields, invalidFields, type Problem, records, today, type Work } from '@hms/service';
import { z } from 'zod';
import { clinics } from '../clinics/clinics.ts';
import { employees } from '../employees/employees.ts';
import { nameOf } from '../employees/people.ts';
import { rooms } from '../rooms/rooms.ts';
import { addDays, type Wanted } from '../schedules/schedules.ts';
import { daysFrom, inZone } from '../schedules/times.ts';
import { type VisitType, visitTypes } from '../visit-types/visit-types.ts';
import { IN_THE_PAST, TOO_FAR_AHEAD } from './record.ts';
import { eachSlot, type Slot, slotsOn, timesFor } from './slots.ts';
import { NOTHING_TAKEN, readLanes, readUses, seatsTaken } from './uses.ts';

export const MOST_DAYS_AHEAD = 366;
const DAY = 86_400_000;
export const MOST_DAYS = 31;

/** Whose slots are wanted, and for which visits. */
interface WantedSlots extends Wanted {
  readonly visitTypeId?: string | undefined;
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
    free: z.int().describe('Places that are left. None in a slot that nobody can book now'),
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

export const slotDay = z
  .object({
    day: z.iso.date(),
    doctorId: z.uuid(),
    doctorName: z.string(),
    places: z.int().describe('In all slots that begin on this day'),
    free: z.int().describe('Places that are left. None in a slot that nobody can book now'),
    firstFree: moment.nullable().describe('When the first slot begins that has one. Null: none has'),
  })
  .meta({ id: 'SlotDay' });
export type SlotDay = z.output<typeof slotDay>;

export const slotDayQuery = slotQuery.omit({ onlyFree: true });

/** Days of everybody in a clinic. Their slots of a month would fill many megabytes. */
export const MOST_DAYS_OF_CLINIC = 7;

interface Days {
  /** `YYYY-MM-DD`. */
  readonly first: string;
  readonly days: number;
}

/**
 * The slots that can be booked, or all. @throws Problem VALIDATION_FAILED, EMPLOYEE_NOT_FOUND, CLINIC_NOT_FOUND,
 * VISIT_TYPE_NOT_FOUND
 */
export async function readSlots(
  work: Work,
  wanted: WantedSlots,
  { onlyFree, ...days }: Days & { readonly onlyFree: boolean },
): Promise<ShownSlot[]> {
  if (wanted.doctorId === undefined && days.days > MOST_DAYS_OF_CLINIC)
    throw wrong('days', `must be at most ${MOST_DAYS_OF_CLINIC} without doctorId`);
  const { timezone } = work.hospital;
  const all = await readOffered(work, wanted, days);
  const slots = all.map(({ slot }) => slot);
  const [doctorName, places, usedRooms] = await Promise.all([
    namesOfDoctors(work, slots),
    records(work, clinics).byIds([...new Set(slots.map(({ clinicId }) => clinicId))]),
    records(work, rooms).byIds([...new Set(slots.flatMap(({ roomId }) => roomId ?? []))]),
  ]);
  const placeName = new Map([...places, ...usedRooms].map(({ id, name }) => [id, name]));
  const shown = onlyFree ? all.filter(({ free }) => free > 0) : [...all];
  shown.sort(({ slot: one }, { slot: other }) => one.from - other.from || one.to - other.to);
  return shown.map(({ slot, free, heldUntil }): ShownSlot => {
    const { scheduleId, doctorId, clinicId, roomId, capacity, from, to } = slot;
    return {
      ...{ scheduleId, doctorId, doctorName: doctorName.get(doctorId) ?? '' },
      ...{ clinicId, clinicName: placeName.get(clinicId) ?? '' },
      ...{ roomId, roomName: roomId === null ? null : (placeName.get(roomId) ?? '') },
      ...{ startsAt: inZone(from, timezone), endsAt: inZone(to, timezone), capacity, free },
      heldUntil: heldUntil === undefined ? null : inZone(heldUntil, timezone),
    };
  });
}

/**
 * The days on which doctors work, in their order, and the free places of each. @throws Problem as `readSlots`
 */
export async function readSlotDays(work: Work, wanted: WantedSlots, days: Days): Promise<SlotDay[]> {
  const kind = await readKind(work, wanted, days);
  const times = await timesFor(work, wanted, daysFrom(days.first, days.days), kind);
  const periods = times.map(({ schedule, period }) => ({ doctorId: schedule.of.doctorId, ...period }));
  const [lanesOf, doctorName] = await Promise.all([readLanes(work, periods), namesOfDoctors(work, periods)]);
  const found = new Map<string, Map<string, Counted>>();
  for (const time of times) {
    const { doctorId, capacity } = time.schedule.of;
    const ofDay = entryOf(found, time.day, () => new Map<string, Counted>());
    const own = entryOf(ofDay, doctorId, () => ({ day: time.day, doctorId, places: 0, free: 0, first: null }));
    const lanes = lanesOf(doctorId);
    // A month of a clinic has so many slots that an object for each would take as long as all else.
    eachSlot(time, kind?.minutes, (from, to) => {
      own.places += capacity;
      const free = whyNever(work, from) ? 0 : freeOf(capacity, seatsTaken({ from, to }, lanes));
      own.free += free;
      if (free > 0) own.first ??= from;
    });
  }
  return [...found.values()]
    .flatMap((ofDay) => [...ofDay.values()].filter(({ places }) => places > 0))
    .map(({ first, ...own }) => ({
      ...own,
      doctorName: doctorName.get(own.doctorId) ?? '',
      firstFree: first === null ? null : inZone(first, work.hospital.timezone),
    }));
}

interface Counted {
  readonly day: string;
  readonly doctorId: string;
  places: number;
  free: number;
  first: number | null;
}

function entryOf<Key, Value>(map: Map<Key, Value>, key: Key, make: () => Value): Value {
  const known = map.get(key);
  if (known !== undefined) return known;
  const made = make();
  map.set(key, made);
  return made;
}

interface Offered {
  readonly slot: Slot;
  readonly free: number;
  readonly heldUntil: number | undefined;
}

/** The slots of some days, and what is free of each. Those of a doctor are in the order of their begins. */
async function readOffered(work: Work, wanted: WantedSlots, days: Days): Promise<readonly Offered[]> {
  const kind = await readKind(work, wanted, days);
  const slots = await slotsOn(work, wanted, daysFrom(days.first, days.days), kind);
  const uses = await readUses(work, slots);
  return slots.map((slot, index) => {
    const use = uses[index] ?? NOTHING_TAKEN;
    return {
      ...{ slot, heldUntil: use.heldUntil },
      free: whyNever(work, slot.from) ? 0 : freeOf(slot.capacity, use.seats.length),
    };
  });
}

function freeOf(capacity: number, taken: number): number {
  return Math.max(0, capacity - taken);
}

/**
 * The type of the visits, after a check of what is asked. @throws Problem VALIDATION_FAILED, EMPLOYEE_NOT_FOUND,
 * CLINIC_NOT_FOUND, VISIT_TYPE_NOT_FOUND
 */
async function readKind(
  work: Work,
  { doctorId, clinicId, visitTypeId }: WantedSlots,
  { first }: Days,
): Promise<VisitType | undefined> {
  if (doctorId === undefined && clinicId === undefined) throw wrong('doctorId', 'is required without clinicId');
  if (first > addDays(today(work), MOST_DAYS_AHEAD))
    throw wrong('date', `must be at most ${MOST_DAYS_AHEAD} days ahead`);
  if (doctorId !== undefined) await records(work, employees).read(doctorId);
  if (clinicId !== undefined) await records(work, clinics).read(clinicId);
  return visitTypeId === undefined ? undefined : records(work, visitTypes).read(visitTypeId);
}

/** Why nobody can book a time now, whoever works then. @param from in ms since 1970 */
export function whyNever({ trx }: Pick<Work, 'trx'>, from: number): ErrorKind | undefined {
  const now = trx.moment.getTime();
  if (from < now) return IN_THE_PAST;
  return from > now + MOST_DAYS_AHEAD * DAY ? TOO_FAR_AHEAD : undefined;
}

async function namesOfDoctors(
  work: Work,
  slots: readonly Pick<Slot, 'doctorId'>[],
): Promise<ReadonlyMap<string, string>> {
  const doctors = await records(work, employees).byIds([...new Set(slots.map(({ doctorId }) => doctorId))]);
  return new Map(doctors.map((doctor) => [doctor.id, nameOf(doctor)]));
}

/** @returns Problem VALIDATION_FAILED */
function wrong(field: string, message: string): Problem {
  return invalidFields([{ field, in: 'query', message }]);
}
