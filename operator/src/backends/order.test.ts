import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import type { Backend } from './backend.ts';
import { inOrder, needs, requireOrder } from './order.ts';

/** @param needs names of each backend's needs. */
function backendsThatNeed(needs: readonly (readonly [string, readonly string[]])[]): readonly Backend[] {
  return needs.map(([name, others]) => {
    const descriptor = { name, needs: others.map((other) => ({ name: other, despite: [] })) };
    return { descriptor } as unknown as Backend;
  });
}

const CHAIN = backendsThatNeed([
  ['c', ['b']],
  ['a', []],
  ['b', ['a']],
  ['free', []],
]);

/** Runs them in an order. @returns the order of starts and ends, and the results. */
async function run(follows: typeof needs) {
  const log: string[] = [];
  const results = await inOrder<string>(CHAIN, follows, async ({ descriptor: { name } }, earlier) => {
    log.push(`+${name}`);
    await setImmediate();
    log.push(`-${name}`);
    return [...earlier, name].join('');
  });
  return { log, results };
}

describe('the order of backends', () => {
  it('runs each after those that it needs, with their results, and independent ones in parallel', async () => {
    const { log, results } = await run(needs);
    expect(results).toEqual(['abc', 'a', 'ab', 'free']);
    expect(log.slice(0, 2)).toEqual(['+a', '+free']);
    expect(log.filter((entry) => !entry.includes('free'))).toEqual(['+a', '-a', '+b', '-b', '+c', '-c']);
  });

  it('is the reverse for removals', async () => {
    const { log, results } = await run((one, other) => needs(other, one));
    expect(results).toEqual(['c', 'cba', 'cb', 'free']);
    expect(log.slice(0, 2)).toEqual(['+c', '+free']);
    expect(log.filter((entry) => !entry.includes('free'))).toEqual(['+c', '-c', '+b', '-b', '+a', '-a']);
  });

  it.each([
    ['an unknown backend', [['a', ['b']]], 'backends that need an unknown one or each other: a'],
    [
      'each other',
      [
        ['a', ['b']],
        ['b', ['a']],
        ['c', []],
      ],
      'backends that need an unknown one or each other: a, b',
    ],
    [
      'the same name',
      [
        ['a', []],
        ['a', []],
      ],
      'two backends have the name a',
    ],
  ] as const)('is refused for backends with %s', (_, needs, message) => {
    expect(() => requireOrder(backendsThatNeed(needs))).toThrow(message);
    expect(() => requireOrder(CHAIN)).not.toThrow();
  });
});
