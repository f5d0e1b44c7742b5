/** Appointments as events of calendars. No name of a patient is part of them. */
import type { CalendarEntry } from '../appointments/calendar-entries.ts';
import type { CalendarEvent } from './ical.ts';

const STATUSES: Readonly<Record<CalendarEntry['status'], CalendarEvent['status']>> = {
  offered: 'tentative',
  booked: 'confirmed',
  confirmed: 'confirmed',
  checked_in: 'confirmed',
  in_consultation: 'confirmed',
  completed: 'confirmed',
  cancelled: 'cancelled',
  no_show: 'cancelled',
  // To another doctor: the one in its place is not in this calendar.
  rescheduled: 'cancelled',
};

/** What an event says of an appointment, whoever reads it. */
export function eventOf(entry: CalendarEntry): Omit<CalendarEvent, 'summary' | 'location'> {
  const status = STATUSES[entry.status];
  return {
    uid: `${entry.firstId}@hms.dev`,
    // A program takes a cancellation only if the number has grown (RFC 5546, 2.1.4).
    sequence: entry.moves + (status === 'cancelled' ? 1 : 0),
    status,
    startsAt: entry.startsAt,
    endsAt: entry.endsAt,
    stampedAt: entry.updatedAt,
  };
}
