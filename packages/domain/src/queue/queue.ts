/**
 * People who wait in clinics: the tables `queue_entries`, `queue_steps`, `queue_waits` and `queue_boards`.
 *
 * Whoever joins gets a token, whose number is taken in the transaction that uses it: no number is given twice, and none is
 * missing. Rooms call the next person, and two rooms never call the same one. Each step is noted with what undoes it.
 *
 * Locks are taken in this order, so that two requests can't deadlock: the entry, whoever is in the room, the appointment
 * of either, the counter of the tokens, the boards by id. Patients, clinics and rooms are only held, so that they stay.
 */
import { build } from '@hms/database';
import { holdNumbers, INVALID_STATE, Problem, records, takeNumberAt, today, type Work } from '@hms/service';
import type { z } from 'zod';
import { followQueue } from '../appointments/appointments.ts';
import { type Clinic, useClinic } from '../clinics/clinics.ts';
import { holdSurvivor, samePerson } from '../patients/merges.ts';
import { useRoom } from '../rooms/rooms.ts';
import { ROOM_OF_OTHER_CLINIC } from '../schedules/record.ts';
import { membershipsFor } from '../vip/vip.ts';
import { countChange } from './boards.ts';
import { queueClosing } from './closing-task.ts';
import { currentDay, dayOf, endOfDay, serviceDay } from './day.ts';
import { noteWait } from './history.ts';
import { placeAt } from './live.ts';
import { dueAt, headStartOf, lineSql, SKIPPED_BEHIND, turnAfterSkip, turnOf } from './order.ts';
import {
  ALREADY_IN_QUEUE,
  type cancellation,
  DAY_OVER,
  ENTRY_NOT_FOUND,
  type Entry,
  type EntryState,
  entries,
  LIVE,
  type newEntry,
  QUEUE_CLOSED,
  ROOM_BUSY,
  SAME_CLINIC,
  TWO_TOKENS,
  type transferral,
} from './record.ts';
import { lastStep, noteStep, type StepKind } from './steps.ts';

export { BOARDS, type Board, countChange, type ReadBoard, readBoard, readRevision } from './boards.ts';
export * from './closing-task.ts';
export { currentDay, dayOf } from './day.ts';
export type { History } from './estimates.ts';
export { readAccuracy, readHistory } from './history.ts';
export { entryOfAppointment, readTurn } from './live.ts';
export * from './record.ts';
export { listEntries, readEntry, readQueue, showEntry } from './show.ts';

type Values = Partial<Entry>;

/** What somebody has come to. */
interface Planned {
  readonly appointmentId: string;
  readonly startsAt: string;
}

/** The day of service of a moment. @param at in ISO 8601 */
export function serviceDayOf({ hospital }: Pick<Work, 'hospital'>, at: string): string {
  return serviceDay(new Date(at), hospital.timezone, hospital.settings.serviceDayStart);
}

/** When a day of service of a hospital is over. @param day as `YYYY-MM-DD` */
export function endOfServiceDay({ hospital }: Pick<Work, 'hospital'>, day: string): Date {
  return endOfDay(day, hospital.timezone, hospital.settings.serviceDayStart);
}

/**
 * Gives somebody a token.
 * @param planned if they have an appointment.
 * @throws Problem CLINIC_NOT_FOUND, CLINIC_INACTIVE, QUEUE_CLOSED, PATIENT_NOT_FOUND, ALREADY_IN_QUEUE
 */
export async function join(
  work: Work,
  clinicId: string,
  body: z.output<typeof newEntry>,
  planned?: Planned,
): Promise<Entry> {
  const { series: chosen, priority, note, patientId } = body;
  const patient = patientId ? await holdSurvivor(work, patientId) : undefined;
  const clinic = await useClinic(work, clinicId);
  if (!planned && !clinic.isQueueEnabled) throw new Problem(QUEUE_CLOSED);
  const day = await dayOf(work, clinicId);
  await closeDaysBefore(work, clinicId, day);
  if (patient) await demandNotWaiting(work, clinicId, day, patient.id);
  const dueIf = (joined: Date) => dueAt(joined.toISOString(), planned?.startsAt);
  const vip = await vipOf(work, patient?.id);
  const turn = turnOf(dueIf(work.trx.moment), priority);
  const place = await placeAt(work, clinic, day, { turn, priority, headStart: vip.headStart });
  const { at, ...token } = await takeToken(work, clinicId, day, chosen ?? seriesOf(clinic));
  const due = dueIf(at);
  const entry = await records(work, entries).insert({
    ...{ ...place, ...token, clinicId, serviceDate: day, note, patientId: patient?.id, tierName: vip.tierName },
    ...{ joinedAt: at.toISOString(), queuedAt: at.toISOString(), dueAt: due, turn: turnOf(due, priority), calls: 0 },
    appointmentId: planned?.appointmentId,
  });
  planClosing(work, clinicId, day);
  await countChange(work, [clinicId]);
  return entry;
}

/**
 * Calls whoever is next. Of several rooms, each gets another person.
 * @returns undefined if nobody waits.
 * @throws Problem CLINIC_NOT_FOUND, CLINIC_INACTIVE, ROOM_NOT_FOUND, ROOM_OF_OTHER_CLINIC, ROOM_BUSY
 */
export async function callNext(
  work: Work,
  clinicId: string,
  { roomId, finish }: { readonly roomId?: string | undefined; readonly finish: boolean },
): Promise<Entry | undefined> {
  await useClinic(work, clinicId);
  const room = await roomOf(work, clinicId, roomId);
  const day = await dayOf(work, clinicId);
  const closed = await closeDaysBefore(work, clinicId, day);
  const isFinished = room !== null && (await leaveRoom(work, room, finish));
  const find = async (locks: string) => (await work.trx.query<{ id: string }>(`${NEXT} ${locks}`, [clinicId, day]))[0];
  // Whoever is in somebody else's hands for a moment is next, if nobody else waits.
  const next = (await find('SKIP LOCKED')) ?? (await find(''));
  if (!next) {
    if (isFinished || closed > 0) await countChange(work, [clinicId]);
    return undefined;
  }
  const entry = await records(work, entries).lock(next.id);
  return take(work, 'call', entry, 'called', calledTo(work, entry, room));
}

const NEXT = `
  SELECT entry.id FROM queue_entries entry JOIN (${lineSql()}) line ON line.id = entry.id
  WHERE entry.status = 'waiting' ORDER BY nth LIMIT 1 FOR UPDATE OF entry`;

/** Calls this person, whoever is before them. @throws Problem as `callNext`, QUEUE_ENTRY_NOT_FOUND, INVALID_STATE, DAY_OVER */
export async function callEntry(
  work: Work,
  id: string,
  roomId: string | undefined,
  version: number | undefined,
): Promise<Entry> {
  const entry = await lockToday(work, id, version);
  demandState(entry, 'waiting', 'called');
  const room = await roomOf(work, entry.clinicId, roomId);
  await closeDaysBefore(work, entry.clinicId, entry.serviceDate.slice(0, 10));
  if (room) await leaveRoom(work, room, false);
  return take(work, 'call', entry, 'called', calledTo(work, entry, room));
}

/** Calls somebody again who has not come yet. @throws Problem QUEUE_ENTRY_NOT_FOUND, INVALID_STATE, DAY_OVER */
export async function recall(work: Work, id: string, version: number | undefined): Promise<Entry> {
  const entry = await lockToday(work, id, version);
  demandState(entry, 'called', 'called');
  const values = { calledAt: work.trx.moment.toISOString(), calls: entry.calls + 1 };
  return change(work, 'recall', entry, values);
}

/** Lets somebody wait again who was called and did not come, behind the next ones. */
export async function skip(work: Work, id: string, version: number | undefined): Promise<Entry> {
  const entry = await lockToday(work, id, version);
  demandState(entry, 'called', 'waiting');
  return waitAgain(work, 'skip', entry);
}

/** Lets somebody wait who was not there and comes after all, behind the next ones. */
export async function comeBack(work: Work, id: string, version: number | undefined): Promise<Entry> {
  const entry = await lockToday(work, id, version);
  demandState(entry, 'no_show', 'waiting');
  await demandPossible(work, { ...entry, status: 'waiting' });
  return waitAgain(work, 'come-back', entry);
}

async function waitAgain(work: Work, kind: StepKind, entry: Entry): Promise<Entry> {
  const today = entry.serviceDate.slice(0, 10);
  const waiting = await work.trx.query<{ turn: Date }>(NEXT_TURNS, [entry.clinicId, today, SKIPPED_BEHIND]);
  const turns = waiting.map(({ turn }) => turn.toISOString());
  const values = { turn: turnAfterSkip(entry.turn, turns), headStart: 0, roomId: null, endedAt: null };
  return take(work, kind, entry, 'waiting', values);
}

const NEXT_TURNS = `SELECT turn FROM (${lineSql()}) line ORDER BY nth LIMIT $3`;

/** Notes that the person has come. */
export async function serve(work: Work, id: string, version: number | undefined): Promise<Entry> {
  const entry = await lockToday(work, id, version);
  return take(work, 'serve', entry, 'serving', { startedAt: work.trx.moment.toISOString() });
}

/** Ends the consultation. */
export async function finish(work: Work, id: string, version: number | undefined): Promise<Entry> {
  const entry = await records(work, entries).lock(id, version);
  return take(work, 'done', entry, 'done', ended(work));
}

/** Notes that the person is not there. */
export async function markNoShow(work: Work, id: string, version: number | undefined): Promise<Entry> {
  return take(work, 'no-show', await lockToday(work, id, version), 'no_show', ended(work));
}

/** Takes somebody out who does not want to wait any more. */
export async function cancel(work: Work, id: string, body: z.output<typeof cancellation>): Promise<Entry> {
  const entry = await records(work, entries).lock(id, body.version);
  return take(work, 'cancel', entry, 'cancelled', { ...ended(work), endReason: body.reason ?? null });
}

/** Changes how urgent it is. @throws Problem QUEUE_ENTRY_NOT_FOUND, INVALID_STATE, DAY_OVER */
export async function prioritize(
  work: Work,
  id: string,
  priority: number,
  version: number | undefined,
): Promise<Entry> {
  const entry = await lockToday(work, id, version);
  demandState(entry, 'waiting', 'waiting');
  if (entry.priority === priority) return entry;
  // Whoever was skipped stays behind the same people.
  return change(work, 'priority', entry, { priority, turn: turnOf(entry.turn, priority - entry.priority) });
}

/**
 * Sends somebody to another clinic, where the time counts that they have waited. They keep their token, unless the other
 * clinic gives such tokens itself: then nobody could tell two people apart who wait there.
 * @throws Problem QUEUE_ENTRY_NOT_FOUND, INVALID_STATE, DAY_OVER, SAME_CLINIC, CLINIC_NOT_FOUND, CLINIC_INACTIVE,
 * ALREADY_IN_QUEUE
 */
export async function transfer(work: Work, id: string, body: z.output<typeof transferral>): Promise<Entry> {
  const { clinicId, priority, note, version } = body;
  const found = await records(work, entries).find(id);
  if (!found) throw new Problem(ENTRY_NOT_FOUND);
  const clinic = await useClinic(work, clinicId);
  const before = await lockToday(work, id, version);
  if (!LIVE.some((state) => state === before.status)) demandState(before, 'waiting', 'waiting');
  if (before.clinicId === clinicId) throw new Problem(SAME_CLINIC);
  const day = before.serviceDate.slice(0, 10);
  await closeDaysBefore(work, clinicId, day);
  if (before.patientId) await demandNotWaiting(work, clinicId, day, before.patientId);
  const level = priority ?? before.priority;
  const turn = turnOf(before.dueAt, level);
  const place = await placeAt(work, clinic, day, { turn, priority: level, headStart: before.headStart });
  const values: Values = {
    ...{
      ...place,
      ...(await tokenIn(work, clinic, before)),
      clinicId,
      roomId: null,
      firstCalledAt: null,
    },
    ...{ queuedAt: work.trx.moment.toISOString(), ...(note === undefined ? {} : { note }) },
  };
  planClosing(work, clinicId, day);
  const isWaiting = before.status === 'waiting';
  return isWaiting ? change(work, 'transfer', before, values) : take(work, 'transfer', before, 'waiting', values);
}

/**
 * Undoes the last step of somebody, within 60 s.
 * @throws Problem QUEUE_ENTRY_NOT_FOUND, DAY_OVER, NOTHING_TO_UNDO, UNDO_EXPIRED, ROOM_BUSY, ALREADY_IN_QUEUE, and those
 * of a clinic or a room that is gone
 */
export async function undo(work: Work, id: string, version: number | undefined): Promise<Entry> {
  const entry = await lockToday(work, id, version);
  const former = (await lastStep(work, entry)) as Values;
  await demandPossible(work, { ...entry, ...former });
  return change(work, 'undo', entry, former);
}

/** @throws Problem if somebody can't be in the queue again as they were. */
async function demandPossible(work: Work, restored: Entry): Promise<void> {
  const { id, clinicId, patientId, roomId, status, appointmentId } = restored;
  if (!LIVE.some((state) => state === status)) return;
  await useClinic(work, clinicId);
  if (roomId !== null && status !== 'waiting') await roomOf(work, clinicId, roomId);
  if (patientId) {
    await holdSurvivor(work, patientId);
    await demandNotWaiting(work, clinicId, restored.serviceDate.slice(0, 10), patientId, id);
  }
  if (appointmentId === null) return;
  const rows = build.from('queue_entries').where('appointment_id', appointmentId).whereNot('id', id);
  rows.where('joined_at', '>', restored.joinedAt).select('id', 'label').limit(1);
  const [newer] = await work.trx.run<{ id: string; label: string }>(rows);
  if (newer) throw new Problem(ALREADY_IN_QUEUE, { details: newer });
}

/** What a VIP membership gives a patient in queues: that with the heaviest tier. */
async function vipOf(work: Work, patientId: string | undefined): Promise<Pick<Entry, 'tierName' | 'headStart'>> {
  if (patientId === undefined) return { tierName: null, headStart: 0 };
  const counting = (await membershipsFor(work, [patientId], today(work)))(patientId);
  const [best] = counting.map(({ tier }) => tier).toSorted((one, other) => other.priorityWeight - one.priorityWeight);
  return { tierName: best?.name ?? null, headStart: headStartOf(best?.priorityWeight ?? 0) };
}

/** Plans the end of a clinic's day. A later plan replaces an earlier one. */
function planClosing(work: Work, clinicId: string, day: string): void {
  work.addTask(queueClosing, { clinicId }, { key: `${clinicId} ${day}`, runAt: endOfServiceDay(work, day) });
}

/** The end of a day, as a task: it waits for whoever is in somebody's hands, and comes again while anybody is left. */
export async function closeDays(work: Work, clinicId: string): Promise<void> {
  const day = await dayOf(work, clinicId);
  await closeDaysBefore(work, clinicId, day, '');
  // The clock of this process may be behind, or the hospital has another begin of its days now.
  if (await isWaitedIn(work, clinicId)) planClosing(work, clinicId, day);
  // Boards show the new day.
  await countChange(work, [clinicId]);
}

/**
 * Ends what is left of the days before one, if nothing ran when they were over.
 * @param locks what to do with those that are locked. Default: leave them to the next one.
 * @returns how many there were.
 */
export async function closeDaysBefore(
  work: Work,
  clinicId: string,
  day: string,
  locks: 'SKIP LOCKED' | '' = 'SKIP LOCKED',
): Promise<number> {
  const own = records(work, entries);
  const left = await work.trx.query<{ id: string }>(`${LEFT} ${locks}`, [clinicId, day, LIVE]);
  for (const entry of await own.byIds(left.map(({ id }) => id))) {
    const state = CLOSED[entry.status];
    if (!state) continue;
    await follow(work, await own.update(entry, { status: state, ...ended(work), endReason: 'The day was over' }));
  }
  return left.length;
}

const LEFT = `
  SELECT id FROM queue_entries WHERE clinic_id = $1 AND service_date < $2 AND status = ANY ($3)
  ORDER BY id FOR UPDATE`;

/** What becomes of those who are left when the day is over. */
const CLOSED: Readonly<Partial<Record<EntryState, EntryState>>> = {
  waiting: 'cancelled',
  called: 'no_show',
  serving: 'done',
};

/** Who waits in a locked clinic. */
export async function isWaitedIn({ trx }: Work, clinicId: string): Promise<boolean> {
  return isLive(trx, { clinic_id: clinicId });
}

/** Whether somebody is called to a locked room, or in it. */
export async function isRoomBusy({ trx }: Work, roomId: string): Promise<boolean> {
  return isLive(trx, { room_id: roomId });
}

/** Where a locked patient waits. */
export async function openQueueEntries(
  work: Work,
  patientIds: readonly string[],
): Promise<readonly { readonly record: 'queue_entries'; readonly id: string; readonly name: string }[]> {
  const rows = build.from('queue_entries').whereIn('patient_id', patientIds).whereIn('status', LIVE);
  rows.whereNull('deleted_at').where('service_date', '>=', currentDay(work)).select('id');
  const found = await work.trx.run<{ id: string }>(rows);
  const open = await records(work, entries).byIds(found.map(({ id }) => id));
  return open.map(({ id, label }) => ({ record: 'queue_entries', id, name: label }));
}

/** Merged patients have one token in each clinic, as one person has. @throws Problem TWO_TOKENS */
export async function demandOneToken(work: Work, patientId: string): Promise<void> {
  const open = await records(work, entries).byIds(
    (await work.trx.query<{ id: string }>(TWICE, [await samePerson(work, patientId), LIVE])).map(({ id }) => id),
  );
  if (open.length > 0)
    throw new Problem(TWO_TOKENS, { details: { open: open.map(({ id, label }) => ({ id, label })) } });
}

const TWICE = `
  SELECT unnest(array_agg(id)) AS id FROM queue_entries
  WHERE patient_id = ANY ($1) AND status = ANY ($2) AND deleted_at IS NULL
  GROUP BY clinic_id, service_date HAVING count(*) > 1`;

/** Takes a step to another state. @throws Problem INVALID_STATE */
async function take(work: Work, kind: StepKind, before: Entry, to: EntryState, values: Values = {}): Promise<Entry> {
  const after = await records(work, entries).moveTo(before, to, values);
  await noteStep(work, kind, before, after);
  await noteWait(work, before, after, false);
  await follow(work, after);
  await countChange(work, [before.clinicId, after.clinicId]);
  return after;
}

/** Takes a step that leaves the state, or returns to a former one. */
async function change(work: Work, kind: StepKind, before: Entry, values: Values): Promise<Entry> {
  const after = await records(work, entries).update(before, values);
  await noteStep(work, kind, before, after);
  await noteWait(work, before, after, kind === 'undo');
  await follow(work, after);
  await countChange(work, [before.clinicId, after.clinicId]);
  return after;
}

/** Keeps the appointment of somebody in step. */
async function follow(work: Work, { appointmentId, status }: Entry): Promise<void> {
  if (appointmentId !== null) await followQueue(work, appointmentId, status);
}

function calledTo(work: Work, { calls, firstCalledAt }: Entry, room: string | null): Values {
  const calledAt = work.trx.moment.toISOString();
  return { roomId: room, calledAt, firstCalledAt: firstCalledAt ?? calledAt, calls: calls + 1 };
}

function ended(work: Work): Values {
  return { endedAt: work.trx.moment.toISOString() };
}

/** @throws Problem QUEUE_ENTRY_NOT_FOUND, STALE_VERSION, DAY_OVER */
async function lockToday(work: Work, id: string, version: number | undefined): Promise<Entry> {
  const entry = await records(work, entries).lock(id, version);
  if (entry.serviceDate.slice(0, 10) !== (await dayOf(work, entry.clinicId))) throw new Problem(DAY_OVER);
  return entry;
}

/** @throws Problem INVALID_STATE */
function demandState(entry: Entry, state: EntryState, to: EntryState): void {
  if (entry.status === state) return;
  throw new Problem(INVALID_STATE, {
    message: `This is a step for somebody who is ${state}: ${entry.label} is ${entry.status}`,
    details: { from: entry.status, to, allowed: entries.states?.[entry.status] ?? [] },
  });
}

/** @throws Problem ROOM_NOT_FOUND, ROOM_OF_OTHER_CLINIC */
async function roomOf(work: Work, clinicId: string, id: string | undefined): Promise<string | null> {
  if (id === undefined) return null;
  const room = await useRoom(work, id);
  if (room.clinicId !== clinicId) throw new Problem(ROOM_OF_OTHER_CLINIC);
  return id;
}

/** Whoever is in the room leaves it, if the consultation is over. @returns whether somebody did. @throws Problem ROOM_BUSY */
async function leaveRoom(work: Work, roomId: string, isOver: boolean): Promise<boolean> {
  const [found] = await work.trx.query<{ id: string; label: string; status: EntryState }>(IN_ROOM, [roomId]);
  if (!found) return false;
  // Whoever has locked a person already locks no other one.
  if (!isOver) throw new Problem(ROOM_BUSY, { details: found });
  const own = records(work, entries);
  const entry = await own.lock(found.id);
  // It may have left while this waited for the lock.
  if (entry.roomId !== roomId || (entry.status !== 'called' && entry.status !== 'serving')) return false;
  if (entry.status !== 'serving')
    throw new Problem(ROOM_BUSY, { details: { id: entry.id, label: entry.label, status: entry.status } });
  const after = await own.moveTo(entry, 'done', ended(work));
  await noteStep(work, 'done', entry, after);
  await follow(work, after);
  return true;
}

const IN_ROOM = `SELECT id, label, status FROM queue_entries WHERE room_id = $1 AND status IN ('called', 'serving')`;

/** @throws Problem ALREADY_IN_QUEUE */
async function demandNotWaiting(
  work: Work,
  clinicId: string,
  day: string,
  patientId: string,
  exceptId?: string,
): Promise<void> {
  const rows = build.from('queue_entries').where({ clinic_id: clinicId, service_date: day }).whereIn('status', LIVE);
  rows.whereIn('patient_id', await samePerson(work, patientId)).whereNull('deleted_at');
  if (exceptId !== undefined) rows.whereNot('id', exceptId);
  rows.select('id', 'label').limit(1);
  const [found] = await work.trx.run<{ id: string; label: string }>(rows);
  if (found) throw new Problem(ALREADY_IN_QUEUE, { details: { id: found.id, label: found.label } });
}

type Token = Pick<Entry, 'issuingClinicId' | 'series' | 'number' | 'label'>;

/** The next token of a clinic's series. Each day of service begins with 1. @returns also when it was taken */
async function takeToken(
  work: Work,
  clinicId: string,
  day: string,
  series: string,
): Promise<Token & { readonly at: Date }> {
  const { number, at } = await takeNumberAt(work, counterOf(clinicId, series), day);
  const token = { issuingClinicId: clinicId, series, number, label: `${series}-${String(number).padStart(3, '0')}` };
  // Somebody came with it from a clinic that has these letters too. Two people would get up when it is called.
  return (await isHere(work, clinicId, day, token)) ? takeToken(work, clinicId, day, series) : { ...token, at };
}

/** What changes of a token when the person is sent to a clinic. */
async function tokenIn(work: Work, clinic: Clinic, { issuingClinicId, serviceDate, ...own }: Entry): Promise<object> {
  if (issuingClinicId === clinic.id) return {};
  const day = serviceDate.slice(0, 10);
  // Nobody gets the first one of this series meanwhile.
  const given = await holdNumbers(work, counterOf(clinic.id, own.series), day);
  if (given === 0 && own.series !== seriesOf(clinic) && !(await isHere(work, clinic.id, day, own))) return {};
  const { at: _, ...token } = await takeToken(work, clinic.id, day, seriesOf(clinic));
  return token;
}

function counterOf(clinicId: string, series: string): string {
  return `queue-${clinicId}-${series}`;
}

async function isHere(
  { trx }: Work,
  clinicId: string,
  day: string,
  { series, number }: Pick<Token, 'series' | 'number'>,
): Promise<boolean> {
  const rows = build.from('queue_entries').where({ clinic_id: clinicId, service_date: day, series, number });
  return (await trx.run(rows.select('id').limit(1))).length > 0;
}

/** Without a prefix, tokens have what the clinic's code begins with. */
function seriesOf({ tokenPrefix, code }: Clinic): string {
  return (
    tokenPrefix ??
    (code
      .toUpperCase()
      .replaceAll(/[^A-Z0-9]/g, '')
      .slice(0, 4) ||
      'A')
  );
}

async function isLive(trx: Work['trx'], where: Readonly<Record<string, string>>): Promise<boolean> {
  const rows = build.from('queue_entries').where(where).whereIn('status', LIVE).whereNull('deleted_at');
  return (await trx.run(rows.select('id').limit(1))).length > 0;
}
