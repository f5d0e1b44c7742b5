/** When planned reports are sent, where clocks change. */
import { expect, it } from '@jest/globals';
import { daysOf, nextSending } from './next.ts';

const DUBLIN = { timezone: 'Europe/Dublin', firstWeekday: 1 };
const CAIRO = { timezone: 'Africa/Cairo', firstWeekday: 6 };
const next = (period: 'day' | 'week' | 'month', sendAt: string, clock: typeof DUBLIN, after: string) =>
  nextSending({ period, sendAt }, clock, new Date(after)).toISOString();

it('is the next time that the clock shows, on the first day after the period', () => {
  expect(next('day', '07:00', DUBLIN, '2026-03-28T06:59:59Z')).toBe('2026-03-28T07:00:00.000Z');
  // The clock is set forward on the 29th.
  expect(next('day', '07:00', DUBLIN, '2026-03-28T07:00:00Z')).toBe('2026-03-29T06:00:00.000Z');
  expect(next('week', '07:00', DUBLIN, '2026-11-26T12:00:00Z')).toBe('2026-11-30T07:00:00.000Z');
  expect(next('week', '07:00', CAIRO, '2026-11-26T12:00:00Z')).toBe('2026-11-28T05:00:00.000Z');
  expect(next('month', '00:00', CAIRO, '2026-04-24T12:00:00Z')).toBe('2026-04-30T21:00:00.000Z');
  // 00:30 does not exist on this day.
  expect(next('day', '00:30', CAIRO, '2026-04-23T12:00:00Z')).toBe('2026-04-23T22:00:00.000Z');
});

it('is of the last day, week or month that is over, also if it is late', () => {
  expect(daysOf('day', DUBLIN, '2026-03-01')).toEqual({ from: '2026-02-28', to: '2026-03-01' });
  expect(daysOf('week', DUBLIN, '2026-11-30')).toEqual({ from: '2026-11-23', to: '2026-11-30' });
  expect(daysOf('week', CAIRO, '2026-11-30')).toEqual({ from: '2026-11-21', to: '2026-11-28' });
  expect(daysOf('month', DUBLIN, '2026-03-02')).toEqual({ from: '2026-02-01', to: '2026-03-01' });
});
