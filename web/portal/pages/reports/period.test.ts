import { describe, expect, it } from '@jest/globals';
import { firstWeekdayOf, lastDay, periodIn, presetPeriod, shifted, withFirst, withLast } from './period.ts';

/** A Sunday. */
const TODAY = '2026-11-29';

describe('periods with a name', () => {
  it.each([
    ['today', 1, '2026-11-29', '2026-11-30'],
    ['yesterday', 1, '2026-11-28', '2026-11-29'],
    ['thisWeek', 1, '2026-11-23', '2026-11-30'],
    ['thisWeek', 7, '2026-11-29', '2026-12-06'],
    ['thisWeek', 6, '2026-11-28', '2026-12-05'],
    ['thisMonth', 1, '2026-11-01', '2026-12-01'],
    ['lastMonth', 1, '2026-10-01', '2026-11-01'],
    ['last30', 1, '2026-10-31', '2026-11-30'],
  ] as const)('%s, in weeks from day %d', (preset, firstWeekday, from, to) => {
    expect(presetPeriod(preset, TODAY, firstWeekday)).toEqual({ from, to });
  });

  it('go over the end of a year', () => {
    expect(presetPeriod('thisMonth', '2026-12-31', 1)).toEqual({ from: '2026-12-01', to: '2027-01-01' });
    expect(presetPeriod('lastMonth', '2027-01-01', 1)).toEqual({ from: '2026-12-01', to: '2027-01-01' });
  });
});

describe('the days of an address', () => {
  it('are taken as they are', () => {
    expect(periodIn({ from: '2026-01-01', to: '2026-02-01' }, TODAY)).toEqual({ from: '2026-01-01', to: '2026-02-01' });
  });

  it.each([{}, { from: '2026-01-01' }, { from: 'x', to: 'y' }, { from: '2026-02-01', to: '2026-01-01' }])(
    'are the last 30 days instead of %j',
    (search) => {
      expect(periodIn(search, TODAY)).toEqual({ from: '2026-10-31', to: '2026-11-30' });
    },
  );
});

describe('the periods beside one', () => {
  it('are months beside months', () => {
    const november = { from: '2026-11-01', to: '2026-12-01' };
    expect(shifted(november, -1)).toEqual({ from: '2026-10-01', to: '2026-11-01' });
    expect(shifted(november, 1)).toEqual({ from: '2026-12-01', to: '2027-01-01' });
    expect(shifted({ from: '2026-01-01', to: '2026-04-01' }, -1)).toEqual({ from: '2025-10-01', to: '2026-01-01' });
  });

  it('have as many days beside other days', () => {
    expect(shifted({ from: '2026-11-23', to: '2026-11-30' }, -1)).toEqual({ from: '2026-11-16', to: '2026-11-23' });
  });
});

describe('a day that is chosen', () => {
  const november = { from: '2026-11-01', to: '2026-12-01' };

  it('is the first one, or the last one', () => {
    expect(withFirst(november, '2026-11-10')).toEqual({ from: '2026-11-10', to: '2026-12-01' });
    expect(withLast(november, '2026-11-10')).toEqual({ from: '2026-11-01', to: '2026-11-11' });
  });

  it('is the only one if the other one would be on its wrong side', () => {
    expect(withFirst(november, '2026-12-24')).toEqual({ from: '2026-12-24', to: '2026-12-25' });
    expect(withLast(november, '2026-10-02')).toEqual({ from: '2026-10-02', to: '2026-10-03' });
  });
});

it('names the last day as people do', () => {
  expect(lastDay({ from: '2026-11-01', to: '2026-12-01' })).toBe('2026-11-30');
});

it('knows with which day weeks begin', () => {
  expect([firstWeekdayOf('en-IE'), firstWeekdayOf('en-US'), firstWeekdayOf('ar-EG')]).toEqual([1, 7, 6]);
});
