/** Slots: the times at which a doctor has places, from the schedules and the absences. */
import type { Work } from '@hms/service';
import { readWorkingTimes, type ScheduledTime, type Wanted } from '../schedules/schedules.ts';
import { inZone, type Period } from '../schedules/times.ts';
import type { VisitType } from '../visit-types/visit-types.ts';

const MINUTE = 60_000;

/** A time of a doctor, whoever has it. */
export interface Slot extends Period {
  /** On which its schedule begins, as `YYYY-MM-DD`. */
  readonly day: string;
  readonly scheduleId: string;
  readonly doctorId: string;
  readonly clinicId: string;
  readonly roomId: string | null;
  readonly capacity: number;
}

/** What slots need to know of a type of visit. */
type Kind = Pick<VisitType, 'minutes' | 'clinicId'>;

/** The slots of some days. Those of a doctor are in the order of their begins. @param days each as `YYYY-MM-DD`, in their order. @param kind of the visits */
export async function slotsOn(
  work: Work,
  wanted: Wanted,
  days: readonly string[],
  kind?: Kind,
): Promise<readonly Slot[]> {
  return (await timesFor(work, wanted, days, kind)).flatMap((time) => slotsIn(time, kind?.minutes));
}

/** When doctors work on some days in clinics where there are such visits, by their begin. */
export async function timesFor(
  work: Work,
  wanted: Wanted,
  days: readonly string[],
  kind?: Kind,
): Promise<readonly ScheduledTime[]> {
  const { times } = await readWorkingTimes(work, wanted, days);
  const clinicId = kind?.clinicId ?? null;
  return times.filter(({ schedule }) => clinicId === null || schedule.of.clinicId === clinicId);
}

/** The slots of a working time. Pure. @param minutes of the visits, as they pass. Default: those of the schedule */
export function slotsIn(time: ScheduledTime, minutes?: number): readonly Slot[] {
  const { schedule, day } = time;
  const { id: scheduleId, doctorId, clinicId, roomId, capacity } = schedule.of;
  const slots: Slot[] = [];
  eachSlot(time, minutes, (from, to) => {
    slots.push({ day, scheduleId, doctorId, clinicId, roomId, capacity, from, to });
  });
  return slots;
}

/**
 * Calls for each slot of a working time, by their begin. They begin where those of the whole schedule do, so an absence
 * moves none of them. @param take gets when it begins and ends, in ms since 1970
 */
export function eachSlot(
  { schedule: { slotMinutes }, whole, period }: ScheduledTime,
  minutes = slotMinutes,
  take: (from: number, to: number) => void,
): void {
  const length = minutes * MINUTE;
  for (let from = whole.from; from + length <= whole.to; from += slotMinutes * MINUTE) {
    if (from >= period.from && from + length <= period.to) take(from, from + length);
  }
}

/** The slot of a doctor that begins at a moment. @param from in ms since 1970. @param kind of the visit */
export async function slotAt(work: Work, doctorId: string, from: number, kind?: Kind): Promise<Slot | undefined> {
  // A slot belongs to the day on which its schedule begins, which is the same day by the clock of the hospital.
  const day = inZone(from, work.hospital.timezone).slice(0, 10);
  return (await slotsOn(work, { doctorId }, [day], kind)).find((slot) => slot.from === from);
}
