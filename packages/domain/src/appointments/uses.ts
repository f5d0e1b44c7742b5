/** What is taken of slots: appointments, and what others hold. */
import { build } from '@hms/database';
import type { Work } from '@hms/service';
import type { Period } from '../schedules/times.ts';
import type { Slot } from './slots.ts';
import { takers } from './taking.ts';

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

const NOTHING: Use = { seats: [], heldUntil: undefined };

export async function readUse(work: Work, slot: Slot): Promise<Use> {
  const [use = NOTHING] = await readUses(work, [slot]);
  return use;
}

/** Of each slot, in the same order. @param slots those of a doctor in the order of their begins */
export async function readUses(work: Work, slots: readonly Slot[]): Promise<readonly Use[]> {
  const lanes = Map.groupBy(await lanesIn(work, slots), ({ doctorId }) => doctorId);
  return slots.map((slot) => useOf(slot, lanes.get(slot.doctorId) ?? []));
}

/** When a seat of a doctor is taken, by appointments or by one hold. */
interface Lane {
  readonly doctorId: string;
  readonly seat: number;
  readonly heldUntil: number | undefined;
  /** Begin, end, begin, end, in ms since 1970. */
  readonly times: readonly number[];
  /** Where the first time is that is not over: slots come in the order of their begins. */
  next: number;
}

function useOf(slot: Period, lanes: readonly Lane[]): Use {
  const taken = lanes.filter((lane) => isTaken(lane, slot));
  if (taken.length === 0) return NOTHING;
  const held = taken.flatMap(({ heldUntil }) => heldUntil ?? []);
  return {
    seats: [...new Set(taken.map(({ seat }) => seat))],
    heldUntil: held.length > 0 ? Math.min(...held) : undefined,
  };
}

function isTaken(lane: Lane, { from, to }: Period): boolean {
  const { times } = lane;
  while (lane.next < times.length && (times[lane.next + 1] ?? 0) <= from) lane.next += 2;
  return lane.next < times.length && (times[lane.next] ?? 0) < to;
}

async function lanesIn(work: Work, slots: readonly Slot[]): Promise<readonly Lane[]> {
  if (slots.length === 0) return [];
  const first = slots.reduce((least, { from }) => Math.min(least, from), Number.POSITIVE_INFINITY);
  const last = slots.reduce((most, { to }) => Math.max(most, to), 0);
  const rows = takers(work);
  rows.whereIn('doctor_id', [...new Set(slots.map(({ doctorId }) => doctorId))]);
  // So that the index finds where to begin.
  rows.where('starts_at', '>', new Date(first - LONGEST)).where('starts_at', '<', new Date(last));
  rows.where('ends_at', '>', new Date(first)).groupBy('doctor_id', 'seat', 'held_until');
  rows.select('doctor_id', 'seat', 'held_until', build.raw('unnest(range_agg(tstzrange(starts_at, ends_at))) AS time'));
  // One text for each seat, with times that follow each other as one, is read much faster than a row for each appointment.
  const times = `string_agg(concat_ws(' ', ${secondsOf('lower(time)')}, ${secondsOf('upper(time)')}), ' ' ORDER BY time)`;
  const lanes = build
    .from(rows.as('taken'))
    .groupBy('doctor_id', 'seat', 'held_until')
    .select('doctor_id', 'seat', 'held_until', build.raw(`${times} AS times`));
  const found = await work.trx.run<{ doctor_id: string; seat: number; held_until: Date | null; times: string }>(lanes);
  return found.map(({ doctor_id: doctorId, seat, held_until: heldUntil, times: text }) => ({
    ...{ doctorId, seat, heldUntil: heldUntil?.getTime(), next: 0 },
    times: text.split(' ').map((seconds) => Number(seconds) * SECOND),
  }));
}

function secondsOf(moment: string): string {
  return `date_part('epoch', ${moment})`;
}
