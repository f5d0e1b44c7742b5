/** A doctor's appointments, for a program that follows them. */
import { createHash } from 'node:crypto';
import { records, today, type Work } from '@hms/service';
import { type CalendarEntry, calendarEntriesOf } from '../appointments/calendar-entries.ts';
import { MOST_DAYS_AHEAD } from '../appointments/shown-slots.ts';
import { clinics } from '../clinics/clinics.ts';
import { rooms } from '../rooms/rooms.ts';
import { addDays } from '../schedules/rules.ts';
import { momentOf } from '../schedules/times.ts';
import { eventOf } from './entries.ts';
import { calendarText } from './ical.ts';
import { doctorWithLink } from './links.ts';
import { appointmentIn } from './words.ts';

const DAYS_BACK = 30;
/** A hint: programs decide themselves, and some ask once a day. */
const REFRESH_SECONDS = 3600;

export interface DoctorCalendar {
  /** Of this text, for `If-None-Match`. */
  readonly etag: string;
  text(): string;
}

/**
 * The appointments from 30 days ago until as far as people can book.
 * @returns undefined if no doctor has a link with this secret.
 */
export async function readDoctorCalendar(work: Work, secret: string): Promise<DoctorCalendar | undefined> {
  const doctor = await doctorWithLink(work, secret);
  if (!doctor) return undefined;
  const { timezone, displayName, settings } = work.hospital;
  const [first, last] = [addDays(today(work), -DAYS_BACK), addDays(today(work), MOST_DAYS_AHEAD)];
  const begin = new Date(momentOf(first, '00:00', timezone));
  const end = new Date(momentOf(last, '24:00', timezone));
  const entries = await calendarEntriesOf(work, doctor.id, begin, end);
  const locations = await locationsOf(work, entries);
  const versions = entries.map(({ id, version }) => [id, version]);
  const shown = [timezone, displayName, settings.language, versions, locations];
  return {
    etag: `"${createHash('sha256').update(JSON.stringify(shown)).digest('base64url')}"`,
    text: () =>
      calendarText(
        entries.map((entry, index) => {
          const location = locations[index] ?? [];
          const summary = [appointmentIn(settings.language), entry.appointmentNo, '·', location[0]].join(' ');
          return { ...eventOf(entry), summary, location: location.join(', ') };
        }),
        { zone: timezone, method: 'publish', name: displayName, refreshSeconds: REFRESH_SECONDS },
      ),
  };
}

/** The clinic, and perhaps the room, of each entry. */
async function locationsOf(work: Work, entries: readonly CalendarEntry[]): Promise<readonly (readonly string[])[]> {
  const [places, usedRooms] = await Promise.all([
    records(work, clinics).byIds([...new Set(entries.map(({ clinicId }) => clinicId))]),
    records(work, rooms).byIds([...new Set(entries.flatMap(({ roomId }) => roomId ?? []))]),
  ]);
  const names = new Map([...places, ...usedRooms].map(({ id, name }) => [id, name]));
  return entries.map(({ clinicId, roomId }) => [clinicId, roomId].flatMap((id) => names.get(id ?? '') ?? []));
}
