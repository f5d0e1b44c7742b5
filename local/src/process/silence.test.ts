import { describe, expect, it } from '@jest/globals';
import { fellSilent, MOST_UNANSWERED } from './silence.ts';

/** Probes a process that gives these answers in order, then none. @returns the number of probes. */
async function questions(...answers: (() => Promise<boolean>)[]): Promise<number> {
  let probes = 0;
  const hangs = await fellSilent({
    ask: async () => {
      probes += 1;
      return answers[probes - 1]?.() ?? false;
    },
    every: 5,
    unanswered: () => undefined,
    signal: new AbortController().signal,
  });
  expect(hangs).toBe(true);
  return probes;
}

const yes = async () => true;
const no = async () => false;
const refuses = () => Promise.reject(new Error('connection refused'));

describe('fellSilent', () => {
  it('needs several unanswered probes in a row', async () => {
    expect(await questions(no, refuses)).toBe(MOST_UNANSWERED);
    expect(await questions(no, no, refuses, yes)).toBe(4 + MOST_UNANSWERED);
  });

  it('does not blame a process for delays of its own timer', async () => {
    const heldUp = async () => {
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1_100);
      return false;
    };
    expect(await questions(heldUp, heldUp)).toBe(2 + MOST_UNANSWERED);
  });

  it('abandons an unanswered probe, and stops on its signal', async () => {
    const over = new AbortController();
    const hangs = await fellSilent({
      ask: (signal) => new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
      every: 5,
      unanswered: (inRow) => inRow === 2 && over.abort(),
      signal: over.signal,
    });
    expect(hangs).toBe(false);
  });
});
