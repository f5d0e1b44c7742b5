import { expect, it } from '@jest/globals';
import { isWithin } from './admission.ts';

const monday = { weekday: 1, startTime: '14:00', endTime: '16:00' };

it.each([
  ['2026-11-30T13:59:59+00:00', false],
  ['2026-11-30T14:00:00+00:00', true],
  ['2026-11-30T15:59:59+05:30', true],
  ['2026-11-30T16:00:00+00:00', false],
  ['2026-12-01T15:00:00+00:00', false],
])('at %s, Monday from 14 to 16 says %s', (clock, isIn) => {
  expect(isWithin([monday], clock)).toBe(isIn);
});

it('24:00 is the end of the day', () => {
  expect(isWithin([{ ...monday, endTime: '24:00' }], '2026-11-30T23:59:59+00:00')).toBe(true);
});
