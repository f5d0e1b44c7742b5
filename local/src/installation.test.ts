import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { PROJECT } from './layout.ts';

interface Locked {
  readonly optional?: boolean;
  readonly engines?: { readonly node?: string };
}

describe('npm ci', () => {
  it('installs everything that the platform needs with the npm of any Node, even if npm skips optional packages', () => {
    const lock = JSON.parse(fs.readFileSync(path.join(PROJECT, 'package-lock.json'), 'utf8')) as {
      packages: Readonly<Record<string, Locked>>;
    };
    const skipped = Object.entries(lock.packages).filter(
      ([, { optional, engines }]) => optional && /^>=\s*v?(2[1-9]|[3-9]\d)/.test(engines?.node ?? ''),
    );
    expect(skipped.map(([name]) => name)).toEqual([]);
  });
});
