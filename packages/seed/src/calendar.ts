/** Which appointments a day is going to have, and what becomes of them. Pure: each run with a seed plans the same. */
import { addDays } from '@hms/domain/schedules';
import type { Doctor } from './clinics.ts';
import { Random } from './random.ts';
import type { SeedRun } from './run.ts';

export interface PlannedAppointment {
  /** What is random about it follows from this. */
  readonly key: string;
  readonly doctor: Doctor;
  readonly startsAt: Date;
  readonly bookedAt: Date;
  readonly fate: 'comes' | 'confirms' | 'is missing' | 'cancels' | 'moves';
  /** When they confirm, cancel or move. */
  readonly changedAt: Date;
  /** The time in whose place the appointment moves. */
  readonly movesTo: Date | undefined;
}

/** Appointments are booked so many days before, at most. */
export const MOST_DAYS_BEFORE = 10;
/** The last times of each day are for those who move to them. */
const KEPT = 2;
const MINUTE = 60_000;
/** The least time before an appointment in which it still changes. */
const NOTICE = 120 * MINUTE;

/** Times of a doctor's day. */
export function slotsOf({ opens, closes, slotMinutes }: Doctor): number {
  return Math.floor((closes - opens) / slotMinutes);
}

/** @param share of the times that are booked */
export function plannedOn(run: SeedRun, doctors: readonly Doctor[], day: string, share: number): PlannedAppointment[] {
  return run.isWeekend(day) ? [] : doctors.flatMap((doctor) => plannedFor(run, doctor, day, share));
}

function plannedFor(run: SeedRun, doctor: Doctor, day: string, share: number): PlannedAppointment[] {
  const slots = slotsOf(doctor);
  const planned: PlannedAppointment[] = [];
  let moved = 0;
  for (let slot = 0; slot < slots - KEPT; slot += 1) {
    const key = `${run.options.seed}/${day}/${doctor.lastName}/${slot}`;
    const random = new Random(key, 'appointment');
    if (!random.chance(share)) continue;
    const startsAt = timeOf(run, doctor, day, slot);
    const bookedAt = bookingOf(run, day, random);
    const isMoved = moved < KEPT;
    const kind = random.next();
    const fate =
      (kind < 0.05 && 'is missing') || (kind < 0.11 && 'cancels') || (kind < 0.15 && isMoved && 'moves') || 'comes';
    if (fate === 'moves') moved += 1;
    const span = Math.max(0, startsAt.getTime() - NOTICE - bookedAt.getTime());
    planned.push({
      ...{ key, doctor, startsAt, bookedAt, changedAt: new Date(bookedAt.getTime() + span * random.next()) },
      fate: fate === 'comes' && random.chance(0.25) ? 'confirms' : fate,
      movesTo: fate === 'moves' ? timeOf(run, doctor, weekdayAfter(run, day), slots - moved) : undefined,
    });
  }
  return planned;
}

/** The n-th time of a doctor's day. */
function timeOf(run: SeedRun, { opens, slotMinutes }: Doctor, day: string, slot: number): Date {
  return run.at(day, opens + slot * slotMinutes);
}

/** By telephone, some days before. What was booked before the first day is written down on its morning. */
function bookingOf(run: SeedRun, day: string, random: Random): Date {
  const at = run.at(addDays(day, -random.between(1, MOST_DAYS_BEFORE)), 8 * 60 + random.next() * 9 * 60);
  const first = run.at(run.days[0] ?? day, 6.5 * 60);
  return at > first ? at : new Date(first.getTime() + random.below(30) * MINUTE);
}

function weekdayAfter(run: SeedRun, day: string): string {
  const next = addDays(day, 1);
  return run.isWeekend(next) ? weekdayAfter(run, next) : next;
}
