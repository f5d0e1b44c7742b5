/** Mails to patients about their appointments. */
import type { TaskName, Work } from '@hms/service';
import { z } from 'zod';
import type { Appointment } from './record.ts';

const HOUR = 3_600_000;

const input = z.object({ appointmentId: z.uuid() });
type AppointmentTask = TaskName<z.output<typeof input>>;

/** Mails the patient about a new time: an offer, an appointment that is booked or has moved, or one that is confirmed. */
export const appointmentMail: AppointmentTask = { name: 'appointment-mail', input, attempts: 16 };

/** Reminds the patient of an appointment. */
export const appointmentReminder: AppointmentTask = { name: 'appointment-reminder', input, attempts: 16 };

/** Mails the patient that an appointment is cancelled. */
export const cancellationMail: AppointmentTask = { name: 'appointment-cancellation-mail', input, attempts: 16 };

/** Mails the patient at once, as the appointment is when the task runs. */
export function mailNow(work: Work, { id }: Pick<Appointment, 'id'>): void {
  work.addTask(appointmentMail, { appointmentId: id }, { key: id });
}

/** Mails the patient about a booked appointment, and again some time before it, as the hospital has chosen. */
export function confirmAndRemind(work: Work, appointment: Pick<Appointment, 'id' | 'startsAt'>): void {
  mailNow(work, appointment);
  const { id, startsAt } = appointment;
  const hours = work.hospital.settings.reminderHours;
  const runAt = new Date(Date.parse(startsAt) - hours * HOUR);
  // Whoever books later than that has just got a mail.
  if (hours === 0 || runAt <= work.trx.moment) return;
  work.addTask(appointmentReminder, { appointmentId: id }, { key: id, runAt });
}

/** Mails the patient that nobody expects them any more. */
export function mailCancellation(work: Work, { id }: Pick<Appointment, 'id'>): void {
  work.addTask(cancellationMail, { appointmentId: id }, { key: id });
}
