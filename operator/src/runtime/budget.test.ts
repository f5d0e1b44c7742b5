import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import fc from 'fast-check';
import { Budget } from './budget.ts';

beforeEach(() => {
  jest.useFakeTimers();
});
afterEach(() => {
  jest.useRealTimers();
});

/** Calls that end on demand. */
function calls(budget: Budget, count: number) {
  const started: number[] = [];
  const ends: (() => void)[] = [];
  for (let i = 0; i < count; i++) {
    void budget.run(() => {
      started.push(i);
      return new Promise<void>((resolve) => ends.push(resolve));
    });
  }
  return { started, ends };
}

describe('Budget', () => {
  it('limits parallel calls, and runs them in order of arrival', async () => {
    const budget = new Budget({ concurrency: 2, perSecond: 100 });
    const { started, ends } = calls(budget, 4);
    await jest.advanceTimersByTimeAsync(0);
    expect(started).toEqual([0, 1]);
    expect(budget.waiting).toBe(2);
    ends[0]?.();
    await jest.advanceTimersByTimeAsync(0);
    expect(started).toEqual([0, 1, 2]);
  });

  it('limits calls per second', async () => {
    const budget = new Budget({ concurrency: 100, perSecond: 10 });
    const { started } = calls(budget, 50);
    await jest.advanceTimersByTimeAsync(0);
    expect(started).toHaveLength(10);
    await jest.advanceTimersByTimeAsync(1000);
    expect(started.length).toBeGreaterThanOrEqual(19);
    expect(started.length).toBeLessThanOrEqual(20);
  });

  it('starts nothing while it is paused', async () => {
    const budget = new Budget({ concurrency: 10, perSecond: 100 });
    budget.pause(5000);
    const { started } = calls(budget, 3);
    await jest.advanceTimersByTimeAsync(4900);
    expect(started).toEqual([]);
    await jest.advanceTimersByTimeAsync(200);
    expect(started).toHaveLength(3);
  });

  it('releases the slot of a failed call', async () => {
    const budget = new Budget({ concurrency: 1, perSecond: 100 });
    const failing = expect(budget.run(() => Promise.reject(new Error('no')))).rejects.toThrow('no');
    await failing;
    await expect(budget.run(() => Promise.resolve('yes'))).resolves.toBe('yes');
  });

  it('never exceeds the limit, and runs every call', async () => {
    const runs = fc.record({
      concurrency: fc.integer({ min: 1, max: 5 }),
      perSecond: fc.integer({ min: 1, max: 20 }),
      durations: fc.array(fc.integer({ min: 0, max: 900 }), { maxLength: 30 }),
    });
    await fc.assert(
      fc.asyncProperty(runs, async ({ concurrency, perSecond, durations }) => {
        const budget = new Budget({ concurrency, perSecond });
        let running = 0;
        let most = 0;
        const calls = durations.map((duration) =>
          budget.run(async () => {
            running += 1;
            most = Math.max(most, running);
            await new Promise((resolve) => setTimeout(resolve, duration));
            running -= 1;
          }),
        );
        await jest.advanceTimersByTimeAsync(60_000);
        await Promise.all(calls);
        expect(most).toBeLessThanOrEqual(concurrency);
      }),
      { numRuns: 50 },
    );
  });
});
