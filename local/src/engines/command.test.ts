import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { inFolder } from '../process/testing.ts';
import { run } from './command.ts';

describe('run', () => {
  it('reports the progress of a command by its last line', () =>
    inFolder(async (folder) => {
      const log = path.join(folder, 'build.log');
      let now = () => '';
      const progress = (set: () => string) => {
        now = set;
      };
      await run(process.execPath, ['-e', 'console.log("package one"); console.error("package two")'], {
        log,
        progress,
      });
      expect(now()).toBe('package two');
    }));

  it('repeats the last line of a failed command, and names the log', () =>
    inFolder(async (folder) => {
      const log = path.join(folder, 'build.log');
      const failure = run(process.execPath, ['-e', 'console.log("no room"); process.exit(2)'], {
        log,
        progress: () => undefined,
      });
      await expect(failure).rejects.toThrow(`node ended with code 2: no room (all of it: ${log})`);
      expect(fs.readFileSync(log, 'utf8')).toContain('no room');
    }));
});
