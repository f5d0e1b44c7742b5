import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { inFolder } from '../process/testing.ts';
import { lineReport, silent } from '../report.ts';
import { obtain, type Source, type Wanted } from './cache.ts';

function wanted(...sources: Source[]): Wanted {
  return { folder: 'engine-1.2.3', title: 'Engine 1.2.3', advice: 'Install Engine.', sources };
}

function works(): Source {
  return { doing: 'building Engine', fill: async (into) => fs.writeFileSync(path.join(into, 'engine'), 'whole') };
}

function fails(doing: string, why: string): Source {
  return {
    doing,
    async fill(into) {
      fs.writeFileSync(path.join(into, 'engine'), 'half');
      throw new Error(why);
    },
  };
}

describe('obtain', () => {
  it('falls back to the source that works, and keeps nothing of failed ones', () =>
    inFolder(async (cache) => {
      const folder = await obtain(cache, wanted(fails('downloading Engine', 'offline'), works()), silent);
      expect(fs.readFileSync(path.join(folder, 'engine'), 'utf8')).toBe('whole');
      expect(fs.readdirSync(cache).filter((name) => name.endsWith('.tmp'))).toEqual([]);
    }));

  it('reports why a source failed and which one is next', () =>
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

  it('names the engine, the attempts and what to install if no source works', () =>
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

  it('does the work once for parallel calls', () =>
    inFolder(async (cache) => {
      let times = 0;
      const source: Source = {
        doing: 'building',
        async fill() {
          times += 1;
        },
      };
      await Promise.all([obtain(cache, wanted(source), silent), obtain(cache, wanted(source), silent)]);
      expect(times).toBe(1);
    }));

  it('removes what an interrupted attempt left behind', () =>
    inFolder(async (cache) => {
      fs.mkdirSync(path.join(cache, 'engine-1.2.3.0a1b.tmp'));
      await obtain(cache, wanted(works()), silent);
      expect(fs.readdirSync(cache)).not.toContain('engine-1.2.3.0a1b.tmp');
    }));
});
