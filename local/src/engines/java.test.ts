import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { inFolder } from '../process/testing.ts';
import { findJava, majorOf } from './java.ts';

describe('majorOf', () => {
  it.each([
    ['openjdk version "17.0.15" 2025-04-15', 17],
    ['java version "1.8.0_402"', 8],
    ['openjdk version "25" 2025-09-16', 25],
    ['other text', undefined],
  ])('reads %j', (text, major) => {
    expect(majorOf(text)).toBe(major);
  });
});

describe('findJava', () => {
  it('says what to install if there is none', () =>
    inFolder(async (folder) => {
      await expect(findJava({ PATH: folder })).rejects.toThrow(/no java on PATH.*Java 17 or newer/);
    }));

  it('refuses one that is too old, and names it', () =>
    inFolder(async (folder) => {
      const java = path.join(folder, 'bin', 'java');
      fs.mkdirSync(path.dirname(java));
      fs.writeFileSync(java, '#!/bin/sh\necho \'openjdk version "11.0.2"\' >&2\n', { mode: 0o755 });
      await expect(findJava({ PATH: process.env.PATH ?? '', JAVA_HOME: folder })).rejects.toThrow(
        `${java} is Java 11.`,
      );
    }));

  it('refuses a JAVA_HOME without Java', () =>
    inFolder(async (folder) => {
      await expect(findJava({ PATH: process.env.PATH ?? '', JAVA_HOME: folder })).rejects.toThrow(
        /from JAVA_HOME\) can't be run/,
      );
    }));
});
