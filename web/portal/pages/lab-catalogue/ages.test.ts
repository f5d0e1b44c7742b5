import { describe, expect, it } from '@jest/globals';
import { type AgeUnit, ageOf, inUnit, nextAge } from './ages.ts';

const daysOf = (count: number, unit: AgeUnit) => inUnit({ count, unit }, 'days');

describe('an age', () => {
  it.each([
    [0, '0 years'],
    [1, '1 days'],
    [28, '28 days'],
    [30, '1 months'],
    [365, '1 years'],
    [366, '366 days'],
    [730, '2 years'],
    [6574, '18 years'],
    [6575, '6575 days'],
  ])('of %d days is written as %s', (days, written) => {
    const { count, unit } = ageOf(days, 'days');
    expect(`${count} ${unit}`).toBe(written);
  });

  it('is the same after it was written, whatever it is', () => {
    for (let days = 0; days <= 55_000; days += 1) {
      const { count, unit } = ageOf(days, 'days');
      expect(daysOf(count, unit)).toBe(days);
    }
  });

  it('has months and years that people write', () => {
    for (const unit of ['days', 'months', 'years'] as const)
      for (const count of [1, 2, 3, 6, 9, 18, 65]) {
        const again = ageOf(daysOf(count, unit), 'days');
        expect(daysOf(again.count, again.unit)).toBe(daysOf(count, unit));
      }
  });

  it('in hours stays in hours, and one in days becomes hours beside it', () => {
    expect(ageOf(48, 'hours')).toEqual({ count: 48, unit: 'hours' });
    expect(inUnit({ count: 6, unit: 'hours' }, 'hours')).toBe(6);
    expect(inUnit({ count: 28, unit: 'days' }, 'hours')).toBe(672);
    expect(inUnit({ count: 0, unit: 'years' }, 'hours')).toBe(0);
  });

  it('of whole days begins the next range in days', () => {
    expect(nextAge({ count: 48, unit: 'hours' })).toEqual({ count: 2, unit: 'days' });
    expect(nextAge({ count: 6, unit: 'hours' })).toEqual({ count: 6, unit: 'hours' });
    expect(nextAge({ count: 24, unit: 'months' })).toEqual({ count: 24, unit: 'months' });
  });
});
