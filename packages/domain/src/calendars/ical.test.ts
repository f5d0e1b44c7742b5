/** Calendars in every kind of zone, read back by another library with the zones of the text itself. */
import { describe, expect, it } from '@jest/globals';
import { Temporal } from 'temporal-polyfill';
import { type CalendarEvent, calendarText } from './ical.ts';
import { readCalendar } from './testing/reader.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

function eventAt(moment: number, changes: Partial<CalendarEvent> = {}): CalendarEvent {
  return {
    ...{ uid: `${moment}@hms.dev`, sequence: 0, status: 'confirmed', summary: 'Appointment', location: 'ENT' },
    ...{ startsAt: new Date(moment), endsAt: new Date(moment + 20 * MINUTE), stampedAt: new Date(0) },
    ...changes,
  };
}
const textOf = (zone: string, events: readonly CalendarEvent[]) => calendarText(events, { zone, method: 'publish' });

/** The changes of the clock in some years, in milliseconds since 1970. */
function changesOf(zone: string, fromYear: number, years: number): readonly number[] {
  const changes: number[] = [];
  const end = Date.UTC(fromYear + years, 0, 1);
  let at = Temporal.Instant.fromEpochMilliseconds(Date.UTC(fromYear, 0, 1)).toZonedDateTimeISO(zone);
  for (;;) {
    const next = at.getTimeZoneTransition('next');
    if (!next || next.epochMilliseconds >= end) return changes;
    changes.push(next.epochMilliseconds);
    at = next;
  }
}

/** Times before, at and after a moment, at which appointments begin. */
const around = (moment: number) =>
  [-24 * HOUR, -HOUR, -40 * MINUTE, -20 * MINUTE, 0, 20 * MINUTE, 40 * MINUTE, HOUR, 24 * HOUR].map(
    (by) => moment + by,
  );

const read = (zone: string, moments: readonly number[]) =>
  readCalendar(
    textOf(
      zone,
      moments.map((moment) => eventAt(moment)),
    ),
  ).events;
const beginsOf = (moments: readonly number[]) => moments.map((moment) => new Date(moment).toISOString());

describe('an appointment beside a change of the clock', () => {
  it.each(['Europe/Dublin', 'Australia/Lord_Howe', 'Africa/Cairo', 'America/Santiago'])(
    'is read as the stored moment, in %s',
    (zone) => {
      const changes = changesOf(zone, 2026, 10);
      expect(changes).toHaveLength(20);
      const moments = changes.flatMap(around);
      const events = read(zone, moments);
      expect(events.map(({ startsAt }) => startsAt)).toEqual(beginsOf(moments));
      expect(events.map(({ endsAt }) => endsAt)).toEqual(beginsOf(moments.map((moment) => moment + 20 * MINUTE)));
      // Not all of them in UTC: programs show the clock of the hospital.
      expect(events.filter((event) => event.zone === zone).length).toBeGreaterThan(moments.length / 2);
    },
  );

  it('is read as the stored moment where the clock never changes', () => {
    expect(changesOf('Asia/Kolkata', 2026, 10)).toEqual([]);
    const moments = around(Date.parse('2026-11-30T09:00:00+05:30'));
    const events = read('Asia/Kolkata', moments);
    expect(events.map(({ startsAt }) => startsAt)).toEqual(beginsOf(moments));
    expect(new Set(events.map(({ zone }) => zone))).toEqual(new Set(['Asia/Kolkata']));
  });

  it('is in UTC if the clock shows its time twice, and only then', () => {
    const [, back = 0] = changesOf('Europe/Dublin', 2026, 1);
    const events = read(
      'Europe/Dublin',
      [-2 * HOUR, -40 * MINUTE, 20 * MINUTE, HOUR].map((by) => back + by),
    );
    expect(events.map(({ zone }) => zone)).toEqual(['Europe/Dublin', 'UTC', 'UTC', 'Europe/Dublin']);
  });

  it('is in UTC where the rules of the calendar are not those of the platform', () => {
    // Egypt changes on the day after the last Thursday, which the calendar takes for the last Friday.
    const day = Date.parse('2030-10-27T10:00:00Z');
    expect(read('Africa/Cairo', [day, day + 14 * 24 * HOUR])).toMatchObject([
      { zone: 'UTC', startsAt: beginsOf([day])[0] },
      { zone: 'Africa/Cairo' },
    ]);
  });
});

it('every zone of the platform is one that programs know', () => {
  const moment = Date.parse('2026-11-30T09:00:00Z');
  for (const zone of Intl.supportedValuesOf('timeZone')) {
    expect([zone, read(zone, [moment])[0]?.startsAt]).toEqual([zone, beginsOf([moment])[0]]);
  }
});

describe('the text of a calendar', () => {
  it('has rules that Outlook understands: none with a list of dates', () => {
    for (const zone of ['Europe/Dublin', 'Africa/Cairo', 'America/Santiago']) {
      const text = textOf(zone, [eventAt(Date.parse('2026-11-30T09:00:00Z'))]);
      expect(text).toMatch(/\r\nRRULE:FREQ=YEARLY/);
      expect(text).not.toMatch(/RDATE/);
    }
  });

  it('has lines of at most 75 bytes, and the texts as they were', () => {
    const summary = `Café, «${'ن'.repeat(60)}»; \\ and\nEND:VEVENT`;
    const text = textOf('Asia/Jakarta', [eventAt(0, { summary, location: 'ENT; "Room, 1"' })]);
    expect(text.endsWith('END:VCALENDAR\r\n')).toBe(true);
    expect(text.replaceAll('\r\n', '')).not.toMatch(/[\r\n]/);
    for (const line of text.split('\r\n')) expect(Buffer.byteLength(line)).toBeLessThanOrEqual(75);
    expect(readCalendar(text).events).toMatchObject([{ summary, location: 'ENT; "Room, 1"' }]);
  });

  it('has a name that is no line of its own', () => {
    const name = 'St. Mary, Dublin; \r\nX-EVIL:1';
    const text = calendarText([], { zone: 'Europe/Dublin', method: 'publish', name });
    expect(text).toContain('\r\nX-WR-CALNAME:St. Mary\\, Dublin\\; \\nX-EVIL:1\r\n');
  });

  it('says when it was sent in UTC, and how often to ask again', () => {
    const options = { zone: 'Europe/Dublin', method: 'publish', refreshSeconds: 3600 } as const;
    const text = calendarText([eventAt(0, { stampedAt: new Date('2026-11-28T10:00:00Z') })], options);
    expect(text).toContain('\r\nDTSTAMP:20261128T100000Z\r\n');
    expect(text).toContain('\r\nREFRESH-INTERVAL;VALUE=DURATION:PT1H\r\n');
  });
});
