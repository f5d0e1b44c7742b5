/** Texts in the format iCalendar (RFC 5545), for programs with calendars. Pure. */
import ical, { escape as escapeText, ICalCalendarMethod, type ICalEventData, ICalEventStatus } from 'ical-generator';
import { Temporal } from 'temporal-polyfill';
import { tzlib_get_offset as libraryOffset, tzlib_get_ical_block as libraryZone } from 'timezones-ical-library';

export interface CalendarEvent {
  /** The same for ever, so that programs change their entry and add none. */
  readonly uid: string;
  /** Grows with each change of the time, and with the cancellation. */
  readonly sequence: number;
  readonly status: 'tentative' | 'confirmed' | 'cancelled';
  readonly startsAt: Date;
  readonly endsAt: Date;
  /** The last change, or when the text is sent. */
  readonly stampedAt: Date;
  readonly summary: string;
  readonly location: string;
  /** Of a message to somebody. */
  readonly people?: {
    readonly organizer: Person;
    /** Of a request or a cancellation. */
    readonly attendee?: Person;
  };
}

interface Person {
  readonly name: string;
  readonly email: string;
}

interface CalendarOptions {
  /** IANA name. */
  readonly zone: string;
  /** `publish` for a feed, or a message about several events. `request` and `cancel` for a message about one event. */
  readonly method: 'publish' | 'request' | 'cancel';
  /** Of a feed: what programs call it. */
  readonly name?: string;
  /** Of a feed: seconds after which programs should ask again. */
  readonly refreshSeconds?: number;
}

const METHODS = {
  publish: ICalCalendarMethod.PUBLISH,
  request: ICalCalendarMethod.REQUEST,
  cancel: ICalCalendarMethod.CANCEL,
} as const;

const STATUSES = {
  tentative: ICalEventStatus.TENTATIVE,
  confirmed: ICalEventStatus.CONFIRMED,
  cancelled: ICalEventStatus.CANCELLED,
} as const;

/** A calendar with events. Each line ends with CR LF. */
export function calendarText(events: readonly CalendarEvent[], options: CalendarOptions): string {
  const { zone, method, name, refreshSeconds } = options;
  const zoneAt = zoneFinder(zone);
  const calendar = ical({
    prodId: { company: 'hms.dev', product: 'Hospital platform' },
    method: METHODS[method],
    scale: 'GREGORIAN',
    timezone: { name: null, generator: () => blockOf(zone)?.text ?? null },
    events: events.map((event) => eventData(event, zoneAt)),
    // The library escapes every text but this one.
    ...(name === undefined ? {} : { name: escapeText(name, false) }),
    ...(refreshSeconds === undefined ? {} : { ttl: refreshSeconds }),
  });
  return `${calendar.toString()}\r\n`;
}

function eventData(event: CalendarEvent, zoneAt: ReturnType<typeof zoneFinder>): ICalEventData {
  const { uid, sequence, status, stampedAt, summary, location, people } = event;
  const times = [event.startsAt, event.endsAt].map((moment) =>
    Temporal.Instant.fromEpochMilliseconds(moment.getTime()),
  );
  const zones = times.map(zoneAt);
  const zone = zones.includes(undefined) ? undefined : zones[0];
  const [start, end] = times.map((moment) => moment.toZonedDateTimeISO(zone ?? 'UTC'));
  if (!start || !end) throw new Error('an event has no time');
  return {
    ...{ id: uid, sequence, status: STATUSES[status], stamp: stampedAt, summary, location },
    ...{ start, end, timezone: zone ?? null },
    ...(people ? { organizer: people.organizer } : {}),
    ...(people?.attendee ? { attendees: [{ ...people.attendee, rsvp: false }] } : {}),
  };
}

/** A VTIMEZONE, and the name that it has there. */
function blockOf(zone: string): { readonly text: string; readonly id: string } | undefined {
  const [text, name] = libraryZone(zone);
  return text && name ? { text, id: name.replace('TZID=', '') } : undefined;
}

/**
 * Finds the name of the zone with which every program reads the clock's time as the right moment. There is none if the
 * rules of the VTIMEZONE differ from those that the platform computes with, nor for a time that the clock shows twice,
 * which programs read as the one or the other. Such an event has its times in UTC.
 */
function zoneFinder(zone: string): (moment: Temporal.Instant) => string | undefined {
  const id = blockOf(zone)?.id;
  const safeDays = new Map<string, boolean>();
  return (moment) => {
    if (id === undefined) return undefined;
    const local = moment.toZonedDateTimeISO(zone);
    const day = local.toPlainDate();
    const isSafe = safeDays.get(day.toString()) ?? isSafeDay(day, zone);
    safeDays.set(day.toString(), isSafe);
    return isSafe || (isKnown(local) && isShownOnce(local)) ? id : undefined;
  };
}

/** Whether the clock does not change on a day, also by the rules of the calendar. */
function isSafeDay(day: Temporal.PlainDate, zone: string): boolean {
  const [begin, end] = [day.toZonedDateTime(zone), day.add({ days: 1 }).toZonedDateTime(zone)];
  const late = day.toZonedDateTime({ timeZone: zone, plainTime: '23:00' });
  return begin.offset === end.offset && isKnown(begin) && isKnown(late);
}

/** Whether the rules of the calendar give the time the offset that it has. */
function isKnown(local: Temporal.ZonedDateTime): boolean {
  const [day = '', hour = ''] = local.toString().slice(0, 13).split('T');
  // The library goes by the hour.
  return libraryOffset(local.timeZoneId, day, `${hour}:00`) === local.offset.replace(':', '');
}

function isShownOnce(local: Temporal.ZonedDateTime): boolean {
  const wall = local.toPlainDateTime();
  const [first, last] = (['earlier', 'later'] as const).map((disambiguation) =>
    wall.toZonedDateTime(local.timeZoneId, { disambiguation }),
  );
  return first?.epochMilliseconds === last?.epochMilliseconds;
}
