import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { inFolder } from '../process/testing.ts';
import { lineReport, silent } from '../report.ts';
import { obtain, type Wanted, type Way } from './cache.ts';

function wanted(...ways: Way[]): Wanted {
  return { folder: 'engine-1.2.3', title: 'Engine 1.2.3', advice: 'Install Engine.', ways };
}

function works(): Way {
  return { doing: 'building Engine', fill: async (into) => fs.writeFileSync(path.join(into, 'engine'), 'whole') };
}

function fails(doing: string, why: string): Way {
  return {
    doing,
    async fill(into) {
      fs.writeFileSync(path.join(into, 'engine'), 'half');
      throw new Error(why);
    },
  };
}

describe('obtain', () => {
  it('falls through to the way that works, and keeps nothing of those that failed', () =>
    inFolder(async (cache) => {
      const folder = await obtain(cache, wanted(fails('downloading Engine', 'offline'), works()), silent);
      expect(fs.readFileSync(path.join(folder, 'engine'), 'utf8')).toBe('whole');
      expect(fs.readdirSync(cache).filter((name) => name.endsWith('.tmp'))).toEqual([]);
    }));

  it('says why a way failed and which one comes next', () =>
    inFolder(async (cache) => {
      const written: string[] = [];
      const report = lineReport((line) => written.push(line));
      await obtain(cache, wanted(fails('downloading Engine', 'example.org answered 503'), works()), report);
      expect(written).toEqual([
        '  … downloading Engine',
        expect.stringMatching(
          /downloading Engine: not possible here, .*: example.org answered 503; next: building Engine$/,
        ),
        '  … building Engine',
        expect.stringContaining('✓ building Engine'),
      ]);
    }));

  it('names the engine, what was tried and what to install when no way works', () =>
    inFolder(async (cache) => {
      const failure = obtain(
        cache,
        wanted(fails('downloading Engine', 'offline'), fails('building Engine', 'there is no go')),
        silent,
      );
      await expect(failure).rejects.toThrow(
        /Engine 1.2.3 .*\n.*downloading Engine: offline\n.*building Engine: there is no go\nInstall Engine\./,
      );
      expect(fs.existsSync(path.join(cache, 'engine-1.2.3'))).toBe(false);
    }));

  it('does the work once when two ask at once', () =>
    inFolder(async (cache) => {
      let times = 0;
      const way: Way = {
        doing: 'building',
        async fill() {
          times += 1;
        },
      };
      await Promise.all([obtain(cache, wanted(way), silent), obtain(cache, wanted(way), silent)]);
      expect(times).toBe(1);
    }));

  it('clears away what an attempt left that was cut off', () =>
    inFolder(async (cache) => {
      fs.mkdirSync(path.join(cache, 'engine-1.2.3.0a1b.tmp'));
      await obtain(cache, wanted(works()), silent);
      expect(fs.readdirSync(cache)).not.toContain('engine-1.2.3.0a1b.tmp');
    }));
});
