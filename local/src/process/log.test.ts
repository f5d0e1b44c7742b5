import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { lastLines, openLog, rotate } from './log.ts';
import { inFolder } from './testing.ts';

describe('rotate', () => {
  it('rotates a large log while its writer keeps appending', () =>
    inFolder(async (folder) => {
      const file = path.join(folder, 'x.log');
      const { descriptor } = openLog(file);
      fs.writeSync(descriptor, 'old\n'.repeat(100));
      rotate(file, 100);
      fs.writeSync(descriptor, 'new\n');
      fs.closeSync(descriptor);
      expect(fs.readFileSync(file, 'utf8')).toBe('new\n');
      expect(fs.readFileSync(`${file}.1`, 'utf8')).toBe('old\n'.repeat(100));
    }));

  it('ignores a small or missing log', () =>
    inFolder(async (folder) => {
      const file = path.join(folder, 'x.log');
      rotate(file, 100);
      fs.writeFileSync(file, 'old\n');
      rotate(file, 100);
      expect(fs.readdirSync(folder)).toEqual(['x.log']);
    }));
});

describe('lastLines', () => {
  it('returns only the last lines of this run', () =>
    inFolder(async (folder) => {
      const file = path.join(folder, 'x.log');
      fs.writeFileSync(file, 'before\n');
      const { descriptor, from } = openLog(file);
      fs.writeSync(descriptor, 'one\ntwo\n\nthree\n');
      fs.closeSync(descriptor);
      expect(lastLines(file, from, 2)).toEqual(['two', 'three']);
      expect(lastLines(file, from, 10)).toEqual(['one', 'two', 'three']);
    }));
});
