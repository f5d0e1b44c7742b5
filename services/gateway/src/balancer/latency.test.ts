import { describe, expect, test } from '@jest/globals';
import { picker } from './algorithms.ts';
import { Health } from './health.ts';
import { clock, Latency } from './latency.ts';
import type { Member } from './member.ts';

describe('the expected latency', () => {
  test.each<[string, readonly (readonly [at: number, seconds: number])[], number, number]>([
    ['without any answer', [], 5, 0],
    ['one answer after the decay', [[10, 1]], 10, 1 - 1 / Math.E],
    ['the same, a decay later', [[10, 1]], 20, (1 - 1 / Math.E) / Math.E],
    [
      'an answer long after the others counts nearly alone',
      [
        [10, 5],
        [200, 1],
      ],
      200,
      1,
    ],
    [
      'an answer right after another counts little',
      [
        [100, 1],
        [100.001, 9],
      ],
      100.001,
      1.0008,
    ],
    ['long after all answers', [[10, 5]], 500, 0],
  ])('%s', (_name, answers, now, expected) => {
    const latency = new Latency([], 0);
    for (const [at, seconds] of answers) latency.observe(seconds, at);
    expect(latency.expected(now)).toBeCloseTo(expected, 3);
  });

  test('of a new member is the average of the existing ones', () => {
    const others = [1, 3].map((seconds) => {
      const latency = new Latency([], 0);
      latency.observe(seconds, 1000);
      return latency;
    });
    expect(new Latency(others, 1000).expected(1000)).toBeCloseTo(2);
  });
});

describe('the pick', () => {
  test.each<[string, readonly Partial<Member>[], readonly number[], readonly number[], string[]]>([
    ['goes to the fastest', [{}, {}, {}], [3, 1, 2], [], ['b', 'b']],
    ['considers the weight', [{ weight: 400 }, { weight: 100 }], [3, 1], [], ['a', 'a']],
    ['takes turns between equals', [{}, {}], [0, 0], [], ['a', 'b', 'a']],
    ['skips members that have failed already', [{}, {}, {}], [3, 1, 2], [1], ['c']],
    ['uses a failed member when no other is left', [{ weight: 0 }, {}], [1, 1], [1], ['b']],
  ])('%s', (_name, overrides, seconds, tried, expected) => {
    const members = overrides.map((own, index) => member('abc'[index] ?? '', seconds[index] ?? 0, own));
    const pick = picker('latency', members);
    const triedMembers = new Set(members.filter((_member, index) => tried.includes(index)));
    expect(expected.map(() => pick(undefined, triedMembers)?.host)).toEqual(expected);
  });

  test('skips unhealthy members', () => {
    const members = [member('a', 1), member('b', 2)];
    members[0]?.health.set(false);
    expect(picker('latency', members)(undefined, new Set())?.host).toBe('b');
  });
});

function member(host: string, seconds: number, own: Partial<Member> = {}): Member {
  const latency = new Latency([], clock() - 1000);
  latency.observe(seconds);
  const address = { target: `${host}:80`, host, ip: host, port: 80, health: new Health(), latency };
  return { ...address, stop: new AbortController(), weight: 100, turn: 0, connections: 0, ...own };
}
