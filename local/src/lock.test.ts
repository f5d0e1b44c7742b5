import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { withLock } from './lock.ts';
import { inFolder } from './process/testing.ts';

const HOLDER = `
const { withLock } = await import(process.argv[1]);
await withLock(process.argv[2], () => { console.log('held'); return new Promise(() => setInterval(() => {}, 1000)); });
`;

describe('withLock', () => {
  it('admits one at a time', () =>
    inFolder(async (folder) => {
      const file = path.join(folder, 'x.lock');
      let inside = 0;
      let most = 0;
      await Promise.all(
        [1, 2, 3].map(() =>
          withLock(file, async () => {
            inside += 1;
            most = Math.max(most, inside);
            await new Promise(setImmediate);
            inside -= 1;
          }),
        ),
      );
      expect(most).toBe(1);
    }));

  it('names its holder, and is free as soon as the holder is killed', () =>
    inFolder(async (folder) => {
      const file = path.join(folder, 'x.lock');
      const child = spawn(process.execPath, [
        '--input-type=module',
        '-e',
        HOLDER,
        path.join(import.meta.dirname, 'lock.ts'),
        file,
      ]);
      try {
        await once(child.stdout, 'data');
        const waited: string[] = [];
        await expect(
          withLock(file, async () => 'in', { timeout: 100, onWait: (holder) => waited.push(holder) }),
        ).rejects.toThrow(/still held by process/);
        expect(waited).toEqual([`process ${child.pid}`]);
      } finally {
        child.kill('SIGKILL');
      }
      await once(child, 'exit');
      await expect(withLock(file, async () => 'in')).resolves.toBe('in');
    }));

  it('is free again after a failure', () =>
    inFolder(async (folder) => {
      const file = path.join(folder, 'x.lock');
      await expect(withLock(file, () => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
      await expect(withLock(file, async () => 'in')).resolves.toBe('in');
    }));
});
