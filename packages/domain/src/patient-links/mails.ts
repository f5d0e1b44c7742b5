/** What mails to a patient say about an appointment, as it is when they are sent. */
import { records, type Work } from '@hms/service';
import { type Appointment, appointments } from '../appointments/appointments.ts';
import { type Invitation, invitationTo } from '../calendars/invitation.ts';
import { languageFor } from '../patients/language.ts';
import { survivorOf } from '../patients/merges.ts';
import { patientNameOf } from '../patients/names.ts';
import { endOfServiceDay, serviceDayOf } from '../queue/queue.ts';
import { ANSWERABLE } from './record.ts';
import { hasBegun, namesOf } from './shared.ts';
import { linkTo } from './signature.ts';

interface Addressed {
  readonly to: string;
  /** BCP 47 tag: that of the patient, or of the hospital. */
  readonly language: string;
  readonly firstName: string;
  readonly startsAt: string;
  readonly doctorName: string;
  readonly clinicName: string;
}

/** A mail with a link, by which the patient answers. */
export interface AppointmentMail extends Addressed {
  readonly status: (typeof ANSWERABLE)[number];
  readonly offerExpiresAt: string | null;
  readonly link: string;
}

/** A mail about a time that is new to the patient, or that the patient has confirmed. */
export interface NewsMail extends AppointmentMail {
  /** Whether the patient had another time before. */
  readonly isMoved: boolean;
  /** None with an offer. */
  readonly invitation: Invitation | undefined;
}

/** A mail about an appointment that is cancelled. */
export interface CancellationMail extends Addressed {
  readonly invitation: Invitation | undefined;
}

/**
 * @param from address from which the mail comes.
 * @returns undefined if there is nothing to mail: no address, an ended appointment, or one that has begun.
 */
export async function readNewsMail(work: Work, id: string, from: string): Promise<NewsMail | undefined> {
  const found = await mailable(work, id, ANSWERABLE);
  if (!found) return undefined;
  const { appointment, name, mail } = found;
  const answerable = await withLink(work, found);
  const isOffer = appointment.status === 'offered';
  return {
    ...answerable,
    isMoved: appointment.rescheduledFromId !== null,
    invitation: isOffer ? undefined : await invitationTo(work, id, { ...mail, name, from }),
  };
}

/** As `readNewsMail`, without what only news have. @returns undefined as there, and for an offer. */
export async function readReminder(work: Work, id: string): Promise<AppointmentMail | undefined> {
  const found = await mailable(work, id, ['booked', 'confirmed']);
  return found && withLink(work, found);
}

/** @returns undefined if the appointment is not cancelled, or would have begun, or there is no address. */
export async function readCancellationMail(
  work: Work,
  id: string,
  from: string,
): Promise<CancellationMail | undefined> {
  const found = await mailable(work, id, ['cancelled']);
  if (!found) return undefined;
  const { name, mail } = found;
  return { ...mail, invitation: await invitationTo(work, id, { ...mail, name, from }) };
}

interface Mailable<Status> {
  readonly appointment: Appointment & { readonly status: Status };
  /** Of the patient. */
  readonly name: string;
  readonly mail: Addressed;
}

async function mailable<Status extends Appointment['status']>(
  work: Work,
  id: string,
  statuses: readonly Status[],
): Promise<Mailable<Status> | undefined> {
  const appointment = await records(work, appointments).find(id);
  const status = statuses.find((one) => one === appointment?.status);
  if (!appointment || status === undefined) return undefined;
  if (appointment.deletedAt !== undefined || hasBegun(work, appointment)) return undefined;
  const patient = await survivorOf(work, appointment.patientId);
  const { email, deletedAt, firstName } = patient;
  if (!email || deletedAt !== undefined) return undefined;
  const name = patientNameOf(patient);
  const language = languageFor(work.hospital, patient.language);
  const { startsAt } = appointment;
  const mail = { to: email, language, firstName: firstName ?? name, startsAt, ...(await namesOf(work, appointment)) };
  return { appointment: { ...appointment, status }, name, mail };
}

async function withLink(
  work: Work,
  { appointment, mail }: Mailable<AppointmentMail['status']>,
): Promise<AppointmentMail> {
  const { id, status, startsAt, offerExpiresAt } = appointment;
  const until = endOfServiceDay(work, serviceDayOf(work, startsAt));
  const link = await linkTo(work, { kind: 'appointment', id, from: status }, until);
  return { ...mail, status, offerExpiresAt, link };
}
