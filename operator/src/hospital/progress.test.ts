import { setImmediate } from 'node:timers/promises';
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
});
