import { describe, expect, it } from '@jest/globals';
import { whileAlive } from './while-alive.ts';

const unreachable = async () => {
  throw new Error('no answer');
};
const alive = async () => undefined;

describe('whileAlive', () => {
  it('returns the result of the work, however long it takes, while the server answers', async () => {
    let pings = 0;
    const ping = async () => {
      pings += 1;
      // One failed ping is not enough to abort.
      if (pings === 1) await unreachable();
    };
    const work = () => new Promise((resolve) => setInterval(() => pings > 5 && resolve('done'), 1).unref());
    expect(await whileAlive({ ping, everyMs: 1 }, work)).toBe('done');
  });

  it('aborts the work when the server stops answering', async () => {
    let isAborted = () => false;
    const result = whileAlive({ ping: unreachable, everyMs: 1 }, (asks) => {
      isAborted = asks;
      return new Promise(() => undefined);
    });
    await expect(result).rejects.toThrow('no answer');
    expect(isAborted()).toBe(true);
  });

  it('throws what the work throws', async () => {
    const failing = whileAlive({ ping: alive, everyMs: 1_000 }, () => Promise.reject(new Error('refused')));
    await expect(failing).rejects.toThrow('refused');
  });
});
