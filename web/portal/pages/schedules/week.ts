/** What a week looks like on the clock of the hospital. Pure. Days are `YYYY-MM-DD`, times `HH:MM` until 24:00. */
import type { Schemas } from '../../../kit/api/api.ts';

type Week = Pick<Schemas['Week'], 'workingTimes' | 'absences'>;
type WorkingTime = Schemas['WorkingTime'];

export interface Block {
  readonly key: string;
  readonly start: string;
  readonly end: string;
  readonly doctorName: string;
  /** Undefined for an absence. */
  readonly work?: WorkingTime;
}

export function plusDays(day: string, days: number): string {
  return new Date(Date.parse(day) + days * 86_400_000).toISOString().slice(0, 10);
}

export function laterOf(one: string, other: string): string {
  return [one, other].sort()[1] ?? one;
}

/** 1 is Monday. */
export function weekdayOf(day: string): number {
  return new Date(day).getUTCDay() || 7;
}

export function mondayOf(day: string): string {
  return plusDays(day, 1 - weekdayOf(day));
}

export function daysOf(from: string): readonly string[] {
  return [0, 1, 2, 3, 4, 5, 6].map((days) => plusDays(from, days));
}

/** When somebody works on a day, and when they are away, by their begin. */
export function blocksOf(day: string, { workingTimes, absences }: Week): readonly Block[] {
  const works = workingTimes
    .filter((time) => time.day === day)
    .map((work) => ({
      key: `${work.scheduleId} ${work.startsAt}`,
      ...partOf(day, work.startsAt, work.endsAt),
      doctorName: work.doctorName,
      work,
    }));
  const away = absences
    .filter(({ from, to }) => from < `${plusDays(day, 1)}T00:00` && to.slice(0, 16) > `${day}T00:00`)
    .map(({ doctorId, doctorName, from, to }) => ({
      key: `${doctorId} ${from}`,
      ...partOf(day, from, to),
      doctorName,
    }));
  return [...works, ...away].sort((one, other) => minutesOf(one.start) - minutesOf(other.start));
}

/** The times at which appointments of a block begin. */
export function slotsOf({ start, end }: Pick<Block, 'start' | 'end'>, minutes: number): readonly string[] {
  const count = Math.max(0, Math.floor((minutesOf(end) - minutesOf(start)) / minutes));
  return Array.from({ length: count }, (_, index) => timeOf(minutesOf(start) + index * minutes));
}

/** The whole hours that a week shows: those of a usual day, and those of its blocks. */
export function hoursOf(blocks: readonly Block[]): { readonly first: number; readonly last: number } {
  const of = blocks.filter(({ work }) => work !== undefined);
  return {
    first: Math.min(8, ...of.map(({ start }) => Math.floor(minutesOf(start) / 60))),
    last: Math.max(17, ...of.map(({ end }) => Math.ceil(minutesOf(end) / 60))),
  };
}

export function minutesOf(time: string): number {
  return Number(time.slice(0, 2)) * 60 + Number(time.slice(3, 5));
}

function timeOf(minutes: number): string {
  return `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`;
}

/** The part of a period on a day. Moments have the offset of the hospital, so that they begin with what its clock shows. */
function partOf(day: string, from: string, to: string): { readonly start: string; readonly end: string } {
  return {
    start: from.slice(0, 10) < day ? '00:00' : from.slice(11, 16),
    end: to.slice(0, 10) > day ? '24:00' : to.slice(11, 16),
  };
}
