/** Days of reports in zones whose clocks change, and what they are compared with. */
import { describe, expect, it } from '@jest/globals';
import { firstWeekdayOf, partIn, partsOf, spanBefore, spanOf, weekName } from './period.ts';

const at = (text: string) => new Date(text);
const NOW = at('2026-11-26T14:30:00Z');

function days(from: string, to: string, zone: string, now = NOW) {
  const span = spanOf({ from, to }, zone, now);
  const before = spanBefore(span, zone, now);
  return {
    begin: span.begin.toISOString(),
    until: span.until.toISOString(),
    before: [before.from, before.to, before.begin.toISOString(), before.until.toISOString()],
  };
}

it('are the last 30 days, with today, where the hospital is', () => {
  expect(spanOf({}, 'Asia/Jakarta', at('2026-11-26T18:00:00Z'))).toMatchObject({
    from: '2026-10-29',
    to: '2026-11-28',
  });
  expect(spanOf({}, 'Europe/Dublin', at('2026-11-26T18:00:00Z'))).toMatchObject({
    from: '2026-10-28',
    to: '2026-11-27',
  });
  expect(spanOf({ from: '2027-01-05' }, 'UTC', NOW)).toMatchObject({ from: '2027-01-05', to: '2027-01-06' });
});

it('begin when the clock on the wall shows a new day', () => {
  // In Cairo, the clock goes from 23:59 to 01:00.
  expect(days('2026-04-24', '2026-04-25', 'Africa/Cairo')).toMatchObject({
    begin: '2026-04-23T22:00:00.000Z',
    until: '2026-04-24T21:00:00.000Z',
  });
  // In the Azores, the clock shows midnight twice.
  expect(days('2026-10-25', '2026-10-26', 'Atlantic/Azores')).toMatchObject({
    begin: '2026-10-25T00:00:00.000Z',
    until: '2026-10-26T01:00:00.000Z',
  });
});

describe('are compared', () => {
  it('with as many days before, however long these are', () => {
    // The week with 167 hours, and the one before.
    expect(days('2026-03-23', '2026-03-30', 'Europe/Dublin').before).toEqual([
      ...['2026-03-16', '2026-03-23', '2026-03-16T00:00:00.000Z', '2026-03-23T00:00:00.000Z'],
    ]);
  });

  it('with whole months before whole months', () => {
    expect(days('2026-03-01', '2026-04-01', 'UTC').before.slice(0, 2)).toEqual(['2026-02-01', '2026-03-01']);
    expect(days('2026-01-01', '2026-07-01', 'UTC').before.slice(0, 2)).toEqual(['2025-07-01', '2026-01-01']);
  });

  it('up to the same time, if they are not over', () => {
    const { until, before } = days('2026-11-01', '2026-12-01', 'UTC');
    expect(until).toBe('2026-11-26T14:30:00.000Z');
    expect(before).toEqual(['2026-10-01', '2026-11-01', '2026-10-01T00:00:00.000Z', '2026-10-26T14:30:00.000Z']);
  });

  it('by the clock, also if it has changed since', () => {
    // 15:30 in summer is an hour earlier in UTC than in winter.
    const { before } = days('2026-03-30', '2026-03-31', 'Europe/Dublin', at('2026-03-30T14:30:00Z'));
    expect(before[3]).toBe('2026-03-29T14:30:00.000Z');
    const winter = days('2026-03-29', '2026-03-30', 'Europe/Dublin', at('2026-03-29T14:30:00Z'));
    expect(winter.before[3]).toBe('2026-03-28T15:30:00.000Z');
  });

  it('never beyond the end of a shorter month', () => {
    const { before } = days('2026-03-01', '2026-04-01', 'UTC', at('2026-03-31T12:00:00Z'));
    expect(before[3]).toBe('2026-03-01T00:00:00.000Z');
  });
});

it('refuse what is no period, and what is longer than a year', () => {
  expect(() => spanOf({ from: '2026-02-01', to: '2026-02-01' }, 'UTC', NOW)).toThrow('to must be after from');
  expect(() => spanOf({ from: '2025-01-01', to: '2026-01-03' }, 'UTC', NOW)).toThrow('at most 366 days');
  expect(spanOf({ from: '2024-01-01', to: '2025-01-01' }, 'UTC', NOW)).toMatchObject({ from: '2024-01-01' });
  for (const day of ['0001-01-01', '9999-12-31'])
    for (const wanted of [{ from: day }, { to: day }])
      expect(() => spanOf(wanted, 'UTC', NOW)).toThrow(`${Object.keys(wanted)} must be from 1900-01-01 to 2999-12-31`);
});

it('are divided where weeks and months begin', () => {
  const span = { from: '2026-11-26', to: '2026-12-08', until: at('2026-12-08T00:00:00Z') };
  expect(partsOf(span, 'week', 1, 'UTC')).toEqual(['2026-11-23', '2026-11-30', '2026-12-07']);
  expect(partsOf(span, 'week', 6, 'UTC')).toEqual(['2026-11-21', '2026-11-28', '2026-12-05']);
  expect(partsOf(span, 'month', 1, 'UTC')).toEqual(['2026-11-01', '2026-12-01']);
  expect(partIn(span, 'week', '2026-11-23')).toEqual({ from: '2026-11-26', to: '2026-11-30' });
  expect(partIn(span, 'month', '2026-12-01')).toEqual({ from: '2026-12-01', to: '2026-12-08' });
});

it('have no parts that have not begun', () => {
  const [from, to] = ['2026-11-24', '2026-12-01'];
  expect(partsOf(spanOf({ from, to }, 'UTC', NOW), 'day', 1, 'UTC')).toEqual([
    '2026-11-24',
    '2026-11-25',
    '2026-11-26',
  ]);
  // It is the 27th there.
  expect(partsOf(spanOf({ from, to }, 'Pacific/Auckland', NOW), 'day', 1, 'Pacific/Auckland')).toHaveLength(4);
  const later = { from: '2026-11-27', to };
  expect(partsOf(spanOf(later, 'UTC', NOW), 'day', 1, 'UTC')).toEqual([]);
});

it('have weeks that belong to the year of their Thursday', () => {
  expect(weekName('2026-12-28', 1)).toBe('2026-W53');
  expect(weekName('2024-12-30', 1)).toBe('2025-W01');
  expect(weekName('2026-12-26', 6)).toBe('2026-12-26');
  expect([firstWeekdayOf('ar-EG'), firstWeekdayOf('en-IE'), firstWeekdayOf('en-US')]).toEqual([6, 1, 7]);
});
