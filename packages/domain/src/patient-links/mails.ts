/** What mails to a patient say about appointments, as they are when the mails are sent. */
import { records, type Work } from '@hms/service';
import { appointments, nameAppointments, reminderAt, type ShownAppointment } from '../appointments/appointments.ts';
import { type Invitation, invitationTo } from '../calendars/invitation.ts';
import { languageFor } from '../patients/language.ts';
import { survivorOf } from '../patients/merges.ts';
import { patientNameOf } from '../patients/names.ts';
import { endOfServiceDay, serviceDayOf } from '../queue/queue.ts';
import { ANSWERABLE } from './record.ts';
import { hasBegun } from './shared.ts';
import { linkTo } from './signature.ts';

interface Addressed {
  readonly to: string;
  /** BCP 47 tag: that of the patient, or of the hospital. */
  readonly language: string;
  readonly firstName: string;
}

/** When, with whom and where an appointment is. */
export type MailedVisit = Pick<ShownAppointment, 'startsAt' | 'doctorName' | 'clinicName'>;

/** A mail with a link, by which the patient answers. */
export interface AppointmentMail extends Addressed, MailedVisit {
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

/** A mail about appointments of a patient, without a link. */
export interface ListMail extends Addressed {
  /** In the order of their times. */
  readonly visits: readonly [MailedVisit, ...MailedVisit[]];
  readonly invitation: Invitation | undefined;
}

/** A mail about the appointments of a series. */
export interface SeriesMail extends ListMail {
  /** Whether a reminder comes before an appointment that is not too near for it. */
  readonly isReminded: boolean;
}

/**
 * Leaves out what has ended or begun. If several appointments are left, the mail is that of a series.
 * @param from address from which the mail comes.
 * @returns undefined if there is nothing to mail: no address, or no appointment is left.
 */
export async function readNewsMail(
  work: Work,
  ids: readonly string[],
  from: string,
): Promise<NewsMail | SeriesMail | undefined> {
  const found = await mailable(work, ids, ANSWERABLE);
  if (!found) return undefined;
  const [appointment, ...others] = found.standing;
  if (others.length > 0) {
    const isReminded = found.standing.some(({ startsAt }) => reminderAt(work, startsAt) !== undefined);
    return { ...(await listOf(work, found, from)), isReminded };
  }
  const isOffer = appointment.status === 'offered';
  return {
    ...(await withLink(work, found)),
    isMoved: appointment.rescheduledFromId !== null,
    invitation: isOffer ? undefined : await invitationFrom(work, found, from),
  };
}

/** As `readNewsMail` of one appointment, without what only news have. @returns undefined as there, and for an offer. */
export async function readReminder(work: Work, id: string): Promise<AppointmentMail | undefined> {
  // The hospital may not want it any more.
  if (work.hospital.settings.reminderHours === 0) return undefined;
  const found = await mailable(work, [id], ['booked', 'confirmed']);
  return found && withLink(work, found);
}

/** Leaves out what is not cancelled, or would have begun. @returns undefined if nothing is left, or without an address. */
export async function readCancellationMail(
  work: Work,
  ids: readonly string[],
  from: string,
): Promise<ListMail | undefined> {
  const found = await mailable(work, ids, ['cancelled']);
  return found && listOf(work, found, from);
}

type Standing<Status> = ShownAppointment & { readonly status: Status };

interface Mailable<Status = ShownAppointment['status']> {
  /** In the order of their times. */
  readonly standing: readonly [Standing<Status>, ...Standing<Status>[]];
  /** Of the patient. */
  readonly name: string;
  readonly address: Addressed;
}

async function mailable<Status extends ShownAppointment['status']>(
  work: Work,
  ids: readonly string[],
  statuses: readonly Status[],
): Promise<Mailable<Status> | undefined> {
  const named = await nameAppointments(work, await records(work, appointments).byIds(ids));
  const isStanding = (one: (typeof named)[number]): one is typeof one & { readonly status: Status } =>
    statuses.some((status) => status === one.status) && one.deletedAt === undefined && !hasBegun(work, one);
  const all = named.filter(isStanding).sort((one, other) => Date.parse(one.startsAt) - Date.parse(other.startsAt));
  const [first] = all;
  if (!first) return undefined;
  const patient = await survivorOf(work, first.patientId);
  const { email, deletedAt, firstName } = patient;
  if (!email || deletedAt !== undefined) return undefined;
  const name = patientNameOf(patient);
  // Patients who were merged may have been separated since.
  const others = all.slice(1).filter(({ personId }) => personId === first.personId);
  const address = { to: email, language: languageFor(work.hospital, patient.language), firstName: firstName ?? name };
  return { standing: [first, ...others], name, address };
}

function visitOf({ startsAt, doctorName, clinicName }: MailedVisit): MailedVisit {
  return { startsAt, doctorName, clinicName };
}

async function listOf(work: Work, found: Mailable, from: string): Promise<ListMail> {
  const [first, ...others] = found.standing;
  const visits = [visitOf(first), ...others.map(visitOf)] as const;
  return { ...found.address, visits, invitation: await invitationFrom(work, found, from) };
}

function invitationFrom(work: Work, { standing, name, address }: Mailable, from: string) {
  const ids = standing.map(({ id }) => id);
  return invitationTo(work, ids, { ...address, name, from });
}

async function withLink(
  work: Work,
  { standing: [appointment], address }: Mailable<AppointmentMail['status']>,
): Promise<AppointmentMail> {
  const { id, status, startsAt, offerExpiresAt } = appointment;
  const until = endOfServiceDay(work, serviceDayOf(work, startsAt));
  const link = await linkTo(work, { kind: 'appointment', id, from: status }, until);
  return { ...address, ...visitOf(appointment), status, offerExpiresAt, link };
}
