/** How many places doctors had, for reports. */
import type { Work } from '@hms/service';
import { Temporal } from 'temporal-polyfill';
import { readWorkingTimes } from '../schedules/schedules.ts';
import { daysFrom } from '../schedules/times.ts';
import { eachSlot } from './slots.ts';

/** The work of a doctor in a clinic without a pause. */
interface Session {
  /** Different for each. */
  readonly id: string;
  readonly doctor_id: string;
  readonly clinic_id: string;
  readonly begin: Date;
  readonly end: Date;
  /** In all its slots. */
  readonly places: number;
}

/** Sessions of some days, also of doctors and clinics that do not work any more. @param days from the first until before the second */
export async function readSessions(
  work: Work,
  days: { readonly from: string; readonly to: string },
): Promise<readonly Session[]> {
  const { from, to } = days;
  const count = Temporal.PlainDate.from(from).until(to).days;
  const { times } = await readWorkingTimes(work, { alsoFormer: true }, daysFrom(from, count));
  return times.map((time) => {
    const { of } = time.schedule;
    let places = 0;
    eachSlot(time, undefined, () => {
      places += of.capacity;
    });
    return {
      ...{ id: `${of.id}-${time.period.from}`, doctor_id: of.doctorId, clinic_id: of.clinicId, places },
      ...{ begin: new Date(time.period.from), end: new Date(time.period.to) },
    };
  });
}
