/** Days of service. Days are `YYYY-MM-DD`, times `HH:MM` by the clock of the hospital. */
import type { Work } from '@hms/service';
import { Temporal } from 'temporal-polyfill';
import { addDays } from '../schedules/rules.ts';
import { momentOf } from '../schedules/times.ts';

/**
 * The day of service at a moment. Before the time at which the day begins, it is still the day before.
 * @param zone IANA name of the hospital's time zone
 */
export function serviceDay(moment: Date, zone: string, begin: string): string {
  const clock = Temporal.Instant.fromEpochMilliseconds(moment.getTime()).toZonedDateTimeISO(zone);
  const day = clock.toPlainDate().toString();
  // By the moment, because a clock that is set back shows a time twice.
  return moment.getTime() < momentOf(day, begin, zone) ? addDays(day, -1) : day;
}

/** When a day of service is over. */
export function endOfDay(day: string, zone: string, begin: string): Date {
  return new Date(momentOf(addDays(day, 1), begin, zone));
}

/** The day of service of a hospital now, by its clock. */
export function currentDay({ hospital, trx }: Work): string {
  return serviceDay(trx.moment, hospital.timezone, hospital.settings.serviceDayStart);
}

/** The day of service of a clinic now. It never goes back, also when the hospital lets its days begin later. */
export async function dayOf(work: Work, clinicId: string): Promise<string> {
  const [row] = await work.trx.query<{ latest: string | null }>(LATEST, [clinicId]);
  const day = currentDay(work);
  return row?.latest && row.latest > day ? row.latest : day;
}

const LATEST = 'SELECT max(service_date)::text AS latest FROM queue_entries WHERE clinic_id = $1';
