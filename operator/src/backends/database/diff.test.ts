import type { Hospital } from '@hms/database';
import { ownerMark } from '@hms/database';
import { TENANT_ROLES } from '@hms/tenancy';
import { describe, expect, it } from '@jest/globals';
import { tenantOf } from '../../hospital/tenant.ts';
import { hospitalObject } from '../../hospital/testing.ts';
import { databaseChanges, type ObservedDatabase, refuseStale } from './diff.ts';

const tenant = tenantOf(hospitalObject(), 'our-id', { baseUrl: 'http://localhost:8000', domain: 'localhost' });
const mark = ownerMark(tenant);
const NEWEST = 3;
const row: Hospital = {
  id: 'our-id',
  prefix: 'st-mary',
  ownerUid: tenant.uid,
  ...tenant.profile,
  state: 'Active',
  schemaVersion: NEWEST,
};
const settled: ObservedDatabase = {
  role: { owner: mark, canLogin: true, connectionLimit: 20 },
  schema: { owner: mark },
  openTo: TENANT_ROLES,
  row,
  version: NEWEST,
  repairs: [],
  damage: [],
  tuning: [],
  lost: [],
};
const nothing: ObservedDatabase = {
  role: undefined,
  schema: undefined,
  openTo: [],
  row: { ...row, state: 'Provisioning', schemaVersion: 0 },
  version: 0,
  repairs: [],
  damage: [],
  tuning: [],
  lost: [],
};
const kinds = (observed: ObservedDatabase, of = tenant) =>
  databaseChanges(of, observed, NEWEST).map(({ kind }) => kind);

describe('databaseChanges', () => {
  it('creates role, schema and migrations, and opens the hospital for the modules last', () => {
    expect(kinds(nothing)).toEqual(['role', 'schema', 'migrate', 'open', 'row']);
  });

  it('finds no difference in an unchanged hospital', () => {
    expect(kinds(settled)).toEqual([]);
  });

  it('does not migrate a hospital that is served', () => {
    const behind = { ...settled, version: NEWEST - 1, row: { ...row, schemaVersion: NEWEST - 1 } };
    expect(kinds(behind)).toEqual([]);
  });

  it('does not migrate a schema that it may not read', () => {
    const repairs = [
      { action: 'update' as const, object: `owner of schema ${tenant.names.schema}`, statement: 'ALTER' },
    ];
    expect(kinds({ ...settled, version: 0, repairs })).toEqual(['restore']);
  });

  it('migrates a returning hospital before it is opened', () => {
    const back = {
      ...settled,
      openTo: [],
      version: 1,
      row: { ...row, schemaVersion: 1, state: 'Provisioning' },
    } as const;
    expect(kinds(back)).toEqual(['migrate', 'open', 'row']);
  });

  it('corrects a wrong schema version in the registry row', () => {
    expect(kinds({ ...settled, row: { ...row, schemaVersion: 0 } })).toEqual(['version']);
  });

  it('corrects a theme and settings that are too few, too many or others', () => {
    const { theme, settings } = tenant.profile;
    const changed: readonly (readonly [Partial<Hospital>, string])[] = [
      [{ theme: { ...theme, logo: 'branding/spy.svg' } }, 'theme.logo'],
      [{ settings: { ...settings, address: 'Elsewhere' } }, 'settings.address'],
      [{ settings: { ...settings, rejectDuplicates: true } }, 'settings.rejectDuplicates'],
    ];
    for (const [change, detail] of changed) {
      const changes = databaseChanges(tenant, { ...settled, row: { ...row, ...change } }, NEWEST);
      expect(changes).toEqual([{ kind: 'row', action: 'update', object: 'registry row st-mary', detail }]);
    }
    const named = { ...tenant, profile: { ...tenant.profile, settings: { ...settings, phone: '+35315550100' } } };
    expect(kinds(settled, named)).toEqual(['row']);
  });

  it('closes a suspended hospital and opens it again', () => {
    const suspended = { ...tenant, suspended: true };
    expect(kinds(settled, suspended)).toEqual(['login', 'close', 'row']);
    const closed: ObservedDatabase = {
      ...settled,
      role: { owner: mark, canLogin: false, connectionLimit: 20 },
      openTo: [],
      row: { ...row, state: 'Suspended' },
    };
    expect(kinds(closed, suspended)).toEqual([]);
    expect(kinds(closed)).toEqual(['login', 'open', 'row']);
  });

  it.each(TENANT_ROLES)('notices that only %s may act as the hospital', (role) => {
    const partly = { ...settled, openTo: [role] };
    expect(kinds(partly)).toEqual(['open']);
    expect(kinds(partly, { ...tenant, suspended: true })).toContain('close');
  });

  it('restores what it can, and reports the rest', () => {
    const repair = { action: 'delete', object: 'trigger spy of table h_st_mary.patients', statement: 'DROP' } as const;
    const damaged = { ...settled, damage: ['column email of table h_st_mary.patients is missing'] };
    expect(kinds({ ...settled, repairs: [repair] })).toEqual(['restore']);
    expect(() => kinds(damaged)).toThrow(/h_st_mary differs from version 3: column email of .* is missing/);
    const both = databaseChanges(tenant, { ...damaged, repairs: [repair] }, NEWEST);
    expect(both.map(({ kind }) => kind)).toEqual(['restore', 'damage']);
    expect(both[1]?.error?.kind).toBe('SchemaDamaged');
  });

  it('does not create an empty schema in place of a lost one', () => {
    const withoutSchema = { ...settled, schema: undefined, version: 0 };
    expect(() => kinds(withoutSchema)).toThrow(
      /schema h_st_mary is missing .* every record .* restore it from a backup/,
    );
    expect(() => kinds({ ...withoutSchema, row: { ...row, state: 'Provisioning' } })).toThrow(/is missing/);
    expect(kinds({ ...withoutSchema, row: { ...row, schemaVersion: 0 } })).toEqual(['schema', 'migrate']);
  });

  it('does not create empty tables in place of lost ones', () => {
    const lost = { ...settled, lost: ['patients', 'families'] };
    expect(() => kinds(lost)).toThrow(/h_st_mary has lost tables patients, families with all records in it/);
    expect(() => kinds({ ...lost, version: 0 })).toThrow(/has lost tables/);
  });

  it('grants a new role its privileges in an existing schema', () => {
    expect(kinds({ ...settled, role: undefined, openTo: [] })).toEqual(['role', 'grants', 'open']);
  });

  it.each([
    [
      'schema',
      { ...settled, schema: { owner: 'hms hospital another' } },
      /schema h_st_mary .* belongs to somebody else/,
    ],
    [
      'role',
      { ...settled, role: { owner: null, canLogin: true, connectionLimit: 20 } },
      /role h_st_mary .* without an owner's mark/,
    ],
  ])('refuses a %s of another owner', (_, observed, sentence) => {
    expect(() => databaseChanges(tenant, observed, NEWEST)).toThrow(sentence);
  });

  it('adopts unmarked objects if adoption allows it', () => {
    const adopting = { ...tenant, adoptUnowned: true };
    expect(kinds({ ...settled, schema: { owner: null } }, adopting)).toEqual(['schemaMark']);
  });
});

describe('refuseStale', () => {
  const changes = databaseChanges(tenant, nothing, NEWEST);

  it('allows a new schema if the row never had one', () => {
    expect(() => refuseStale(tenant, changes, nothing.row)).not.toThrow();
  });

  it('creates no schema if the row has disappeared meanwhile, or records a lost one', () => {
    const unseen = databaseChanges(tenant, { ...nothing, row: undefined }, NEWEST);
    expect(() => refuseStale(tenant, unseen, undefined)).toThrow(/retrying/);
    expect(() => refuseStale(tenant, unseen, row)).toThrow(/retrying/);
  });
});
