import { afterEach, describe, expect, it, jest } from '@jest/globals';
import fc from 'fast-check';
import { PRIORITY, Workqueue } from './workqueue.ts';

const BACKOFF = { baseMs: 100, maxMs: 1000 };

afterEach(() => {
  jest.useRealTimers();
});

describe('Workqueue', () => {
  it('returns a key once, however often it was added', async () => {
    const queue = new Workqueue(BACKOFF);
    queue.add('a');
    queue.add('a');
    expect(await queue.get()).toBe('a');
    expect(queue.depth).toBe(0);
  });

  it('returns a key again after `done` if it was added meanwhile', async () => {
    const queue = new Workqueue(BACKOFF);
    queue.add('a');
    await queue.get();
    queue.add('a');
    expect(queue.depth).toBe(0);
    queue.done('a');
    expect(await queue.get()).toBe('a');
  });

  it('passes the next key to a waiting worker', async () => {
    const queue = new Workqueue(BACKOFF);
    const waiting = queue.get();
    queue.add('a');
    expect(await waiting).toBe('a');
  });

  it('releases waiting workers when it closes', async () => {
    const queue = new Workqueue(BACKOFF);
    const waiting = queue.get();
    queue.close();
    expect(await waiting).toBeUndefined();
    queue.add('late');
    expect(await queue.get()).toBeUndefined();
  });

  it('keeps the earliest of several times for a key, and drops it when the key is added immediately', () => {
    jest.useFakeTimers();
    const queue = new Workqueue(BACKOFF);
    queue.addAfter('a', 5000);
    queue.addAfter('a', 1000);
    queue.addAfter('a', 9000);
    jest.advanceTimersByTime(999);
    expect(queue.depth).toBe(0);
    jest.advanceTimersByTime(1);
    expect(queue.depth).toBe(1);
    queue.addAfter('b', 1000);
    queue.add('b');
    jest.advanceTimersByTime(60_000);
    expect(queue.depth).toBe(2);
  });

  it('doubles the delay with each retry, and resets it after success', () => {
    jest.useFakeTimers();
    const queue = new Workqueue(BACKOFF);
    const delays = Array.from({ length: 6 }, () => {
      const delay = queue.retry('a');
      jest.runAllTimers();
      return delay;
    });
    expect(delays[0]).toBeLessThanOrEqual(100);
    expect(delays[5]).toBeGreaterThanOrEqual(500);
    expect(Math.max(...delays)).toBeLessThanOrEqual(1000);
    queue.forget('a');
    expect(queue.retry('a')).toBeLessThanOrEqual(100);
    queue.close();
  });

  it('returns deletions, then changes, then retries, then resyncs', async () => {
    const queue = new Workqueue(BACKOFF, () => 0);
    queue.add('resync', PRIORITY.resync);
    queue.add('retry', PRIORITY.retry);
    queue.add('change', PRIORITY.change);
    queue.add('deletion', PRIORITY.deletion);
    const order: string[] = [];
    while (queue.depth > 0) {
      const key = (await queue.get()) ?? '';
      order.push(key);
      queue.done(key);
    }
    expect(order).toEqual(['deletion', 'change', 'retry', 'resync']);
  });

  it('raises the priority of a waiting key', async () => {
    const queue = new Workqueue(BACKOFF, () => 0);
    queue.add('a', PRIORITY.change);
    queue.add('b', PRIORITY.resync);
    queue.add('b', PRIORITY.deletion);
    expect(await queue.get()).toBe('b');
  });

  it('lets no key starve behind more urgent ones', async () => {
    let now = 0;
    const queue = new Workqueue(BACKOFF, () => now);
    queue.add('old resync', PRIORITY.resync);
    const served: string[] = [];
    for (let i = 0; i < 200 && !served.includes('old resync'); i++) {
      now += 1000;
      queue.add(`change ${i}`, PRIORITY.change);
      const key = (await queue.get()) ?? '';
      queue.done(key);
      served.push(key);
      // More keys arrive than are taken, so the queue keeps growing.
      queue.add(`more ${i}`, PRIORITY.change);
    }
    expect(served).toContain('old resync');
  });

  it('holds back resyncs during a change, but not forever', async () => {
    let now = 0;
    const queue = new Workqueue(BACKOFF, () => now);
    queue.add('change');
    expect(await queue.get()).toBe('change');
    queue.add('first', PRIORITY.resync);
    queue.add('second', PRIORITY.resync);
    queue.add('failed', PRIORITY.retry);
    const workers = [queue.get(), queue.get()];
    expect(await workers[0]).toBe('failed');
    expect(queue.depth).toBe(2);
    queue.done('change');
    expect(await workers[1]).toBe('first');
    queue.done('first');

    queue.add('change');
    expect(await queue.get()).toBe('change');
    const patient = queue.get();
    now += 60_000;
    queue.add('third', PRIORITY.resync);
    expect(await patient).toBe('second');
  });

  it('releases a held resync after its maximum wait, without any other event', async () => {
    jest.useFakeTimers();
    const queue = new Workqueue(BACKOFF);
    queue.add('a change that takes minutes');
    await queue.get();
    const handed: (string | undefined)[] = [];
    for (let i = 0; i < 3; i++) void queue.get().then((key) => handed.push(key));
    queue.add('first', PRIORITY.resync);
    await jest.advanceTimersByTimeAsync(20_000);
    queue.add('second', PRIORITY.resync);
    await jest.advanceTimersByTimeAsync(9_990);
    expect(handed).toEqual([]);
    await jest.advanceTimersByTimeAsync(20);
    expect(handed).toEqual(['first']);
    await jest.advanceTimersByTimeAsync(20_000);
    expect(handed).toEqual(['first', 'second']);
    queue.close();
  });

  it('counts the wait of a key from when it was added, also during its reconcile', async () => {
    let now = 0;
    const queue = new Workqueue(BACKOFF, () => now);
    queue.add('a');
    await queue.get();
    now = 1000;
    queue.add('a');
    now = 2000;
    queue.add('b');
    now = 3000;
    queue.done('a');
    expect(queue.oldestMs).toBe(2000);
    expect(await queue.get()).toBe('a');
  });

  it('never gives one key to two workers and never loses one', async () => {
    const steps = fc.array(
      fc.record({ key: fc.constantFrom('a', 'b', 'c'), step: fc.constantFrom('add', 'get', 'done') }),
      { maxLength: 60 },
    );
    await fc.assert(
      fc.asyncProperty(steps, async (sequence) => {
        const queue = new Workqueue(BACKOFF);
        const owed = new Set<string>();
        const heldKeys = new Set<string>();
        for (const { key, step } of sequence) {
          if (step === 'add') {
            queue.add(key);
            owed.add(key);
          } else if (step === 'get' && queue.depth > 0) {
            const taken = (await queue.get()) ?? '';
            expect(heldKeys.has(taken)).toBe(false);
            heldKeys.add(taken);
            owed.delete(taken);
          } else if (step === 'done' && heldKeys.delete(key)) {
            queue.done(key);
          }
        }
        for (const key of heldKeys) queue.done(key);
        const remaining = new Set<string>();
        while (queue.depth > 0) remaining.add((await queue.get()) ?? '');
        expect(remaining).toEqual(owed);
      }),
    );
  });
});

describe('oldestMs', () => {
  it('is the longest wait of any key, and 0 if none waits', async () => {
    let now = 1000;
    const queue = new Workqueue(BACKOFF, () => now);
    expect(queue.oldestMs).toBe(0);
    queue.add('a');
    now += 300;
    queue.add('b');
    now += 200;
    expect(queue.oldestMs).toBe(500);
    await queue.get();
    expect(queue.oldestMs).toBe(200);
    await queue.get();
    expect(queue.oldestMs).toBe(0);
  });
});
