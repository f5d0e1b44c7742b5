/** Where appointments and free times are on the paper of a calendar. Pure. Times are those of the hospital's clock. */
import { clockIn } from '../../../kit/time/time.ts';
import { minutesOf } from '../schedules/week.ts';
import type { Appointment, Slot } from './appointments.queries.ts';
import { keyOf } from './times.ts';

/** A day of a doctor. */
export interface Column {
  readonly key: string;
  readonly title: string;
  readonly slots: readonly Slot[];
  readonly appointments: readonly Appointment[];
}

/** An appointment, or a time that is free, or that somebody else is booking. */
export interface Item {
  readonly key: string;
  /** As {@link keyOf} names it. */
  readonly time: string;
  /** `HH:MM`. */
  readonly start: string;
  readonly minutes: number;
  /** What is at the same time is beside each other: the place, from 0, and how many there are. */
  readonly lane: number;
  readonly lanes: number;
  readonly appointment?: Appointment;
  readonly slot?: Slot;
}

/** Those that have no place in a calendar: the list of the day shows them. */
const ENDED: readonly Appointment['status'][] = ['cancelled', 'rescheduled'];

/** The items of a column, by their begin. */
export function itemsOf(
  { slots, appointments }: Pick<Column, 'slots' | 'appointments'>,
  zone: string,
): readonly Item[] {
  const taken = appointments
    .filter(({ status }) => !ENDED.includes(status))
    .map((appointment) => ({
      ...{ key: appointment.id, time: keyOf(appointment) },
      ...timeOf(appointment, zone),
      appointment,
    }));
  const free = slots
    .filter((slot) => slot.free > 0 || slot.heldUntil !== null)
    .map((slot) => ({ key: keyOf(slot), time: keyOf(slot), ...timeOf(slot, zone), slot }));
  const all = [...taken, ...free].sort((one, other) => minutesOf(one.start) - minutesOf(other.start));
  return together(all).flatMap(inLanes);
}

/** The whole hours that a calendar shows: those of a usual day, and those of its items. */
export function hoursOf(items: readonly Item[]): { readonly first: number; readonly last: number } {
  return {
    first: Math.min(8, ...items.map(({ start }) => Math.floor(minutesOf(start) / 60))),
    last: Math.min(24, Math.max(17, ...items.map((item) => Math.ceil(endOf(item) / 60)))),
  };
}

const LINE_REM = 1.6;
/** Of a text of several lines, and above and below it. */
const TEXT_REM = { line: 1.02, around: 0.52 };

/** How many lines of text an item has place for. @param hour how high an hour is, in rem */
export function linesIn({ minutes }: Pick<Item, 'minutes'>, hour: number): number {
  return Math.max(1, Math.floor(((minutes / 60) * hour - TEXT_REM.around) / TEXT_REM.line));
}

/** How high an hour is, in rem, so that the shortest item has a line. */
export function hourHeight(items: readonly Item[]): number {
  const shortest = Math.min(60, ...items.map(({ minutes }) => minutes));
  return Math.min(12, Math.max(3.5, (60 / shortest) * LINE_REM));
}

type Place = Pick<Item, 'start' | 'minutes'>;

function timeOf({ startsAt, endsAt }: Pick<Slot, 'startsAt' | 'endsAt'>, zone: string): Place {
  const minutes = Math.round((Date.parse(endsAt) - Date.parse(startsAt)) / 60_000);
  return { start: clockIn(zone, startsAt).slice(11, 16), minutes };
}

function endOf({ start, minutes }: Place): number {
  return minutesOf(start) + minutes;
}

/** Groups of items of which each overlaps another one of its group. They are sorted. */
function together<One extends Place>(items: readonly One[]): One[][] {
  const groups: One[][] = [];
  let end = Number.NEGATIVE_INFINITY;
  for (const item of items) {
    if (minutesOf(item.start) >= end) groups.push([]);
    groups.at(-1)?.push(item);
    end = Math.max(end, endOf(item));
  }
  return groups;
}

/** Each item in the first lane that is free at its begin. */
function inLanes<One extends Place>(group: readonly One[]): (One & Pick<Item, 'lane' | 'lanes'>)[] {
  const ends: number[] = [];
  const placed = group.map((item) => {
    const found = ends.findIndex((end) => end <= minutesOf(item.start));
    const lane = found === -1 ? ends.length : found;
    ends[lane] = endOf(item);
    return { ...item, lane };
  });
  return placed.map((item) => ({ ...item, lanes: ends.length }));
}

/** An item where the cursor can be. */
export interface Spot {
  readonly column: number;
  readonly start: string;
}

const STEPS: Readonly<Record<string, { readonly columns: number; readonly rows: number }>> = {
  ArrowUp: { columns: 0, rows: -1 },
  ArrowDown: { columns: 0, rows: 1 },
  ArrowLeft: { columns: -1, rows: 0 },
  ArrowRight: { columns: 1, rows: 0 },
};

/**
 * Where an arrow key leads: up and down within a column, and to the nearest time of the next column that has one.
 * @param spots by column, and by their begin.
 * @param isMirrored in a language that is written from right to left.
 * @returns the index, or undefined for another key and at the edge.
 */
export function nextSpot(spots: readonly Spot[], from: number, key: string, isMirrored: boolean): number | undefined {
  const step = STEPS[key];
  const here = spots[from];
  if (!step || !here) return undefined;
  if (step.columns === 0) return spots[from + step.rows]?.column === here.column ? from + step.rows : undefined;
  const direction = isMirrored ? -step.columns : step.columns;
  const beyond = spots.filter(({ column }) => (column - here.column) * direction > 0).map(({ column }) => column);
  if (beyond.length === 0) return undefined;
  const column = direction > 0 ? Math.min(...beyond) : Math.max(...beyond);
  const away = ({ start }: Spot) => Math.abs(minutesOf(start) - minutesOf(here.start));
  const candidates = spots.flatMap((spot, index) => (spot.column === column ? [{ spot, index }] : []));
  return candidates.toSorted((one, other) => away(one.spot) - away(other.spot))[0]?.index;
}
