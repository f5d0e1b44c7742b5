/** A day of a doctor: its slots, and who has them. Pure. */
import type { Appointment, Slot } from './appointments.queries.ts';

/** States in which an appointment takes its place. */
const TAKING: readonly Appointment['status'][] = ['offered', 'booked', 'confirmed', 'checked_in', 'in_consultation'];

export interface Time {
  /** In ms since 1970. */
  readonly at: number;
  /** Undefined where appointments begin that no slot fits. */
  readonly slot: Slot | undefined;
  /** Those that take a place first. */
  readonly appointments: readonly Appointment[];
}

/** A time of a doctor, as one text. @param place `startsAt` in ISO 8601, with any offset */
export function keyOf({ doctorId, startsAt }: Pick<Slot, 'doctorId' | 'startsAt'>): string {
  return `${doctorId} ${Date.parse(startsAt)}`;
}

export function timesOf(slots: readonly Slot[], appointments: readonly Appointment[]): readonly Time[] {
  const begins = new Map<number, Slot | undefined>(
    appointments.map(({ startsAt }) => [Date.parse(startsAt), undefined]),
  );
  for (const slot of slots) begins.set(Date.parse(slot.startsAt), slot);
  const all = [...begins].map(([at, slot]): Time => {
    const own = appointments.filter(({ startsAt }) => Date.parse(startsAt) === at);
    return { at, slot, appointments: own.toSorted((one, other) => Number(isTaking(other)) - Number(isTaking(one))) };
  });
  return all.sort((one, other) => one.at - other.at);
}

export function isTaking({ status }: Appointment): boolean {
  return TAKING.includes(status);
}
