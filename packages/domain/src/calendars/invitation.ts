/** A patient's appointment for the calendar of the patient, as a part of a mail. */
import { records, type Work } from '@hms/service';
import { calendarEntry } from '../appointments/calendar-entries.ts';
import { clinics } from '../clinics/clinics.ts';
import { rooms } from '../rooms/rooms.ts';
import { eventOf } from './entries.ts';
import { calendarText } from './ical.ts';
import { appointmentIn } from './words.ts';

export interface Invitation {
  /** As iTIP (RFC 5546) calls it: `request` adds or changes the entry of the calendar, and `cancel` cancels it. */
  readonly method: 'request' | 'cancel';
  readonly content: string;
}

interface Correspondence {
  /** Address from which the mail comes. */
  readonly from: string;
  readonly to: string;
  /** Of the patient. */
  readonly name: string;
  /** BCP 47 tag. */
  readonly language: string;
}

/** @returns undefined if there is no such appointment. */
export async function invitationTo(
  work: Work,
  appointmentId: string,
  { from, to, name, language }: Correspondence,
): Promise<Invitation | undefined> {
  const entry = await calendarEntry(work, appointmentId);
  if (!entry) return undefined;
  const { displayName, timezone: zone, settings } = work.hospital;
  const [clinic, room] = await Promise.all([
    records(work, clinics).find(entry.clinicId),
    entry.roomId === null ? undefined : records(work, rooms).find(entry.roomId),
  ]);
  const address = settings.address?.replaceAll('\n', ', ');
  const event = {
    ...eventOf(entry),
    stampedAt: work.trx.moment,
    summary: `${appointmentIn(language)} · ${displayName}`,
    location: [clinic?.name, room?.name, displayName, address].filter(Boolean).join(', '),
    people: { organizer: { name: displayName, email: from }, attendee: { name, email: to } },
  };
  const method = event.status === 'cancelled' ? 'cancel' : 'request';
  return { method, content: calendarText([event], { zone, method }) };
}
