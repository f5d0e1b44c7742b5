/** Mails to patients about their appointments. */
import type { TaskName, Work } from '@hms/service';
import { z } from 'zod';
import type { Appointment } from './record.ts';

const HOUR = 3_600_000;

const one = z.object({ appointmentId: z.uuid() });
const several = z.object({ appointmentIds: z.array(z.uuid()).min(1) });
type SeveralTask = TaskName<z.output<typeof several>>;

/**
 * Mails the patient once about new times: an offer, an appointment that is booked or has moved, one that is confirmed, or
 * the appointments of a series.
 */
export const appointmentMail: SeveralTask = { name: 'appointment-mail', input: several, attempts: 16 };

/** Reminds the patient of an appointment. */
export const appointmentReminder: TaskName<z.output<typeof one>> = {
  name: 'appointment-reminder',
  input: one,
  attempts: 16,
};

/** Mails the patient once that appointments are cancelled. */
export const cancellationMail: SeveralTask = { name: 'appointment-cancellation-mail', input: several, attempts: 16 };

type Mailed = Pick<Appointment, 'id'>;

/** Mails the patient at once, as the appointment is when the task runs. */
export function mailNow(work: Work, { id }: Mailed): void {
  work.addTask(appointmentMail, { appointmentIds: [id] }, { key: id });
}

/** Mails the patient one list of appointments at once, as they are when the task runs. */
export function mailSeries(work: Work, booked: readonly Mailed[]): void {
  // Without a key, so that a mail about one of them does not replace the list.
  work.addTask(appointmentMail, { appointmentIds: booked.map(({ id }) => id) });
}

/** Mails the patient about a booked appointment, and again some time before it, as the hospital has chosen. */
export function confirmAndRemind(work: Work, appointment: Pick<Appointment, 'id' | 'startsAt'>): void {
  mailNow(work, appointment);
  remind(work, appointment);
}

/** Mails the patient some time before an appointment, as the hospital has chosen. */
export function remind(work: Work, { id, startsAt }: Pick<Appointment, 'id' | 'startsAt'>): void {
  const runAt = reminderAt(work, startsAt);
  if (runAt) work.addTask(appointmentReminder, { appointmentId: id }, { key: id, runAt });
}

/** When the patient is reminded. @returns undefined if the hospital wants no reminders, or if it is too late for one. */
export function reminderAt({ hospital, trx }: Work, startsAt: string): Date | undefined {
  const hours = hospital.settings.reminderHours;
  const at = new Date(Date.parse(startsAt) - hours * HOUR);
  // Whoever books later than that has just got a mail.
  return hours === 0 || at <= trx.moment ? undefined : at;
}

/** Mails the patient once that nobody expects them any more at these times. */
export function mailCancellation(work: Work, cancelled: readonly Mailed[]): void {
  if (cancelled.length === 0) return;
  work.addTask(cancellationMail, { appointmentIds: cancelled.map(({ id }) => id) });
}
