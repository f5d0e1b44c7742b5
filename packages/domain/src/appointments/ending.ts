/** How an appointment ends before the patient has come, and what becomes of its time. */
import { records, type Work } from '@hms/service';
import { afterDaytime } from './daytime.ts';
import { placeFreed } from './offer-tasks.ts';
import { type Appointment, appointments } from './record.ts';

const MINUTE = 60_000;
/** A person must be reached, and come. Later times are left to whoever is at the desk. */
export const LEAST_NOTICE = 60 * MINUTE;

/**
 * Ends a locked appointment. Its time is offered to somebody of the waiting list, by day.
 * @throws Problem INVALID_STATE
 */
export async function endAppointment(
  work: Work,
  before: Appointment,
  status: 'cancelled' | 'no_show' | 'rescheduled',
  endReason: string | null = null,
): Promise<Appointment> {
  const ended = await records(work, appointments).moveTo(before, status, { endedAt: momentOf(work), endReason });
  offerLater(work, before);
  return ended;
}

/** For `endedAt`. */
export function momentOf({ trx }: Pick<Work, 'trx'>): string {
  return trx.moment.toISOString();
}

/** A time of a doctor that is free. */
interface Free extends Pick<Appointment, 'doctorId' | 'startsAt'> {
  /** Of a time in which several slots may begin. */
  readonly endsAt?: string;
  /** Only for visits that last beyond this moment. Those that end before it could be booked all the time. */
  readonly beyond?: string | undefined;
}

/** Has a free time offered once the transaction is committed. @param notBefore in ms since 1970. Default: now */
export function offerLater(
  work: Work,
  { doctorId, startsAt, endsAt, beyond }: Free,
  notBefore = work.trx.moment.getTime(),
): void {
  const now = work.trx.moment.getTime();
  const runAt = afterDaytime(notBefore, 0, work.hospital.timezone);
  if (work.hospital.settings.waitingListOfferMinutes === 0 || Date.parse(startsAt) < runAt + LEAST_NOTICE) return;
  const time = new Date(startsAt).toISOString();
  const options = {
    key: [doctorId, time, beyond].filter(Boolean).join(' '),
    ...(runAt > now ? { runAt: new Date(runAt) } : {}),
  };
  work.addTask(placeFreed, { doctorId, startsAt: time, endsAt, beyond }, options);
}
