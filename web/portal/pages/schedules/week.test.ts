import { expect, it } from '@jest/globals';
import { blocksOf, daysOf, hoursOf, mondayOf, slotsOf } from './week.ts';

const day = '2026-11-30';
const work = (startsAt: string, endsAt: string) => ({
  ...{ scheduleId: 's', doctorId: 'd', doctorName: 'Dana', clinicId: 'c', clinicName: 'ENT', roomId: null },
  ...{ roomName: null, day, startsAt, endsAt, slotMinutes: 20, capacity: 1 },
});
const away = (from: string, to: string) => ({ doctorId: 'd', doctorName: 'Dana', from, to });

it('begins a week on Monday, also on a Sunday', () => {
  expect(['2026-11-30', '2026-12-06', '2026-12-07'].map(mondayOf)).toEqual(['2026-11-30', '2026-11-30', '2026-12-07']);
  expect(daysOf('2026-12-28').at(-1)).toBe('2027-01-03');
});

it('shows what the clock of the hospital shows, until the end of the day', () => {
  const workingTimes = [work('2026-11-30T20:00:00+05:30', '2026-12-01T00:00:00+05:30')];
  expect(blocksOf(day, { workingTimes, absences: [] })).toMatchObject([{ start: '20:00', end: '24:00' }]);
  expect(blocksOf('2026-12-01', { workingTimes, absences: [] })).toEqual([]);
});

it('shows the part of an absence on each of its days, and none on the day at whose begin it ends', () => {
  const absences = [away('2026-11-29T14:00:00Z', '2026-12-01T00:00:00Z')];
  const parts = ['2026-11-28', '2026-11-29', day, '2026-12-01'].map((one) =>
    blocksOf(one, { workingTimes: [], absences }).map(({ start, end }) => `${start}-${end}`),
  );
  expect(parts).toEqual([[], ['14:00-24:00'], ['00:00-24:00'], []]);
});

it('orders work and absences of a day by their begin', () => {
  const workingTimes = [work(`${day}T13:00:00Z`, `${day}T15:00:00Z`)];
  const absences = [away(`${day}T08:00:00Z`, `${day}T13:00:00Z`)];
  const blocks = blocksOf(day, { workingTimes, absences });
  expect(blocks.map(({ start }) => start)).toEqual(['08:00', '13:00']);
  expect(hoursOf(blocks)).toEqual({ first: 8, last: 17 });
});

it('shows earlier and later hours if somebody works then', () => {
  const workingTimes = [work(`${day}T06:30:00Z`, `${day}T21:10:00Z`)];
  expect(hoursOf(blocksOf(day, { workingTimes, absences: [] }))).toEqual({ first: 6, last: 22 });
});

it('has an appointment for each whole slot', () => {
  expect(slotsOf({ start: '08:00', end: '09:10' }, 20)).toEqual(['08:00', '08:20', '08:40']);
});
