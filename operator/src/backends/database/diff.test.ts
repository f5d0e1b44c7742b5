import type { Hospital } from '@hms/database';
import { describe, expect, it } from '@jest/globals';
import { tenantOf } from '../../hospital/tenant.ts';
import { hospitalObject } from '../../hospital/testing.ts';
import { databaseChanges, type ObservedDatabase, ownerMark, refuseStale } from './diff.ts';

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
  open: true,
  row,
  version: NEWEST,
  repairs: [],
  damage: [],
  lost: [],
};
const nothing: ObservedDatabase = {
  role: undefined,
  schema: undefined,
  open: false,
  row: { ...row, state: 'Provisioning', schemaVersion: 0 },
  version: 0,
  repairs: [],
  damage: [],
  lost: [],
};
const kinds = (observed: ObservedDatabase, of = tenant) =>
  databaseChanges(of, observed, NEWEST).map(({ kind }) => kind);

describe('databaseChanges', () => {
  it('makes role, schema and migrations, and lets the modules in last', () => {
    expect(kinds(nothing)).toEqual(['role', 'schema', 'migrate', 'open', 'row']);
  });

  it('finds nothing in a hospital as it was made', () => {
    expect(kinds(settled)).toEqual([]);
  });

  it('leaves the migrations of a hospital that is served to its turn', () => {
    const behind = { ...settled, version: NEWEST - 1, row: { ...row, schemaVersion: NEWEST - 1 } };
    expect(kinds(behind)).toEqual([]);
  });

  it('migrates a hospital that comes back before anybody is let in', () => {
    const back = {
      ...settled,
      open: false,
      version: 1,
      row: { ...row, schemaVersion: 1, state: 'Provisioning' },
    } as const;
    expect(kinds(back)).toEqual(['migrate', 'open', 'row']);
  });

  it("puts the schema's real version into a registry row that says another", () => {
    expect(kinds({ ...settled, row: { ...row, schemaVersion: 0 } })).toEqual(['version']);
  });

  it('closes a suspended hospital and opens it again', () => {
    const suspended = { ...tenant, suspended: true };
    expect(kinds(settled, suspended)).toEqual(['login', 'close', 'row']);
    const closed: ObservedDatabase = {
      ...settled,
      role: { owner: mark, canLogin: false, connectionLimit: 20 },
      open: false,
      row: { ...row, state: 'Suspended' },
    };
    expect(kinds(closed, suspended)).toEqual([]);
    expect(kinds(closed)).toEqual(['login', 'open', 'row']);
  });

  it('restores what can be restored, and reports what can not, also when both are there', () => {
    const repair = { action: 'delete', object: 'trigger spy of table h_st_mary.patients', statement: 'DROP' } as const;
    const damaged = { ...settled, damage: ['column email of table h_st_mary.patients is missing'] };
    expect(kinds({ ...settled, repairs: [repair] })).toEqual(['restore']);
    expect(() => kinds(damaged)).toThrow(/h_st_mary differs from version 3: column email of .* is missing/);
    const both = databaseChanges(tenant, { ...damaged, repairs: [repair] }, NEWEST);
    expect(both.map(({ kind }) => kind)).toEqual(['restore', 'damage']);
    expect(both[1]?.error?.kind).toBe('SchemaDamaged');
  });

  it('makes no empty schema in place of one that is gone', () => {
    const gone = { ...settled, schema: undefined, version: 0 };
    expect(() => kinds(gone)).toThrow(/schema h_st_mary is missing .* every record .* restore it from a backup/);
    expect(() => kinds({ ...gone, row: { ...row, state: 'Provisioning' } })).toThrow(/is missing/);
    expect(kinds({ ...gone, row: { ...row, schemaVersion: 0 } })).toEqual(['schema', 'migrate']);
  });

  it('makes no empty tables in place of those that are gone', () => {
    const lost = { ...settled, lost: ['patients', 'families'] };
    expect(() => kinds(lost)).toThrow(/h_st_mary has lost tables patients, families with all records in it/);
    expect(() => kinds({ ...lost, version: 0 })).toThrow(/has lost tables/);
  });

  it('gives a role that was made again its rights in the schema', () => {
    expect(kinds({ ...settled, role: undefined, open: false })).toEqual(['role', 'grants', 'open']);
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
  ])("refuses somebody else's %s", (_, observed, sentence) => {
    expect(() => databaseChanges(tenant, observed, NEWEST)).toThrow(sentence);
  });

  it('takes over what has no mark when told to', () => {
    const adopting = { ...tenant, adoptUnowned: true };
    expect(kinds({ ...settled, schema: { owner: null } }, adopting)).toEqual(['schemaMark']);
  });
});

describe('refuseStale', () => {
  const changes = databaseChanges(tenant, nothing, NEWEST);

  it('lets a new schema be made beside a row that never had one', () => {
    expect(() => refuseStale(tenant, changes, nothing.row)).not.toThrow();
  });

  it('makes no schema where the row went between the looks, or came back with one that is gone', () => {
    const unseen = databaseChanges(tenant, { ...nothing, row: undefined }, NEWEST);
    expect(() => refuseStale(tenant, unseen, undefined)).toThrow(/retrying/);
    expect(() => refuseStale(tenant, unseen, row)).toThrow(/retrying/);
  });
});
