/** Mails to patients about their appointments, which other modules book. */
import type { Hospital } from '@hms/database';
import { appointmentMail, appointmentReminder, cancellationMail } from '@hms/domain/appointments';
import {
  type AppointmentMail,
  type CancellationMail,
  readCancellationMail,
  readNewsMail,
  readReminder,
} from '@hms/domain/patient-links';
import type { Mailer } from '@hms/mail';
import { type Task, task } from '@hms/service';
import { mailOf, timeAt } from '../places.ts';

interface Dependencies {
  readonly mailer: Pick<Mailer, 'send' | 'from'>;
}

/** An outage of the mail server delays a mail. If it can't be sent at all, the appointment stays as it is. */
export function appointmentMails({ mailer }: Dependencies): readonly Task[] {
  return [
    task({
      ...appointmentMail,
      prepare: async ({ hospital, inTransaction }, { appointmentId }) => {
        const mail = await inTransaction((work) => readNewsMail(work, appointmentId, mailer.from));
        if (!mail) return;
        const { status, offerExpiresAt, isMoved, invitation } = mail;
        const common = { ...headOf(hospital, mail), ...(invitation ? { calendar: invitation } : {}) };
        const values = { ...valuesOf(hospital, mail), link: mail.link };
        await (status === 'offered' && offerExpiresAt !== null
          ? mailer.send({
              ...{ ...common, template: 'appointment-offer' },
              values: { ...values, until: timeAt(hospital, new Date(offerExpiresAt), mail.language) },
            })
          : mailer.send({
              ...{ ...common, template: 'appointment' },
              values: { ...values, ...toldOf(mail), isMoved: isMoved && status === 'booked' },
            }));
      },
      run: async () => undefined,
    }),
    task({
      ...appointmentReminder,
      prepare: async ({ hospital, inTransaction }, { appointmentId }) => {
        const mail = await inTransaction((work) => readReminder(work, appointmentId));
        if (!mail) return;
        const values = { ...valuesOf(hospital, mail), ...toldOf(mail), link: mail.link, isMoved: false };
        await mailer.send({ ...headOf(hospital, mail), template: 'appointment', values });
      },
      run: async () => undefined,
    }),
    task({
      ...cancellationMail,
      prepare: async ({ hospital, inTransaction }, { appointmentId }) => {
        const mail = await inTransaction((work) => readCancellationMail(work, appointmentId, mailer.from));
        if (!mail) return;
        const calendar = mail.invitation ? { calendar: mail.invitation } : {};
        const values = valuesOf(hospital, mail);
        await mailer.send({ ...headOf(hospital, mail), ...calendar, template: 'appointment-cancelled', values });
      },
      run: async () => undefined,
    }),
  ] as readonly Task[];
}

type AnyMail = AppointmentMail | CancellationMail;

function headOf(hospital: Hospital, { to, language }: AnyMail) {
  return { hospital: { ...mailOf(hospital), language }, to };
}

function valuesOf(hospital: Hospital, { firstName, doctorName, clinicName, startsAt, language }: AnyMail) {
  const when = timeAt(hospital, new Date(startsAt), language);
  return { firstName, doctor: doctorName, clinic: clinicName, when };
}

function toldOf({ status }: AppointmentMail) {
  return { isConfirmed: status === 'confirmed' };
}
