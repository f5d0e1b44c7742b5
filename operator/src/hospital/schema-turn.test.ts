import { describe, expect, it } from '@jest/globals';
import { progress } from './schema-turn.ts';
import { hospitalObject } from './testing.ts';

const at = (name: string, schemaVersion?: number) =>
  hospitalObject({ name, status: schemaVersion === undefined ? {} : { schemaVersion } });

describe('progress', () => {
  it('counts what has the newest schema, and leaves out what has none yet', () => {
    const hospitals = [at('a', 3), at('b', 2), at('c', 4), at('d')];
    expect(progress(hospitals, new Set(), 3)).toEqual({ done: 2, all: 3 });
  });

  it('counts a hospital that was migrated before its status says so', () => {
    expect(progress([at('a', 2), at('b', 2)], new Set(['b']), 3)).toEqual({ done: 1, all: 2 });
  });
});
