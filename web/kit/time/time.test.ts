import { expect, it } from '@jest/globals';
import { showAge, startOfDay } from './time.ts';

it.each([
  ['UTC', '2026-11-25', '2026-11-25T00:00:00.000Z'],
  ['Asia/Jakarta', '2026-11-25', '2026-11-24T17:00:00.000Z'],
  ['America/New_York', '2026-11-25', '2026-11-25T05:00:00.000Z'],
  ['Asia/Kathmandu', '2026-11-25', '2026-11-24T18:15:00.000Z'],
  // Clocks change on these days, after midnight.
  ['Europe/Dublin', '2026-03-29', '2026-03-29T00:00:00.000Z'],
  ['Europe/Dublin', '2026-10-25', '2026-10-24T23:00:00.000Z'],
  // At midnight, clocks are set forward, or back to midnight or the day before.
  ['America/Santiago', '2026-09-06', '2026-09-06T04:00:00.000Z'],
  ['America/Santiago', '2026-04-05', '2026-04-05T04:00:00.000Z'],
  ['America/Havana', '2026-03-08', '2026-03-08T05:00:00.000Z'],
  ['America/Havana', '2026-11-01', '2026-11-01T04:00:00.000Z'],
  ['Atlantic/Azores', '2026-03-29', '2026-03-29T01:00:00.000Z'],
  ['Asia/Beirut', '2026-03-29', '2026-03-28T22:00:00.000Z'],
  // There was no such day.
  ['Pacific/Apia', '2011-12-30', '2011-12-30T10:00:00.000Z'],
  ['Pacific/Kiritimati', '2026-11-25', '2026-11-24T10:00:00.000Z'],
])('in %s, %s begins at %s', (zone, day, begin) => {
  expect(startOfDay(zone, day)).toBe(begin);
});

it.each([
  ['2026-11-26', '0 days'],
  ['2026-11-03', '23 days'],
  ['2026-10-27', '30 days'],
  ['2026-10-26', '1 month'],
  ['2024-11-27', '23 months'],
  ['2024-11-26', '2 years'],
  ['1990-12-01', '35 years'],
])('somebody born on %s is %s old on 26 November 2026', (birth, age) => {
  expect(showAge(birth, '2026-11-26T09:00:00Z')).toBe(age);
});
