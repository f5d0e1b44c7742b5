import { expect, it } from '@jest/globals';
import { afterDaytime } from './daytime.ts';

const at = (text: string, minutes: number, zone = 'Europe/Dublin') =>
  new Date(afterDaytime(Date.parse(text), minutes, zone)).toISOString();

it.each([
  ['by day, it is the moment itself', '2026-01-05T12:00:00Z', 0, '2026-01-05T12:00:00.000Z'],
  ['by day, minutes are minutes', '2026-01-05T12:00:00Z', 120, '2026-01-05T14:00:00.000Z'],
  ['at night, it is the next morning', '2026-01-05T22:00:00Z', 0, '2026-01-06T08:00:00.000Z'],
  ['before the morning, it is that morning', '2026-01-05T03:00:00Z', 30, '2026-01-05T08:30:00.000Z'],
  ['the night is left out', '2026-01-05T19:00:00Z', 120, '2026-01-06T09:00:00.000Z'],
  ['so are several nights', '2026-01-05T19:00:00Z', 60 + 720 + 30, '2026-01-07T08:30:00.000Z'],
  ['the end of the day is still day', '2026-01-05T19:00:00Z', 60, '2026-01-05T20:00:00.000Z'],
  // At one o'clock on 29 March, clocks are set forward.
  ['clocks are set forward', '2026-03-28T22:00:00Z', 0, '2026-03-29T07:00:00.000Z'],
])('%s', (_, moment, minutes, expected) => {
  expect(at(moment, minutes)).toBe(expected);
});

it('a day that the zone has skipped is left out', () => {
  // Samoa had no 30 December 2011.
  expect(at('2011-12-30T08:00:00Z', 0, 'Pacific/Apia')).toBe('2011-12-30T18:00:00.000Z');
});
