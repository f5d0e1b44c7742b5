import { describe, expect, it } from '@jest/globals';
import { AGE_UNITS, ageOf, daysOf } from './ages.ts';

describe('an age', () => {
  it.each([
    [0, '0 years'],
    [1, '1 days'],
    [28, '28 days'],
    [30, '1 months'],
    [365, '1 years'],
    [366, '366 days'],
    [6575, '18 years'],
  ])('of %d days is written as %s', (days, written) => {
    const { count, unit } = ageOf(days);
    expect(`${count} ${unit}`).toBe(written);
  });

  it('is the same after it was written, whatever it is', () => {
    for (let days = 0; days <= 55_000; days += 1) {
      const { count, unit } = ageOf(days);
      expect(daysOf(count, unit)).toBe(days);
    }
  });

  it('has months and years that people write', () => {
    for (const unit of AGE_UNITS)
      for (const count of [1, 2, 3, 6, 9, 18, 65]) {
        const again = ageOf(daysOf(count, unit));
        expect(daysOf(again.count, again.unit)).toBe(daysOf(count, unit));
      }
  });
});
