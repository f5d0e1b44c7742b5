/** Times that have become free, offered to the people of the waiting list one after the other. */
import { build } from '@hms/database';
import { INVALID_STATE, Problem, records, STALE_VERSION, type Work } from '@hms/service';
import type { z } from 'zod';
import {
  type Appointment,
  appointments,
  busyIn,
  confirmAndRemind,
  endAppointment,
  entriesWith,
  findPlace,
  LEAST_NOTICE,
  momentOf,
  offerExpiry,
  offerLater,
  PATIENT_DOUBLE_BOOKED,
  readUse,
  type Slot,
  slotAt,
  slotsOn,
  takePlace,
} from '../appointments/appointments.ts';
import { afterDaytime } from '../appointments/daytime.ts';
import { holdDoctor } from '../employees/employees.ts';
import { holdSurvivor } from '../patients/merges.ts';
import { samePeopleIds } from '../patients/record.ts';
import { inZone } from '../schedules/times.ts';
import { keepVisitType, type VisitType, visitTypes } from '../visit-types/visit-types.ts';
import { type bookingOfEntry, type WaitingEntry, waitingList, type withdrawal } from './record.ts';

/** Before the appointment, an offer ends: somebody else may still come. */
const ANSWER_BEFORE = LEAST_NOTICE / 2;
const MINUTE = 60_000;

/** A time with a doctor. @param beyond as in `offerLater` */
interface Freed extends Pick<Appointment, 'doctorId' | 'startsAt'> {
  readonly beyond?: string | undefined;
}

/**
 * Offers what an appointment has left: the slots of a doctor that begin in its time, and to those who wait for a long visit
 * the slots that begin before it and reach into it.
 */
export async function offerFreed(
  work: Work,
  { endsAt, ...freed }: Freed & { readonly endsAt?: string | undefined },
): Promise<void> {
  if (freed.beyond === undefined) await offerAround(work, freed, endsAt ?? freed.startsAt);
  await offerPlace(work, freed);
}

async function offerAround(work: Work, { doctorId, startsAt }: Freed, endsAt: string): Promise<void> {
  const [begin, end] = [Date.parse(startsAt), Date.parse(endsAt)];
  const day = inZone(begin, work.hospital.timezone).slice(0, 10);
  const longest = Math.max(0, ...(await waitingKinds(work, doctorId)).map((kind) => kind?.minutes ?? 0)) * MINUTE;
  for (const { from } of await slotsOn(work, { doctorId }, [day])) {
    const time = { doctorId, startsAt: new Date(from).toISOString() };
    if (from > begin && from < end) offerLater(work, time);
    if (from < begin && from + longest > begin) offerLater(work, { ...time, beyond: startsAt });
  }
}

/**
 * Offers a free time to the first of the waiting list whom it suits, and keeps it for them. Nobody is offered the same time
 * twice.
 */
export async function offerPlace(work: Work, freed: Freed): Promise<void> {
  const { doctorId, startsAt } = freed;
  const minutes = work.hospital.settings.waitingListOfferMinutes;
  const [from, now] = [Date.parse(startsAt), work.trx.moment.getTime()];
  // The hospital may not want it any more, or the task has waited.
  if (minutes === 0 || from < now + LEAST_NOTICE) return;
  const first = await firstOf(work, await readChances(work, freed));
  if (!first) return;
  try {
    const { id: patientId } = await holdSurvivor(work, first.patientId);
    await holdDoctor(work, doctorId);
    const visitType = await visitTypeOf(work, first);
    const place = await findPlace(work, { patientId, doctorId, startsAt, visitType });
    const entry = await records(work, waitingList).lock(first.id);
    // Somebody has offered or booked another time meanwhile, or this one was declined: the next one may be glad about it.
    const isOver = entry.status !== 'waiting' || entry.visitTypeId !== first.visitTypeId;
    if (isOver || (await wasOffered(work, entry, place))) return offerLater(work, freed);
    const { reason, notes } = entry;
    const offeredUntil = Math.min(afterDaytime(now, minutes, work.hospital.timezone), from - ANSWER_BEFORE);
    const booking = { patientId, doctorId, startsAt, visitType, reason, notes, waitingEntryId: entry.id };
    const { id: appointmentId } = await takePlace(work, { ...booking, offeredUntil }, place);
    await records(work, waitingList).moveTo(entry, 'offered', { appointmentId });
    work.addTask(offerExpiry, { appointmentId }, { key: appointmentId, runAt: new Date(offeredUntil) });
    // Several places of one time may have become free.
    if (place.capacity > 1) offerLater(work, freed);
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    const { heldUntil } = error.details ?? {};
    // Booked another time meanwhile, or somebody is booking it, who may leave it. After any other refusal, the time is not
    // free any more.
    if (error.kind.code === PATIENT_DOUBLE_BOOKED.code) offerLater(work, freed);
    else if (typeof heldUntil === 'string') offerLater(work, freed, Date.parse(heldUntil));
  }
}

/** What a free time is for those who wait for one type of visit: a slot that is free for as long as it takes. */
interface Chance {
  readonly visitTypeId: string | null;
  readonly slot: Slot;
}

/** Slots that are free, or may be once somebody has left them who is booking them. */
async function readChances(work: Work, { doctorId, startsAt, beyond }: Freed): Promise<readonly Chance[]> {
  const chances: Chance[] = [];
  for (const kind of await waitingKinds(work, doctorId)) {
    const slot = await slotAt(work, doctorId, Date.parse(startsAt), kind);
    if (!slot || (beyond !== undefined && slot.to <= Date.parse(beyond))) continue;
    const { seats, heldUntil } = await readUse(work, slot);
    if (seats.length < slot.capacity || heldUntil !== undefined) chances.push({ visitTypeId: kind?.id ?? null, slot });
  }
  return chances;
}

/** The types of visits for which somebody waits who would come to a doctor. Undefined: as long as the schedules say. */
async function waitingKinds(work: Work, doctorId: string): Promise<readonly (VisitType | undefined)[]> {
  const rows = build.from('waiting_list').where('status', 'waiting').whereNull('deleted_at');
  rows.where((of) => void of.where('doctor_id', doctorId).orWhereNull('doctor_id')).distinct('visit_type_id');
  const wanted = await work.trx.run<{ visit_type_id: string | null }>(rows);
  const types = await records(work, visitTypes).byIds(wanted.flatMap(({ visit_type_id: id }) => id ?? []));
  return wanted.some(({ visit_type_id: id }) => id === null) ? [undefined, ...types] : types;
}

/** The first of the list whom one of the slots suits. */
async function firstOf(work: Work, chances: readonly Chance[]): Promise<WaitingEntry | undefined> {
  const turn = ({ priority, id }: WaitingEntry) => `${priority} ${id}`;
  const all: WaitingEntry[] = [];
  for (const chance of chances) all.push(...(await firstFor(work, chance)));
  return all.sort((one, other) => (turn(one) < turn(other) ? -1 : 1))[0];
}

/** The first who waits for a time like this one, can come, and was not offered it before. */
async function firstFor(work: Work, { visitTypeId, slot }: Chance): Promise<readonly WaitingEntry[]> {
  const { doctorId, clinicId, from, to } = slot;
  const { timezone } = work.hospital;
  const [day = '', begin = ''] = inZone(from, timezone).split('T');
  const [, end = ''] = inZone(to, timezone).split('T');
  const rows = build.from('waiting_list').where('status', 'waiting').whereNull('deleted_at');
  rows.whereRaw('visit_type_id IS NOT DISTINCT FROM ?', [visitTypeId]);
  rows.where((of) => void of.where('doctor_id', doctorId).orWhereNull('doctor_id'));
  rows.where((of) => void of.where('clinic_id', clinicId).orWhereNull('clinic_id'));
  rows.whereRaw('coalesce(from_date <= ?, true) AND coalesce(until_date >= ?, true)', [day, day]);
  // A time that ends at midnight ends with the day.
  rows.whereRaw('coalesce(from_time <= ?, true) AND coalesce(until_time >= ?, true)', [
    begin.slice(0, 5),
    end.slice(0, 5) === '00:00' ? '24:00' : end.slice(0, 5),
  ]);
  const busy = samePeopleIds((people) => void people.whereIn('id', busyIn(slot)));
  rows.whereNotIn('patient_id', busy).whereNotIn('id', entriesWith(slot));
  const found = await work.trx.run<{ id: string }>(rows.orderBy('priority').orderBy('id').select('id').limit(1));
  return records(work, waitingList).byIds(found.map(({ id }) => id));
}

/** An entry keeps its type, also when that is not in use any more. @throws Problem VISIT_TYPE_NOT_FOUND */
async function visitTypeOf(work: Work, { visitTypeId }: WaitingEntry): Promise<VisitType | undefined> {
  return visitTypeId === null ? undefined : keepVisitType(work, visitTypeId);
}

async function wasOffered({ trx }: Work, { id }: WaitingEntry, slot: Slot): Promise<boolean> {
  return (await trx.run(entriesWith(slot).where('waiting_entry_id', id).limit(1))).length > 0;
}

/** The patient takes the time that was kept for them. @throws Problem APPOINTMENT_NOT_FOUND, INVALID_STATE */
export async function acceptOffer(work: Work, id: string, version: number | undefined): Promise<Appointment> {
  const own = records(work, appointments);
  const booked = await own.moveTo(await own.lock(id, version), 'booked');
  await follow(work, booked, 'booked');
  confirmAndRemind(work, booked);
  return booked;
}

/** The patient does not want it: the next one is asked. @throws Problem APPOINTMENT_NOT_FOUND, INVALID_STATE */
export async function declineOffer(work: Work, id: string, version: number | undefined): Promise<Appointment> {
  return giveUp(work, await records(work, appointments).lock(id, version), 'The offer was declined');
}

/** What the task at the end of an offer does. */
export async function expireOffer(work: Work, id: string): Promise<void> {
  const appointment = await records(work, appointments).lockAny(id);
  if (appointment.status === 'offered') await giveUp(work, appointment, 'Nobody answered the offer in time');
}

/** The patient waits again. @throws Problem INVALID_STATE if the appointment is not offered. */
async function giveUp(work: Work, offered: Appointment, why: string): Promise<Appointment> {
  const { status: from } = offered;
  if (from !== 'offered') {
    const message = `Only an offer can be declined, and the appointment is ${from}`;
    throw new Problem(INVALID_STATE, { message, details: { from, to: 'cancelled', allowed: [] } });
  }
  const ended = await endAppointment(work, offered, 'cancelled', why);
  await follow(work, ended, 'waiting');
  return ended;
}

async function follow(work: Work, { id, waitingEntryId }: Appointment, to: 'booked' | 'waiting'): Promise<void> {
  if (waitingEntryId === null) return;
  const own = records(work, waitingList);
  const entry = await own.lockAny(waitingEntryId);
  if (entry.appointmentId !== id) return;
  await own.moveTo(
    entry,
    to,
    to === 'booked' ? { appointmentId: id, endedAt: momentOf(work) } : { appointmentId: null },
  );
}

/**
 * Takes somebody off the list. A time that was kept for them is free again.
 * @throws Problem WAITING_LIST_ENTRY_NOT_FOUND, INVALID_STATE
 */
export async function withdraw(
  work: Work,
  id: string,
  { reason, version }: z.output<typeof withdrawal>,
): Promise<WaitingEntry> {
  const entry = await release(work, id, version);
  return records(work, waitingList).moveTo(entry, 'withdrawn', { endedAt: momentOf(work), endReason: reason ?? null });
}

/**
 * Books a time for somebody of the list. A time that was kept for them is free again.
 * @throws Problem WAITING_LIST_ENTRY_NOT_FOUND, INVALID_STATE, and those of a booking
 */
export async function bookForEntry(
  work: Work,
  id: string,
  { doctorId, startsAt, version }: z.output<typeof bookingOfEntry>,
): Promise<WaitingEntry> {
  const own = records(work, waitingList);
  const found = await own.read(id);
  const { id: patientId } = await holdSurvivor(work, found.patientId);
  await holdDoctor(work, doctorId);
  const visitType = await visitTypeOf(work, found);
  const entry = await release(work, id, version);
  // Somebody has changed it since.
  if (entry.visitTypeId !== found.visitTypeId) throw new Problem(STALE_VERSION);
  const { reason, notes } = entry;
  const booking = { patientId, doctorId, startsAt, visitType, reason, notes, waitingEntryId: id };
  const place = await findPlace(work, booking);
  const { id: appointmentId } = await takePlace(work, booking, place);
  return own.moveTo(entry, 'booked', { appointmentId, endedAt: momentOf(work) });
}

/** Locks an entry, and ends the offer that it has. @throws Problem WAITING_LIST_ENTRY_NOT_FOUND, STALE_VERSION */
async function release(work: Work, id: string, version: number | undefined): Promise<WaitingEntry> {
  const own = records(work, waitingList);
  const found = await own.read(id);
  if (found.status !== 'offered' || found.appointmentId === null) return own.lock(id, version);
  const offered = await records(work, appointments).lock(found.appointmentId);
  const entry = await own.lock(id, version);
  // Answered meanwhile.
  if (entry.appointmentId !== offered.id || offered.status !== 'offered') throw new Problem(STALE_VERSION);
  await endAppointment(work, offered, 'cancelled', 'The patient got another time, or waits no more');
  return own.moveTo(entry, 'waiting', { appointmentId: null });
}
