/** Reports of a hospital wait for each other, and for nobody who has left. */
import { expect, it } from '@jest/globals';
import { Turns } from './turns.ts';

const STAYS = new AbortController().signal;

/** Work that ends when it is told to. */
function work() {
  const { promise, resolve } = Promise.withResolvers<void>();
  let isRunning = false;
  return {
    run: () => {
      isRunning = true;
      return promise;
    },
    end: resolve,
    isRunning: () => isRunning,
  };
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

it('runs as many of one hospital as it may, and others beside them', async () => {
  const turns = new Turns({ ofHospital: 2, all: 3 });
  const all = ['a', 'a', 'a', 'b', 'b'].map((hospital) => ({ hospital, ...work() }));
  const taken = all.map(({ hospital, run }) => turns.take(hospital, STAYS, run));
  await settled();
  expect(all.map(({ isRunning }) => isRunning())).toEqual([true, true, false, true, false]);
  all[0]?.end();
  await settled();
  expect(all.filter(({ isRunning }) => isRunning())).toHaveLength(4);
  for (const { end } of all) end();
  await Promise.all(taken);
  expect(all.every(({ isRunning }) => isRunning())).toBe(true);
});

it('forgets who has left while waiting, and lets the next one go on after an error', async () => {
  const turns = new Turns({ ofHospital: 1, all: 1 });
  const [first, second, third] = [work(), work(), work()];
  const failing = turns.take('a', STAYS, async () => {
    await first.run();
    throw new Error('broken');
  });
  const left = new AbortController();
  const leaving = turns.take('a', left.signal, second.run);
  const last = turns.take('a', STAYS, third.run);
  left.abort(new Error('gone'));
  await expect(leaving).rejects.toThrow('gone');
  first.end();
  await expect(failing).rejects.toThrow('broken');
  third.end();
  await last;
  expect(second.isRunning()).toBe(false);
});

it('refuses more than can wait', async () => {
  const turns = new Turns({ ofHospital: 1, all: 1 });
  const busy = work();
  const all = Array.from({ length: 21 }, () => turns.take('a', STAYS, busy.run));
  await settled();
  await expect(turns.take('a', STAYS, busy.run)).rejects.toMatchObject({ kind: { code: 'TOO_MANY_REPORTS' } });
  busy.end();
  await Promise.all(all);
});
