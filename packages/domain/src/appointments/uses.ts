/** What is taken of slots: appointments, and what others hold. */
import { build } from '@hms/database';
import type { Work } from '@hms/service';
import type { Knex } from 'knex';
import type { Period } from '../schedules/times.ts';
import type { Slot } from './slots.ts';
import { heldByOthers, taken } from './taking.ts';

const SECOND = 1000;
/** Of an appointment, and a change of the clock. */
const LONGEST = 2 * 86_400_000;

/** What is taken of a slot, over its whole length. */
export interface Use {
  /** Each once. */
  readonly seats: readonly number[];
  /** How long the first of the holds of others lasts, in ms since 1970. */
  readonly heldUntil: number | undefined;
}

export const NOTHING_TAKEN: Use = { seats: [], heldUntil: undefined };

export async function readUse(work: Work, slot: Slot): Promise<Use> {
  const [use = NOTHING_TAKEN] = await readUses(work, [slot]);
  return use;
}

/** Of each slot, in the same order. @param slots those of a doctor in the order of their begins */
export async function readUses(work: Work, slots: readonly Slot[]): Promise<readonly Use[]> {
  const lanesOf = await readLanes(work, slots);
  return slots.map((slot) => useOf(slot, lanesOf(slot.doctorId)));
}

/** When a seat of a doctor is taken, by appointments or by one hold. */
interface Lane {
  readonly doctorId: string;
  readonly seat: number;
  readonly heldUntil: number | undefined;
  /** Begin, end, begin, end, in ms since 1970. */
  readonly times: readonly number[];
  /** Where the first time is that is not over: one asks in the order of begins. */
  next: number;
}

/** What is taken of a period. One must ask in the order of begins. @param lanes of the doctor */
function useOf(period: Period, lanes: readonly Lane[]): Use {
  const own = lanes.filter((lane) => isTaken(lane, period));
  if (own.length === 0) return NOTHING_TAKEN;
  const held = own.flatMap(({ heldUntil }) => heldUntil ?? []);
  return {
    seats: own.length === 1 ? own.map(({ seat }) => seat) : [...new Set(own.map(({ seat }) => seat))],
    heldUntil: held.length > 0 ? Math.min(...held) : undefined,
  };
}

/** How many seats are taken, as `useOf` says it, without an object for each period. */
export function seatsTaken(period: Period, lanes: readonly Lane[]): number {
  let taken = 0;
  for (const lane of lanes) {
    if (!isTaken(lane, period)) continue;
    // A long period may have an appointment and a hold on one seat.
    const isCounted =
      lane.heldUntil !== undefined && lanes.some((one) => one.seat === lane.seat && isBefore(one, lane));
    if (!isCounted) taken += 1;
  }
  return taken;

  function isBefore(one: Lane, lane: Lane): boolean {
    return lanes.indexOf(one) < lanes.indexOf(lane) && isTaken(one, period);
  }
}

function isTaken(lane: Lane, { from, to }: Period): boolean {
  const { times } = lane;
  while (lane.next < times.length && (times[lane.next + 1] ?? 0) <= from) lane.next += 2;
  return lane.next < times.length && (times[lane.next] ?? 0) < to;
}

/** What is taken while some periods last. @returns the lanes of a doctor */
export async function readLanes(
  work: Work,
  periods: readonly (Period & { readonly doctorId: string })[],
): Promise<(doctorId: string) => readonly Lane[]> {
  if (periods.length === 0) return () => [];
  const first = periods.reduce((least, { from }) => Math.min(least, from), Number.POSITIVE_INFINITY);
  const last = periods.reduce((most, { to }) => Math.max(most, to), 0);
  const doctorIds = [...new Set(periods.map(({ doctorId }) => doctorId))];
  const meanwhile = (rows: Knex.QueryBuilder) =>
    rows
      .whereIn('doctor_id', doctorIds)
      // So that the index finds where to begin.
      .where('starts_at', '>', new Date(first - LONGEST))
      .where('starts_at', '<', new Date(last))
      .where('ends_at', '>', new Date(first));
  // Times that follow each other are one, and all times of a seat are one text: a row for each appointment would be read
  // much more slowly. Holds are few.
  const merged = meanwhile(taken()).groupBy('doctor_id', 'seat');
  merged.select('doctor_id', 'seat', build.raw('unnest(range_agg(tstzrange(starts_at, ends_at))) AS time'));
  const each = `concat_ws(' ', ${secondsOf('lower(time)')}, ${secondsOf('upper(time)')})`;
  const times = build.raw(`string_agg(${each}, ' ' ORDER BY time) AS times`);
  const holds = meanwhile(heldByOthers(work)).select('doctor_id', 'seat', 'held_until');
  holds.select(build.raw(`concat_ws(' ', ${secondsOf('starts_at')}, ${secondsOf('ends_at')})`));
  const lanes = build.from(merged.as('merged')).groupBy('doctor_id', 'seat');
  lanes.select('doctor_id', 'seat', build.raw('NULL::timestamptz AS held_until'), times);
  const found = await work.trx.run<Row>(build.from(lanes.as('lanes')).select('*').unionAll([holds]));
  const all = found.map(({ doctor_id: doctorId, seat, held_until: heldUntil, times: text }) => ({
    ...{ doctorId, seat, heldUntil: heldUntil?.getTime(), next: 0 },
    times: text.split(' ').map((seconds) => Number(seconds) * SECOND),
  }));
  const byDoctor = Map.groupBy<string, Lane>(all, ({ doctorId }) => doctorId);
  return (doctorId) => byDoctor.get(doctorId) ?? [];
}

interface Row {
  readonly doctor_id: string;
  readonly seat: number;
  readonly held_until: Date | null;
  readonly times: string;
}

function secondsOf(moment: string): string {
  return `date_part('epoch', ${moment})`;
}
