/** For tests: days of clinics as they might be, with the people who come, wait, are called or leave. Seeded. */
import type { Estimate } from '@hms/domain/queue';
import { dueAt, turnOf } from '../../../packages/domain/src/queue/order.ts';

/** A clinic. Times are minutes after midnight, weekdays as in ISO 8601. */
export interface Kind {
  readonly name: string;
  readonly slotMinutes: number;
  /** How many people come in each hour of a usual day, from the first hour on. */
  readonly firstHour: number;
  readonly arrivals: readonly number[];
  /** How busy the days are, Monday first, and an afternoon of a Friday and a morning of a Monday, compared with the day. */
  readonly week: readonly number[];
  readonly mondayMorning: number;
  readonly fridayAfternoon: number;
  /** Minutes that each doctor takes on average. Who works is drawn for each day. */
  readonly doctors: readonly number[];
  readonly rooms: (weekday: number, random: () => number) => number;
  readonly opens: number;
  readonly lunch: { readonly from: number; readonly to: number };
  /** Shares of the people who have an appointment, and who are urgent. */
  readonly appointments: number;
  readonly urgent: number;
}

/** Most come without an appointment, before it opens and in the morning. One day in eight, a doctor is absent. */
export const walkIn: Kind = {
  ...{ name: 'walk-in clinic', slotMinutes: 15, firstHour: 7, arrivals: [10, 21, 21, 18, 10, 6, 15, 16, 11, 5] },
  ...{ week: [1.25, 1, 0.95, 1, 0.9, 0.7, 0], mondayMorning: 1.15, fridayAfternoon: 0.55 },
  ...{ doctors: [6, 7.5, 8, 9, 10, 12], opens: 480, lunch: { from: 720, to: 780 } },
  ...{ appointments: 0.15, urgent: 0.07 },
  rooms: (weekday, random) => ({ 1: 4, 6: 2 })[weekday] ?? 3 - (random() < 0.12 ? 1 : 0),
};

/** Most have an appointment, with one or two specialists. */
export const specialist: Kind = {
  ...{ name: 'specialist', slotMinutes: 20, firstHour: 8, arrivals: [3.2, 3.6, 3.4, 2.6, 0.8, 3.2, 3.2, 2.4, 1] },
  ...{ week: [1.2, 1, 1, 1, 0.8, 0, 0], mondayMorning: 1.15, fridayAfternoon: 0.5 },
  ...{ doctors: [15, 18, 22], opens: 510, lunch: { from: 735, to: 795 } },
  ...{ appointments: 0.7, urgent: 0.05 },
  rooms: (weekday, random) => 1 + (random() < (weekday === 1 || weekday === 3 ? 0.7 : 0.2) ? 1 : 0),
};

/** Moments are milliseconds since 1970. */
export interface Person {
  readonly joined: number;
  readonly due: number;
  readonly turn: number;
  readonly priority: number;
  readonly ahead: number;
  /** In which people were seen when the person joined. */
  readonly rooms: number;
  readonly told: Estimate;
  readonly leaves: number;
  readonly noticed: number;
  called?: number;
  left?: number;
}

interface Room {
  readonly minutes: number;
  readonly opens: number;
  readonly lunch: { readonly from: number; readonly to: number };
  /** When its doctor is ready for the next person. */
  ready: number;
}

/** What somebody is told who joins. @param hour of the day */
export type Tell = (hour: number, ahead: number, rooms: number) => Estimate;

const MINUTE = 60_000;

/** Mulberry32. */
export function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** @param midnight at which the day begins @returns everybody who came, in the order in which they came. */
export function simulateDay(
  kind: Kind,
  midnight: number,
  weekday: number,
  random: () => number,
  tell: Tell,
): readonly Person[] {
  const draw = drawsOf(random);
  const rooms = roomsOf(kind, midnight, weekday, random);
  const waiting: Person[] = [];
  const all: Person[] = [];
  for (const joined of arrivalsOf(kind, midnight, weekday, random)) {
    callUntil(joined, rooms, waiting, random);
    const planned = random() < kind.appointments ? joined + (10 + 15 * draw.normal()) * MINUTE : undefined;
    const priority = random() < kind.urgent ? 1 + Number(random() < 0.25) : 0;
    const due = dueAt(iso(joined), planned === undefined ? undefined : iso(planned));
    const turn = Date.parse(turnOf(due, priority));
    const ahead = waiting.filter((one) => one.turn <= turn).length;
    const used = rooms.filter(({ ready }) => ready > joined && ready > midnight).length;
    const hour = Math.floor((joined - midnight) / MINUTE / 60);
    const person = {
      ...{ joined, due: Date.parse(due), turn, priority, ahead, rooms: used, told: tell(hour, ahead, used) },
      leaves: joined + (30 + 130 * Math.exp(0.6 * draw.normal())) * MINUTE,
      noticed: joined + (0.3 + draw.exponential(1)) * MINUTE,
    };
    waiting.push(person);
    all.push(person);
  }
  callUntil(Number.POSITIVE_INFINITY, rooms, waiting, random);
  return all;
}

/** Doctors begin some minutes late, and every second room has lunch half an hour after the first. */
function roomsOf(kind: Kind, midnight: number, weekday: number, random: () => number): readonly Room[] {
  const { normal } = drawsOf(random);
  const doctors = [...kind.doctors];
  return Array.from({ length: kind.rooms(weekday, random) }, (_, index) => {
    const [minutes = 0] = doctors.splice(Math.floor(random() * doctors.length), 1);
    const opens = midnight + (kind.opens + Math.max(-3, (index === 0 ? 3 : 8) + 6 * normal())) * MINUTE;
    const shift = (index % 2) * 30;
    const [from, to] = [kind.lunch.from, kind.lunch.to].map((at) => midnight + (at + shift + 5 * normal()) * MINUTE);
    const lunch = { from: from ?? 0, to: to ?? 0 };
    return { minutes: minutes * Math.exp(0.1 * normal()), opens, lunch, ready: 0 };
  });
}

function arrivalsOf(kind: Kind, midnight: number, weekday: number, random: () => number): readonly number[] {
  const { normal, exponential } = drawsOf(random);
  const day = (kind.week[weekday - 1] ?? 0) * Math.exp(0.12 * normal());
  return kind.arrivals.flatMap((usual, index) => {
    const hour = kind.firstHour + index;
    const isMondayMorning = weekday === 1 && hour < 11;
    const isFridayAfternoon = weekday === 5 && hour >= 12;
    const part = (isMondayMorning ? kind.mondayMorning : 1) * (isFridayAfternoon ? kind.fridayAfternoon : 1);
    const gap = 60 / (usual * day * part);
    const found: number[] = [];
    for (let at = exponential(gap); at < 60; at += exponential(gap)) found.push(midnight + (hour * 60 + at) * MINUTE);
    return found;
  });
}

/** Rooms call whoever is next until then. */
function callUntil(moment: number, rooms: readonly Room[], waiting: Person[], random: () => number): void {
  const { normal, exponential } = drawsOf(random);
  for (;;) {
    const [first] = waiting;
    if (!first) return;
    const [next] = rooms.map((room) => ({ room, at: callsAt(room, first) })).sort((one, other) => one.at - other.at);
    const at = Math.min(next?.at ?? moment, moment);
    for (const one of waiting.filter(({ leaves }) => leaves <= at)) {
      one.left = one.leaves;
      waiting.splice(waiting.indexOf(one), 1);
    }
    if (!next || next.at > moment) return;
    const [person] = waiting.filter(({ joined }) => joined <= at).sort((one, other) => one.turn - other.turn);
    if (!person) continue;
    waiting.splice(waiting.indexOf(person), 1);
    person.called = at;
    // Some have gone without a word.
    const isThere = random() >= 0.04;
    const seen = isThere ? Math.max(2, next.room.minutes * Math.exp(0.5 * normal() - 0.125)) : 2;
    next.room.ready = at + (seen + exponential(0.8)) * MINUTE;
  }
}

/** When a room calls if this person waits, who came before the others. A doctor without anybody notices after a moment. */
function callsAt({ ready, opens, lunch }: Room, { joined, noticed }: Person): number {
  const at = Math.max(opens, ready > joined ? ready : noticed);
  return at >= lunch.from && at < lunch.to ? lunch.to : at;
}

function drawsOf(random: () => number) {
  return {
    normal: () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random()),
    /** @param mean also the unit of what is drawn */
    exponential: (mean: number) => -mean * Math.log(1 - random()),
  };
}

function iso(moment: number): string {
  return new Date(moment).toISOString();
}
