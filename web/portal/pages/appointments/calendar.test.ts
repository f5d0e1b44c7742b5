import { describe, expect, it } from '@jest/globals';
import type { Appointment, Slot } from './appointments.queries.ts';
import { hourHeight, hoursOf, itemsOf, linesIn, nextSpot } from './calendar.ts';

const slot = (startsAt: string, endsAt: string, free = 1, heldUntil: string | null = null) =>
  ({ doctorId: 'd', startsAt, endsAt, free, heldUntil }) as Slot;
const appointment = (id: string, startsAt: string, endsAt: string, status: Appointment['status'] = 'booked') =>
  ({ id, startsAt, endsAt, status }) as Appointment;
const places = (column: Parameters<typeof itemsOf>[0], zone = 'UTC') =>
  itemsOf(column, zone).map(({ start, minutes, lane, lanes }) => [start, minutes, lane, lanes]);

describe('the items of a day', () => {
  it('are what is taken and what is free, by the clock of the hospital', () => {
    const slots = [
      slot('2026-06-01T09:00:00+05:45', '2026-06-01T09:20:00+05:45'),
      slot('2026-06-01T09:20:00+05:45', '2026-06-01T09:40:00+05:45', 0),
    ];
    const appointments = [
      appointment('a', '2026-06-01T03:35:00Z', '2026-06-01T03:55:00Z'),
      appointment('b', '2026-06-01T03:35:00Z', '2026-06-01T03:55:00Z', 'cancelled'),
      appointment('c', '2026-06-01T03:35:00Z', '2026-06-01T03:55:00Z', 'rescheduled'),
    ];
    expect(places({ slots, appointments }, 'Asia/Kathmandu')).toEqual([
      ['09:00', 20, 0, 1],
      ['09:20', 20, 0, 1],
    ]);
  });

  it('are what somebody else is booking, too', () => {
    const until = '2026-05-31T23:00:00Z';
    const held = slot('2026-06-01T09:00:00Z', '2026-06-01T09:20:00Z', 0, until);
    expect(places({ slots: [held], appointments: [] })).toEqual([['09:00', 20, 0, 1]]);
  });

  it('are beside each other if they are at the same time', () => {
    const appointments = [
      appointment('a', '2026-06-01T09:00:00Z', '2026-06-01T10:00:00Z'),
      appointment('b', '2026-06-01T09:00:00Z', '2026-06-01T09:30:00Z'),
      appointment('c', '2026-06-01T09:30:00Z', '2026-06-01T10:00:00Z'),
      appointment('d', '2026-06-01T10:00:00Z', '2026-06-01T10:30:00Z'),
    ];
    expect(places({ slots: [], appointments })).toEqual([
      ['09:00', 60, 0, 2],
      ['09:00', 30, 1, 2],
      ['09:30', 30, 1, 2],
      ['10:00', 30, 0, 1],
    ]);
  });

  it('are beside each other where the clock shows an hour twice', () => {
    const slots = [
      slot('2026-10-25T01:00:00+01:00', '2026-10-25T01:30:00+01:00'),
      slot('2026-10-25T01:00:00+00:00', '2026-10-25T01:30:00+00:00'),
    ];
    expect(places({ slots, appointments: [] }, 'Europe/Dublin')).toEqual([
      ['01:00', 30, 0, 2],
      ['01:00', 30, 1, 2],
    ]);
  });

  it('need hours that are high enough', () => {
    const items = (minutes: number) =>
      itemsOf(
        {
          slots: [slot('2026-06-01T06:00:00Z', new Date(Date.UTC(2026, 5, 1, 6, minutes)).toISOString())],
          appointments: [],
        },
        'UTC',
      );
    expect(hoursOf(items(30))).toEqual({ first: 6, last: 17 });
    expect([hourHeight([]), hourHeight(items(60)), hourHeight(items(15)), hourHeight(items(5))]).toEqual([
      3.5, 3.5, 6.4, 12,
    ]);
  });

  it('have as many lines of text as they are high enough for', () => {
    expect([linesIn({ minutes: 5 }, 12), linesIn({ minutes: 20 }, 4.8), linesIn({ minutes: 60 }, 3.5)]).toEqual([
      1, 1, 2,
    ]);
  });
});

describe('an arrow key', () => {
  const spots = [
    { column: 0, start: '09:00' },
    { column: 0, start: '10:00' },
    { column: 2, start: '08:00' },
    { column: 2, start: '09:50' },
  ];
  it.each([
    [0, 'ArrowDown', false, 1],
    [1, 'ArrowDown', false, undefined],
    [0, 'ArrowUp', false, undefined],
    [1, 'ArrowRight', false, 3],
    [0, 'ArrowRight', false, 3],
    [0, 'ArrowLeft', false, undefined],
    [2, 'ArrowLeft', false, 0],
    [2, 'ArrowRight', true, 0],
    [0, 'ArrowRight', true, undefined],
    [0, 'Enter', false, undefined],
  ])('from %i with %s, mirrored %s, leads to %s', (from, key, isMirrored, expected) => {
    expect(nextSpot(spots, from, key, isMirrored)).toBe(expected);
  });
});
