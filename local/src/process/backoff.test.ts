import { describe, expect, it } from '@jest/globals';
import { afterDeath, type Deaths, NO_DEATHS } from './backoff.ts';

describe('afterDeath', () => {
  it('waits longer after each death in a row, up to 30 s', () => {
    const delays: number[] = [];
    let deaths: Deaths = NO_DEATHS;
    for (let i = 0; i < 9; i += 1) {
      deaths = afterDeath(deaths, 100);
      delays.push(deaths.delay);
    }
    expect(delays).toEqual([500, 1000, 2000, 4000, 8000, 16_000, 30_000, 30_000, 30_000]);
  });

  it('resets after a run of a minute', () => {
    expect(afterDeath({ inRow: 7, delay: 30_000 }, 60_000)).toEqual({ inRow: 1, delay: 500 });
  });
});
