/** Who is in the queue of a clinic now, and what belongs to them. */
import { records, type Work } from '@hms/service';
import type { Clinic } from '../clinics/clinics.ts';
import { type Room, rooms } from '../rooms/rooms.ts';
import { estimateWait, type History } from './estimates.ts';
import { readHistory } from './history.ts';
import { lineSql } from './order.ts';
import { type Entry, type Estimate, entries } from './record.ts';

export interface Live {
  /** Those who are called or in a room, the last call first, then those who wait, in their order. */
  readonly all: readonly Entry[];
  /** How many wait, also those who are not in `all`. */
  readonly waiting: number;
  /** @param ahead how many people are ahead */
  estimateOf(ahead: number): Estimate;
}

/** @param day of service @param most of those who wait @param known history of the clinic, if it is known */
export async function readLive(work: Work, clinic: Clinic, day: string, most: number, known?: History): Promise<Live> {
  const [ids, [counts], history] = await Promise.all([
    work.trx.query<{ id: string }>(IDS, [clinic.id, day, most]),
    work.trx.query<Counts>(COUNTS, [clinic.id, day]),
    known ?? readHistory(work, clinic.id),
  ]);
  const found = new Map((await records(work, entries).byIds(ids.map(({ id }) => id))).map((one) => [one.id, one]));
  const rule = ruleOf(work, clinic, counts?.rooms ?? 0);
  return {
    all: ids.flatMap(({ id }) => found.get(id) ?? []),
    waiting: counts?.waiting ?? 0,
    estimateOf: (ahead) => estimateWait(history, rule, ahead),
  };
}

/** The place of somebody who comes now. */
export async function placeAt(
  work: Work,
  clinic: Clinic,
  day: string,
  { turn, priority, headStart }: Pick<Entry, 'turn' | 'priority' | 'headStart'>,
): Promise<Pick<Entry, 'turn' | 'priority' | 'headStart' | 'ahead' | 'estimateP50' | 'estimateP80' | 'estimateBasis'>> {
  const [[counts], history] = await Promise.all([
    work.trx.query<Counts & { ahead: number }>(COUNTS_AT, [clinic.id, day, turn, priority, headStart, LAST]),
    readHistory(work, clinic.id),
  ]);
  const ahead = counts?.ahead ?? 0;
  const { p50, p80, basis } = estimateWait(history, ruleOf(work, clinic, counts?.rooms ?? 0), ahead);
  return { turn, priority, headStart, ahead, estimateP50: p50, estimateP80: p80, estimateBasis: basis };
}

/** How many people are called before somebody who waits, and how long it takes. */
export async function readTurn(
  work: Work,
  clinic: Clinic,
  { serviceDate, id }: Entry,
): Promise<Estimate & { readonly ahead: number }> {
  const [[counts], history] = await Promise.all([
    work.trx.query<Counts & { ahead: number }>(COUNTS_BEFORE, [clinic.id, serviceDate.slice(0, 10), id]),
    readHistory(work, clinic.id),
  ]);
  const ahead = counts?.ahead ?? 0;
  return { ahead, ...estimateWait(history, ruleOf(work, clinic, counts?.rooms ?? 0), ahead) };
}

/** The last token that somebody got for an appointment. */
export async function entryOfAppointment(work: Work, appointmentId: string): Promise<Entry | undefined> {
  const [found] = await work.trx.query<{ id: string }>(OF_APPOINTMENT, [appointmentId]);
  return found && records(work, entries).find(found.id);
}

/** The rooms of entries, by id. */
export async function placesOf(work: Work, all: readonly Entry[]): Promise<ReadonlyMap<string, Room>> {
  const found = await records(work, rooms).byIds([...new Set(all.flatMap(({ roomId }) => roomId ?? []))]);
  return new Map(found.map((room) => [room.id, room]));
}

interface Counts {
  readonly waiting: number;
  readonly rooms: number;
}

function ruleOf({ hospital }: Work, { slotMinutes }: Clinic, used: number) {
  return { slotMinutes: slotMinutes ?? hospital.settings.slotMinutes, rooms: used };
}

const IDS = `
  (SELECT id FROM queue_entries
   WHERE clinic_id = $1 AND service_date = $2 AND status IN ('called', 'serving') AND deleted_at IS NULL
   ORDER BY called_at DESC, id)
  UNION ALL
  (SELECT id FROM (${lineSql()}) line ORDER BY nth LIMIT $3)`;

const LIVE_ROWS = `
  FROM queue_entries
  WHERE clinic_id = $1 AND service_date = $2 AND status IN ('waiting', 'called', 'serving') AND deleted_at IS NULL`;
const COUNTED = `
  count(*) FILTER (WHERE status = 'waiting')::integer AS waiting,
  count(DISTINCT room_id) FILTER (WHERE status <> 'waiting')::integer AS rooms`;
const COUNTS = `SELECT ${COUNTED} ${LIVE_ROWS}`;
const COUNTS_BEFORE = `
  SELECT ${COUNTED}, coalesce((SELECT nth - 1 FROM (${lineSql()}) line WHERE id = $3), 0) AS ahead ${LIVE_ROWS}`;
const OF_APPOINTMENT = `
  SELECT id FROM queue_entries WHERE appointment_id = $1 AND deleted_at IS NULL ORDER BY joined_at DESC, id LIMIT 1`;
/** Behind those with the same turn, as the ids of new entries grow. */
const LAST = 'ffffffff-ffff-ffff-ffff-ffffffffffff';
const NEWCOMER = 'SELECT $6::uuid, $3::timestamptz, $4::integer, $5::integer';
const COUNTS_AT = `
  SELECT ${COUNTED}, (SELECT nth - 1 FROM (${lineSql(NEWCOMER)}) line WHERE id = $6) AS ahead ${LIVE_ROWS}`;
