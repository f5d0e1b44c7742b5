import { describe, expect, it } from '@jest/globals';
import { whileAlive } from './while-alive.ts';

const away = async () => {
  throw new Error('no answer');
};
const alive = async () => undefined;

describe('whileAlive', () => {
  it('gives the result of the work, however long it takes, while the server lives', async () => {
    let asked = 0;
    const ping = async () => {
      asked += 1;
      // One question without an answer is no reason to give up.
      if (asked === 1) await away();
    };
    const work = () => new Promise((resolve) => setInterval(() => asked > 5 && resolve('done'), 1).unref());
    expect(await whileAlive({ ping, everyMs: 1 }, work)).toBe('done');
  });

  it('gives the work up when the server is silent, and the work is told', async () => {
    let givenUp = () => false;
    const result = whileAlive({ ping: away, everyMs: 1 }, (asks) => {
      givenUp = asks;
      return new Promise(() => undefined);
    });
    await expect(result).rejects.toThrow('no answer');
    expect(givenUp()).toBe(true);
  });

  it('throws what the work throws', async () => {
    const failing = whileAlive({ ping: alive, everyMs: 1_000 }, () => Promise.reject(new Error('refused')));
    await expect(failing).rejects.toThrow('refused');
  });
});
