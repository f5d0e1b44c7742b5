/** A patient's appointments for the calendar of the patient, as a part of a mail. */
import { records, type Work } from '@hms/service';
import { calendarEntries } from '../appointments/calendar-entries.ts';
import { clinics } from '../clinics/clinics.ts';
import { rooms } from '../rooms/rooms.ts';
import { eventOf } from './entries.ts';
import { calendarText } from './ical.ts';
import { appointmentIn } from './words.ts';

export interface Invitation {
  /**
   * As iTIP (RFC 5546) calls it. Of one appointment: `request` adds or changes the entry of the calendar (3.2.2), and
   * `cancel` cancels it (3.2.5). All events of either have the same UID, so several appointments need `publish` (3.2.1).
   * It has no attendee, and its cancelled events have the status CANCELLED. A later message about one of them has the
   * same UID, and a higher number if something changed, so programs change that entry (2.1.5).
   */
  readonly method: 'request' | 'cancel' | 'publish';
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

/** @returns undefined if there are no such appointments. */
export async function invitationTo(
  work: Work,
  appointmentIds: readonly string[],
  { from, to, name, language }: Correspondence,
): Promise<Invitation | undefined> {
  const entries = await calendarEntries(work, appointmentIds);
  if (entries.length === 0) return undefined;
  const { displayName, timezone: zone, settings } = work.hospital;
  const [usedClinics, usedRooms] = await Promise.all([
    records(work, clinics).byIds(entries.map(({ clinicId }) => clinicId)),
    records(work, rooms).byIds(entries.flatMap(({ roomId }) => roomId ?? [])),
  ]);
  const address = settings.address?.replaceAll('\n', ', ');
  const isOne = entries.length === 1;
  const organizer = { name: displayName, email: from };
  const events = entries.map((entry) => {
    const clinic = usedClinics.find(({ id }) => id === entry.clinicId);
    const room = usedRooms.find(({ id }) => id === entry.roomId);
    return {
      ...eventOf(entry),
      stampedAt: work.trx.moment,
      summary: `${appointmentIn(language)} · ${displayName}`,
      location: [clinic?.name, room?.name, displayName, address].filter(Boolean).join(', '),
      people: isOne ? { organizer, attendee: { name, email: to } } : { organizer },
    };
  });
  const methodOfOne = events[0]?.status === 'cancelled' ? 'cancel' : 'request';
  const method = isOne ? methodOfOne : 'publish';
  return { method, content: calendarText(events, { zone, method }) };
}
