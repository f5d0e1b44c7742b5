import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { pino } from 'pino';
import { Recovery } from './recovery.ts';

const START = Date.parse('2026-01-01T00:00:00Z');
let alive: boolean;
let probes: number;
let woken: string[];
let recovery: Recovery;

beforeEach(() => {
  jest.useFakeTimers({ now: START });
  [alive, probes, woken] = [false, 0, []];
  recovery = new Recovery({
    name: 'storage',
    probe: async () => {
      probes += 1;
      if (!alive) throw new Error('away');
    },
    onRecovered: (keys) => woken.push(...keys),
    logger: pino({ level: 'silent' }),
  });
});
afterEach(() => {
  recovery.stop();
  jest.useRealTimers();
});

const pass = (seconds: number) => jest.advanceTimersByTimeAsync(seconds * 1000);

describe('Recovery', () => {
  it('does not probe while nothing has failed', async () => {
    await pass(60);
    expect(probes).toBe(0);
  });

  it('probes once for all waiting keys, every one to five seconds, and wakes them together', async () => {
    for (const key of ['a', 'b', 'c']) recovery.failed(key);
    await pass(1);
    expect(probes).toBe(1);
    await pass(59);
    expect(probes).toBeGreaterThanOrEqual(12);
    expect(probes).toBeLessThan(30);
    expect(woken).toEqual([]);
    alive = true;
    await pass(5);
    expect(woken).toEqual(['a', 'b', 'c']);
    const before = probes;
    await pass(60);
    expect(probes).toBe(before);
  });

  it('stops probing when no key waits', async () => {
    recovery.failed('a');
    recovery.failed('b');
    await pass(10);
    recovery.forget('a');
    recovery.forget('b');
    const before = probes;
    await pass(60);
    expect(probes).toBe(before);
    expect(recovery.waiting).toBe(0);
  });

  it('backs off from a server that answers the probe but fails the work', async () => {
    alive = true;
    for (let second = 0; second < 60; second++) {
      recovery.failed('a');
      await pass(1);
    }
    expect(woken.length).toBeGreaterThanOrEqual(2);
    expect(woken.length).toBeLessThanOrEqual(3);
  });

  it('wakes keys immediately after each outage that the probe has detected', async () => {
    for (let outage = 1; outage <= 3; outage++) {
      alive = false;
      recovery.failed('a');
      await pass(5);
      alive = true;
      await pass(5);
      expect(woken).toHaveLength(outage);
    }
  });

  it('wakes a key whose request hung beyond the end of the outage', async () => {
    recovery.failed('a');
    await pass(5);
    alive = true;
    await pass(5);
    recovery.failed('b');
    await pass(2);
    expect(woken).toEqual(['a', 'b']);
  });

  it('returns the same start of the outage at every failure, also for keys that failed later', async () => {
    expect(recovery.failed('a')).toBe(START);
    await pass(20);
    expect(recovery.failed('a')).toBe(START);
    expect(recovery.failed('b')).toBe(START);
    alive = true;
    await pass(5);
    for (const key of ['a', 'b']) recovery.forget(key);
    await pass(60);
    expect(recovery.failed('a')).toBe(START + 85_000);
  });
});
