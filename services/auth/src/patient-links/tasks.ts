/** Mails to patients about their appointments, which other modules book. */
import { appointmentMail } from '@hms/domain/appointments';
import { readAppointmentMail } from '@hms/domain/patient-links';
import type { Mailer } from '@hms/mail';
import { type Task, task } from '@hms/service';
import { mailOf, timeAt } from '../places.ts';

/** An outage of the mail server delays a mail. If it can't be sent at all, the appointment stays as it is. */
export function appointmentMails({ mailer }: { readonly mailer: Pick<Mailer, 'send'> }): Task {
  return task({
    ...appointmentMail,
    prepare: async ({ hospital, inTransaction }, { appointmentId }) => {
      const mail = await inTransaction((work) => readAppointmentMail(work, appointmentId));
      if (!mail) return;
      const { to, firstName, doctorName: doctor, clinicName: clinic, link, status, startsAt, offerExpiresAt } = mail;
      const time = (at: string) => timeAt(hospital, new Date(at));
      const values = { firstName, doctor, clinic, link, when: time(startsAt) };
      const from = mailOf(hospital);
      await (status === 'offered' && offerExpiresAt !== null
        ? mailer.send({
            ...{ hospital: from, to, template: 'appointment-offer' },
            values: { ...values, until: time(offerExpiresAt) },
          })
        : mailer.send({
            ...{ hospital: from, to, template: 'appointment' },
            values: { ...values, isConfirmed: status === 'confirmed' },
          }));
    },
    run: async () => undefined,
  }) as Task;
}
