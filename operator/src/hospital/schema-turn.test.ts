import { hospitalNames } from '@hms/tenancy';
import { describe, expect, it } from '@jest/globals';
import { planOf } from './conditions.ts';
import { progress, refuseNone, withMigration } from './schema-turn.ts';
import { hospitalObject, FINE as outcomes } from './testing.ts';

const at = (name: string, schemaVersion?: number) =>
  hospitalObject({ name, status: schemaVersion === undefined ? {} : { schemaVersion } });

describe('progress', () => {
  it('counts hospitals with the newest schema, and skips those without a schema', () => {
    const hospitals = [at('a', 3), at('b', 2), at('c', 4), at('d')];
    expect(progress(hospitals, new Set(), 3)).toEqual({ done: 2, all: 3 });
  });

  it('counts a hospital that was migrated before its status says so', () => {
    expect(progress([at('a', 2), at('b', 2)], new Set(['b']), 3)).toEqual({ done: 1, all: 2 });
  });
});

describe('refuseNone', () => {
  it('retries if the schema of a provisioned hospital is missing', () => {
    const names = hospitalNames('st-mary');
    expect(() => refuseNone(names, { version: 0, newest: 3 })).toThrow(/^schema h_st_mary was changed .*retrying$/);
    expect(refuseNone(names, { version: 1, newest: 3 })).toEqual({ version: 1, newest: 3 });
  });
});

describe('withMigration', () => {
  const names = hospitalNames('st-mary');
  const behind = { reason: 'MigrationPending', message: 'until it is its turn' } as const;

  it('plans the migration of a schema that is behind', () => {
    const planned = withMigration(outcomes, names, { version: 2, newest: 3, behind });
    expect(planOf(planned).plan).toEqual(['database: update schema h_st_mary (version 2 to 3)']);
  });

  it.each([
    ['is the newest', { version: 3, newest: 3 }],
    ['is still to be made', { version: 0, newest: 3, behind }],
    ['could not be read', undefined],
  ])('adds nothing for a schema that %s', (_, schema) => {
    expect(withMigration(outcomes, names, schema)).toBe(outcomes);
  });
});
