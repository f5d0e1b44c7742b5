import { afterEach, describe, expect, it, jest } from '@jest/globals';
import fc from 'fast-check';
import { PRIORITY, Workqueue } from './workqueue.ts';

const BACKOFF = { baseMs: 100, maxMs: 1000 };

afterEach(() => {
  jest.useRealTimers();
});

describe('Workqueue', () => {
  it('hands a key out once, however often it was added', async () => {
    const queue = new Workqueue(BACKOFF);
    queue.add('a');
    queue.add('a');
    expect(await queue.get()).toBe('a');
    expect(queue.depth).toBe(0);
  });

  it('hands a key out again after a worker is done when it was added meanwhile', async () => {
    const queue = new Workqueue(BACKOFF);
    queue.add('a');
    await queue.get();
    queue.add('a');
    expect(queue.depth).toBe(0);
    queue.done('a');
    expect(await queue.get()).toBe('a');
  });

  it('gives a waiting worker the next key', async () => {
    const queue = new Workqueue(BACKOFF);
    const waiting = queue.get();
    queue.add('a');
    expect(await waiting).toBe('a');
  });

  it('lets waiting workers go when it closes', async () => {
    const queue = new Workqueue(BACKOFF);
    const waiting = queue.get();
    queue.close();
    expect(await waiting).toBeUndefined();
    queue.add('late');
    expect(await queue.get()).toBeUndefined();
  });

  it('keeps the earliest of several times for a key, and drops it when the key is added at once', () => {
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

  it('waits longer with each retry and starts again after success', () => {
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

  it('hands out deletions before changes before retries before resyncs', async () => {
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

  it('makes a waiting key more urgent when it is added for a better reason', async () => {
    const queue = new Workqueue(BACKOFF, () => 0);
    queue.add('a', PRIORITY.change);
    queue.add('b', PRIORITY.resync);
    queue.add('b', PRIORITY.deletion);
    expect(await queue.get()).toBe('b');
  });

  it('lets nothing wait for ever behind more urgent keys', async () => {
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
      // One more arrives than is served, so the queue grows all the time.
      queue.add(`more ${i}`, PRIORITY.change);
    }
    expect(served).toContain('old resync');
  });

  it('holds resyncs back while a change is under way, but not for ever', async () => {
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

  it('lets a held resync go when it has waited for long, though nothing else happens', async () => {
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

  it('counts the wait of a key from when it was added, also while a worker had it', async () => {
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
        const held = new Set<string>();
        for (const { key, step } of sequence) {
          if (step === 'add') {
            queue.add(key);
            owed.add(key);
          } else if (step === 'get' && queue.depth > 0) {
            const got = (await queue.get()) ?? '';
            expect(held.has(got)).toBe(false);
            held.add(got);
            owed.delete(got);
          } else if (step === 'done' && held.delete(key)) {
            queue.done(key);
          }
        }
        for (const key of held) queue.done(key);
        const rest = new Set<string>();
        while (queue.depth > 0) rest.add((await queue.get()) ?? '');
        expect(rest).toEqual(owed);
      }),
    );
  });
});

describe('oldestMs', () => {
  it('is the wait of the key that has waited longest, and nothing when none waits', async () => {
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
