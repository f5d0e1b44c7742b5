import { setImmediate } from 'node:timers/promises';
import type { Condition } from '@hms/hospitals';
import { describe, expect, it } from '@jest/globals';
import { Progress } from './progress.ts';
import { hospitalObject } from './testing.ts';

describe('Progress', () => {
  it('reports a failed write from end(), without an unhandled rejection', async () => {
    const unheard: unknown[] = [];
    const listen = (reason: unknown) => unheard.push(reason);
    process.on('unhandledRejection', listen);
    const progress = new Progress(hospitalObject(), {}, () =>
      Promise.reject(new Error('the API server is unavailable')),
    );
    await setImmediate();
    process.off('unhandledRejection', listen);
    expect(unheard).toEqual([]);
    await expect(progress.end()).rejects.toThrow('the API server is unavailable');
  });

  it.each([
    ['Active', 'True', 'Suspended', 1],
    ['Suspended', 'False', 'Active', 1],
    ['Active', 'False', 'Active', 0],
  ] as const)('of a hospital that is to be %s and was last %s: %s', async (state, status, reason, writes) => {
    let written = 0;
    const conditions = [condition('Ready', 'True', 'Ready'), condition('Suspended', status, reason)];
    const hospital = { ...hospitalObject({ spec: { state } }), status: { conditions } };
    const progress = new Progress(hospital, {}, async (shown) => {
      written += 1;
      return shown;
    });
    await progress.end();
    expect(written).toBe(writes);
  });
});

function condition(type: Condition['type'], status: 'True' | 'False', reason: string) {
  return { type, status, reason, message: '', observedGeneration: 1, lastTransitionTime: '2026-01-01T00:00:00Z' };
}
