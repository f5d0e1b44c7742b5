/** Mails to patients about their appointments. */
import type { TaskName, Work } from '@hms/service';
import { z } from 'zod';
import type { Appointment } from './record.ts';

const HOUR = 3_600_000;
/** Whoever books for the next hour knows it. */
const LEAST_NOTICE = HOUR;

const input = z.object({ appointmentId: z.uuid() });

/** Mails what the patient can answer now: an offer, an appointment, or one that is confirmed. */
export const appointmentMail: TaskName<z.output<typeof input>> = { name: 'appointment-mail', input, attempts: 16 };

/** Mails the patient at once. */
export function mailNow(work: Work, { id }: Pick<Appointment, 'id'>): void {
  work.addTask(appointmentMail, { appointmentId: id }, { key: id });
}

/** Reminds the patient some time before the appointment, as the hospital has chosen, or now if that time is over. */
export function remind(work: Work, { id, startsAt }: Pick<Appointment, 'id' | 'startsAt'>): void {
  const hours = work.hospital.settings.reminderHours;
  const [begin, now] = [Date.parse(startsAt), work.trx.moment.getTime()];
  if (hours === 0 || begin < now + LEAST_NOTICE) return;
  const runAt = begin - hours * HOUR;
  const options = { key: id, ...(runAt > now ? { runAt: new Date(runAt) } : {}) };
  work.addTask(appointmentMail, { appointmentId: id }, options);
}
