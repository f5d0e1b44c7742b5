import { describe, expect, it } from '@jest/globals';
import { createRefusalTime } from './refusal-time.ts';

describe('the time of a refusal', () => {
  it('is close to that of refusals by Keycloak', () => {
    const time = createRefusalTime(() => 0.5);
    for (let n = 0; n < 50; n++) time.took(400);
    expect(time.next()).toBeGreaterThan(390);
    expect(time.next()).toBeLessThanOrEqual(400);
  });

  it('varies, and is bounded when Keycloak hangs', () => {
    const [short, long] = [createRefusalTime(() => 0), createRefusalTime(() => 1)];
    expect(short.next()).toBeLessThan(long.next());
    for (let n = 0; n < 100; n++) long.took(60_000);
    expect(long.next()).toBeLessThanOrEqual(2_500);
  });
});
