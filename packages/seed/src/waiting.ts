/** Who waits on a day, and the rooms in which doctors see people. */
import type { Entry } from '@hms/domain/queue';
import type { Doctor } from './clinics.ts';
import type { Day } from './day.ts';

/** At weekends, one doctor is there for those who can't wait. */
const DUTY = { opens: 9 * 60, closes: 15 * 60 } as const;

export interface Waiting {
  readonly key: string;
  entry: Entry;
  /** Whom they have come to. Undefined: whoever of the clinic is free. */
  readonly doctorId: string | undefined;
  /** Nobody is called long before their appointment, and a nurse sees first who comes without one. */
  readonly readyAt: Date;
  readonly leavesAt: Date | undefined;
}

export interface Room {
  readonly doctor: Doctor;
  readonly opens: Date;
  readonly closes: Date;
  isIdle: boolean;
  /** Whether an earlier run has left somebody in it. */
  isTaken: boolean;
}

/** The rooms that are open on a day. */
export function roomsOf(day: Day): readonly Room[] {
  const { doctors } = day.place.staff;
  const there = day.run.isWeekend(day.date) ? doctors.slice(0, 1).map((doctor) => ({ ...doctor, ...DUTY })) : doctors;
  return there.map((doctor) => {
    return {
      doctor,
      opens: day.moment(doctor.opens),
      closes: day.moment(doctor.closes),
      isIdle: false,
      isTaken: false,
    };
  });
}

/** Whoever has the smallest is called first. */
export function turnOf({ entry }: Waiting): number {
  return Date.parse(entry.turn) - entry.headStart * 1000;
}
