import { describe, expect, it } from '@jest/globals';
import { scaleOf } from './result-scale.ts';

describe('the scale of a chart', () => {
  it.each([
    [
      [3.5, 5.1, 4.2],
      [3.5, 4, 4.5, 5, 5.5],
    ],
    [
      [100, 420],
      [100, 200, 300, 400, 500],
    ],
    [
      [0.02, 0.07],
      [0.02, 0.03, 0.04, 0.05, 0.06, 0.07],
    ],
    [
      [-3, 2],
      [-3, -2, -1, 0, 1, 2],
    ],
    [
      [7, 7],
      [6, 8],
    ],
    [
      [10, 10],
      [8, 10, 12],
    ],
    [
      [0, 0],
      [-0.2, 0, 0.2],
    ],
  ])('of %j has round numbers around them', (values, ticks) => {
    const scale = scaleOf(values);
    expect(scale.least).toBeLessThanOrEqual(Math.min(...values));
    expect(scale.most).toBeGreaterThanOrEqual(Math.max(...values));
    expect(scale.most).toBeGreaterThan(scale.least);
    expect(scale.ticks).toEqual(ticks);
  });
});
