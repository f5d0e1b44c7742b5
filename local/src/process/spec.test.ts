import { describe, expect, it } from '@jest/globals';
import { type AnyStep, stopOrder } from './spec.ts';

function task(name: string, ...after: string[]): AnyStep {
  return { kind: 'task', name, after, run: async () => undefined };
}

describe('stopOrder', () => {
  it('stops dependencies after their dependents, and independent steps together', () => {
    const steps = [
      task('db'),
      task('setup', 'db'),
      task('identity', 'setup'),
      task('mail'),
      task('operator', 'identity', 'mail'),
    ];
    expect(stopOrder(steps)).toEqual([['operator'], ['identity', 'mail'], ['setup'], ['db']]);
  });

  it('refuses circular dependencies', () => {
    expect(() => stopOrder([task('a', 'b'), task('b', 'a')])).toThrow();
  });
});
