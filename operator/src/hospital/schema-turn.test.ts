import { hospitalNames } from '@hms/tenancy';
import { describe, expect, it } from '@jest/globals';
import { planOf } from './conditions.ts';
import { refuseNone, withMigration } from './schema-turn.ts';
import { FINE as outcomes } from './testing.ts';

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
