import { expect, it } from '@jest/globals';
import type { Appointment, Slot } from './appointments.queries.ts';
import { keyOf, timesOf } from './times.ts';

const slot = (time: string) => ({ startsAt: `2026-11-25T${time}:00+07:00`, free: 1 }) as Slot;
const appointment = (time: string, status: Appointment['status'] = 'booked') =>
  ({ startsAt: new Date(`2026-11-25T${time}:00+07:00`).toISOString(), status }) as Appointment;

it('has one name, whatever the offset', () => {
  expect(keyOf({ ...slot('09:00'), doctorId: 'd' })).toBe(keyOf({ ...appointment('09:00'), doctorId: 'd' }));
  expect(keyOf({ ...slot('09:00'), doctorId: 'd' })).not.toBe(keyOf({ ...slot('09:20'), doctorId: 'd' }));
});

it('has each slot once, with its appointments, and what no slot fits', () => {
  const times = timesOf(
    [slot('09:20'), slot('09:00')],
    [appointment('09:00', 'cancelled'), appointment('09:00'), appointment('09:10')],
  );
  expect(
    times.map(({ slot: one, appointments }) => [one?.startsAt.slice(11, 16), appointments.map((a) => a.status)]),
  ).toEqual([
    ['09:00', ['booked', 'cancelled']],
    [undefined, ['booked']],
    ['09:20', []],
  ]);
});
