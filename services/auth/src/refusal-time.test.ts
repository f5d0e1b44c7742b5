import { describe, expect, it } from '@jest/globals';
import { createRefusalTime } from './refusal-time.ts';

/** All durations that a local refusal may take after these refusals by Keycloak. */
function possible(durations: readonly number[]): readonly number[] {
  let position = 0;
  const time = createRefusalTime(() => position);
  for (const duration of durations) time.took(duration);
  const found = new Set<number>();
  for (; position < 1; position += 1 / 256) found.add(time.next());
  return [...found].sort((a, b) => a - b);
}

describe('the time of a refusal', () => {
  it('is that of one of the refusals by Keycloak, each of which is as likely', () => {
    expect(possible([400, 420, 500])).toEqual([400, 420, 500]);
    const [low, middle, high] = [0, 0.5, 0.999].map((position) => {
      const time = createRefusalTime(() => position);
      for (const duration of [400, 420, 500]) time.took(duration);
      return time.next();
    });
    expect([low, middle, high]).toEqual([400, 420, 500]);
  });

  it('follows the latest refusals', () => {
    const old = Array.from({ length: 100 }, () => 100);
    const latest = Array.from({ length: 64 }, (_, n) => 300 + n);
    expect(possible([...old, ...latest])).toEqual(latest);
  });

  it('is bounded when Keycloak hangs, and has a value before the first refusal', () => {
    expect(possible([60_000])).toEqual([2_000]);
    expect(possible([])).toEqual([60]);
  });

  it('is waited for', async () => {
    const time = createRefusalTime();
    time.took(50);
    const started = performance.now();
    await time.wait();
    expect(performance.now() - started).toBeGreaterThan(45);
  });
});
