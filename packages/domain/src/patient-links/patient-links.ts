/**
 * What patients see and answer without an account: their appointment, and their turn in the queue. A signed link says whose
 * it is, and nothing about anybody else is shown.
 */
import { Problem, records, type Work } from '@hms/service';
import {
  type Appointment,
  appointments,
  cancelAppointment,
  confirm,
  mailNow,
  nameAppointments,
} from '../appointments/appointments.ts';
import { clinics } from '../clinics/clinics.ts';
import { languageFor } from '../patients/language.ts';
import { survivorOf } from '../patients/merges.ts';
import { type Entry, endOfServiceDay, entries, entryOfAppointment, readTurn } from '../queue/queue.ts';
import { rooms } from '../rooms/rooms.ts';
import { acceptOffer, declineOffer } from '../waiting-list/offers.ts';
import { type Answer, LINK_INVALID, LINK_USED, TOO_LATE_TO_ANSWER, type Visit } from './record.ts';
import { hasBegun } from './shared.ts';
import { linkTo, openLink, type Subject } from './signature.ts';

export * from './mails.ts';
export * from './record.ts';

/** A link to somebody's turn, for the phone of whoever has the token. @throws Problem QUEUE_ENTRY_NOT_FOUND */
export async function linkToTurn(work: Work, entryId: string): Promise<string> {
  const { id, serviceDate } = await records(work, entries).read(entryId);
  return linkTo(work, { kind: 'queue-entry', id }, endOfServiceDay(work, serviceDate.slice(0, 10)));
}

/** @throws Problem LINK_INVALID, LINK_EXPIRED */
export async function readVisit(work: Work, link: string): Promise<Visit> {
  return showVisit(work, await openLink(work, link));
}

/** @throws Problem LINK_INVALID, LINK_EXPIRED, LINK_USED, TOO_LATE_TO_ANSWER */
export async function answerVisit(work: Work, link: string, given: Answer): Promise<Visit> {
  const subject = await openLink(work, link);
  if (subject.kind !== 'appointment') throw new Problem(LINK_USED);
  const { id, from } = subject;
  const found = await records(work, appointments).lockAny(id);
  if (found.deletedAt !== undefined) throw new Problem(LINK_INVALID);
  if (hasBegun(work, found)) throw new Problem(TOO_LATE_TO_ANSWER);
  if (!answersOf(work, subject, found).includes(given)) throw new Problem(LINK_USED);
  if (given === 'no') {
    await (from === 'offered'
      ? declineOffer(work, id, undefined)
      : cancelAppointment(work, id, { reason: 'The patient cancelled by a link' }));
  } else if (from === 'offered') await acceptOffer(work, id, undefined);
  // Whoever can't come after all has another link to say so.
  else mailNow(work, await confirm(work, id, undefined));
  return showVisit(work, subject);
}

async function showVisit(work: Work, subject: Subject): Promise<Visit> {
  const { displayName: name, timezone, settings } = work.hospital;
  const { appointment, entry } = await subjectOf(work, subject);
  const patientId = appointment?.patientId ?? entry?.patientId ?? null;
  const patient = patientId === null ? undefined : await survivorOf(work, patientId);
  return {
    hospital: { name, timezone, phone: settings.phone ?? null },
    language: languageFor(work.hospital, patient?.language ?? null),
    firstName: patient?.firstName ?? null,
    appointment: appointment ? await showAppointment(work, appointment) : null,
    answers: appointment ? [...answersOf(work, subject, appointment)] : [],
    queue: entry ? await showTurn(work, entry) : null,
  };
}

/** @throws Problem LINK_INVALID if it is deleted. */
async function subjectOf(work: Work, { kind, id }: Subject) {
  const own = kind === 'queue-entry' ? await records(work, entries).find(id) : await entryOfAppointment(work, id);
  const appointmentId = kind === 'appointment' ? id : own?.appointmentId;
  const found = appointmentId ? await records(work, appointments).find(appointmentId) : undefined;
  const [entry, appointment] = [present(own), present(found)];
  if (!entry && !appointment) throw new Problem(LINK_INVALID);
  return { entry, appointment };
}

function present<Item extends { readonly deletedAt?: string | undefined }>(item: Item | undefined): Item | undefined {
  return item?.deletedAt === undefined ? item : undefined;
}

/** What can be answered with the link, as long as the appointment is in the state for which it is. */
function answersOf(work: Work, subject: Subject, appointment: Appointment): readonly Answer[] {
  if (subject.kind !== 'appointment' || appointment.status !== subject.from || hasBegun(work, appointment)) return [];
  return subject.from === 'confirmed' ? ['no'] : ['yes', 'no'];
}

async function showAppointment(work: Work, appointment: Appointment): Promise<NonNullable<Visit['appointment']>> {
  const [named] = await nameAppointments(work, [appointment]);
  const { startsAt, endsAt, status, offerExpiresAt } = appointment;
  const { doctorName = '', clinicName = '' } = named ?? {};
  return { startsAt, endsAt, status, offerExpiresAt, doctorName, clinicName };
}

async function showTurn(work: Work, entry: Entry): Promise<NonNullable<Visit['queue']>> {
  const { label, status, clinicId, roomId } = entry;
  const [clinic, room] = await Promise.all([
    records(work, clinics).find(clinicId),
    roomId === null ? undefined : records(work, rooms).find(roomId),
  ]);
  const turn = status === 'waiting' && clinic ? await readTurn(work, clinic, entry) : undefined;
  return {
    ...{ label, status, clinicName: clinic?.name ?? '', roomName: room?.name ?? null },
    ...{ ahead: turn?.ahead ?? null, etaP50: turn?.p50 ?? null, etaP80: turn?.p80 ?? null },
  };
}
