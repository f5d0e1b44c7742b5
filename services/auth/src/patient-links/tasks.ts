/** Mails to patients about their appointments, which other modules book. */
import type { Hospital } from '@hms/database';
import { appointmentMail, appointmentReminder, cancellationMail } from '@hms/domain/appointments';
import {
  type AppointmentMail,
  type ListMail,
  type MailedVisit,
  type NewsMail,
  readCancellationMail,
  readNewsMail,
  readReminder,
  type SeriesMail,
} from '@hms/domain/patient-links';
import type { Mailer } from '@hms/mail';
import { type Task, task } from '@hms/service';
import { mailOf, timeAt } from '../places.ts';

interface Dependencies {
  readonly mailer: Pick<Mailer, 'send' | 'from'>;
}

/** An outage of the mail server delays a mail. If it can't be sent at all, the appointments stay as they are. */
export function appointmentMails({ mailer }: Dependencies): readonly Task[] {
  return [
    task({
      ...appointmentMail,
      prepare: async ({ hospital, inTransaction }, { appointmentIds }) => {
        const mail = await inTransaction((work) => readNewsMail(work, appointmentIds, mailer.from));
        if (!mail) return;
        await ('visits' in mail ? sendSeries(mailer, hospital, mail) : sendNews(mailer, hospital, mail));
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
      prepare: async ({ hospital, inTransaction }, { appointmentIds }) => {
        const mail = await inTransaction((work) => readCancellationMail(work, appointmentIds, mailer.from));
        if (mail) await sendCancellation(mailer, hospital, mail);
      },
      run: async () => undefined,
    }),
  ] as readonly Task[];
}

type Sender = Dependencies['mailer'];

async function sendNews(mailer: Sender, hospital: Hospital, mail: NewsMail): Promise<void> {
  const { status, offerExpiresAt, isMoved, language, link } = mail;
  const head = headOf(hospital, mail);
  const values = { ...valuesOf(hospital, mail), link };
  await (status === 'offered' && offerExpiresAt !== null
    ? mailer.send({
        ...{ ...head, template: 'appointment-offer' },
        values: { ...values, until: timeAt(hospital, new Date(offerExpiresAt), language) },
      })
    : mailer.send({
        ...{ ...head, template: 'appointment' },
        values: { ...values, ...toldOf(mail), isMoved: isMoved && status === 'booked' },
      }));
}

async function sendSeries(mailer: Sender, hospital: Hospital, mail: SeriesMail): Promise<void> {
  const values = { ...seriesOf(hospital, mail), isReminded: mail.isReminded };
  await mailer.send({ ...headOf(hospital, mail), template: 'appointment-series', values });
}

async function sendCancellation(mailer: Sender, hospital: Hospital, mail: ListMail): Promise<void> {
  const head = headOf(hospital, mail);
  const [visit, ...others] = mail.visits;
  await (others.length === 0
    ? mailer.send({
        ...{ ...head, template: 'appointment-cancelled' },
        values: valuesOf(hospital, { ...mail, ...visit }),
      })
    : mailer.send({ ...head, template: 'appointment-series-cancelled', values: seriesOf(hospital, mail) }));
}

type Head = Pick<ListMail, 'to' | 'language'> & Partial<Pick<ListMail, 'invitation'>>;

function headOf(hospital: Hospital, { to, language, invitation }: Head) {
  return { hospital: { ...mailOf(hospital), language }, to, ...(invitation ? { calendar: invitation } : {}) };
}

type Told = Pick<ListMail, 'firstName' | 'language'> & MailedVisit;

function valuesOf(hospital: Hospital, { firstName, doctorName, clinicName, startsAt, language }: Told) {
  const when = timeAt(hospital, new Date(startsAt), language);
  return { firstName, doctor: doctorName, clinic: clinicName, when };
}

function seriesOf(hospital: Hospital, { firstName, visits, language }: ListMail) {
  const groups: { readonly doctor: string; readonly clinic: string; readonly times: string[] }[] = [];
  for (const visit of visits) {
    const { doctor, clinic, when } = valuesOf(hospital, { ...visit, firstName, language });
    const last = groups.at(-1);
    if (last?.doctor === doctor && last.clinic === clinic) last.times.push(when);
    else groups.push({ doctor, clinic, times: [when] });
  }
  return { firstName, groups };
}

function toldOf({ status }: AppointmentMail) {
  return { isConfirmed: status === 'confirmed' };
}
