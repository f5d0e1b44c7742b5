/** For tests: a calendar as another program reads it, with the zones of its own text. */
import ICAL from 'ical.js';

interface ReadEvent {
  readonly uid: string;
  readonly sequence: number;
  readonly status: string;
  readonly summary: string;
  readonly location: string;
  /** In UTC, as `Date.toISOString` writes it. */
  readonly startsAt: string;
  readonly endsAt: string;
  /** Name of the zone of the begin, or `UTC`. */
  readonly zone: string;
  /** Addresses. */
  readonly organizer: string | null;
  readonly attendee: string | null;
}

interface ReadCalendar {
  readonly method: string;
  readonly events: readonly ReadEvent[];
}

/** @throws Error if the text is no calendar. */
export function readCalendar(text: string): ReadCalendar {
  const calendar = new ICAL.Component(ICAL.parse(text));
  const zones = new Map(
    calendar.getAllSubcomponents('vtimezone').map((block) => {
      const zone = new ICAL.Timezone(block);
      return [zone.tzid, zone];
    }),
  );
  const readTime = (property: ICAL.Property | null) => {
    const time = property?.getFirstValue() as ICAL.Time;
    const name = property?.getParameter('tzid');
    if (typeof name !== 'string') return { at: time.toJSDate().toISOString(), zone: 'UTC' };
    const zone = zones.get(name);
    if (!zone) throw new Error(`the calendar does not say what the zone ${name} is`);
    const { year, month, day, hour, minute, second } = time;
    const local = ICAL.Time.fromData({ year, month, day, hour, minute, second, isDate: false }, zone);
    return { at: local.toJSDate().toISOString(), zone: name };
  };
  return {
    method: String(calendar.getFirstPropertyValue('method')),
    events: calendar.getAllSubcomponents('vevent').map((event) => {
      const value = (name: string) => event.getFirstPropertyValue(name);
      const [start, end] = ['dtstart', 'dtend'].map((name) => readTime(event.getFirstProperty(name)));
      return {
        ...{ uid: String(value('uid')), sequence: Number(value('sequence')), status: String(value('status')) },
        ...{ summary: String(value('summary')), location: String(value('location')) },
        ...{ startsAt: start?.at ?? '', endsAt: end?.at ?? '', zone: start?.zone ?? '' },
        organizer: addressIn(value('organizer')),
        attendee: addressIn(value('attendee')),
      };
    }),
  };
}

function addressIn(value: unknown): string | null {
  return typeof value === 'string' ? value.replace(/^mailto:/i, '') : null;
}
