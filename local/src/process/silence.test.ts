import { describe, expect, it } from '@jest/globals';
import { fellSilent, MOST_UNANSWERED } from './silence.ts';

/** Asks a process that gives these answers one after the other, then none. @returns how many questions it took. */
async function questions(...answers: (() => Promise<boolean>)[]): Promise<number> {
  let asked = 0;
  const hangs = await fellSilent({
    ask: async () => {
      asked += 1;
      return answers[asked - 1]?.() ?? false;
    },
    every: 5,
    unanswered: () => undefined,
    signal: new AbortController().signal,
  });
  expect(hangs).toBe(true);
  return asked;
}

const yes = async () => true;
const no = async () => false;
const refuses = () => Promise.reject(new Error('connection refused'));

describe('fellSilent', () => {
  it('wants several questions in a row without an answer', async () => {
    expect(await questions(no, refuses)).toBe(MOST_UNANSWERED);
    expect(await questions(no, no, refuses, yes)).toBe(4 + MOST_UNANSWERED);
  });

  it('does not blame a process for what held up its own questions', async () => {
    const heldUp = async () => {
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1_100);
      return false;
    };
    expect(await questions(heldUp, heldUp)).toBe(2 + MOST_UNANSWERED);
  });

  it('gives up a question that is not answered, and ends when it is told to', async () => {
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
