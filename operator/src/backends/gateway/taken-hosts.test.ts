import { describe, expect, it } from '@jest/globals';
import { tenantOf } from '../../hospital/tenant.ts';
import { hospitalObject } from '../../hospital/testing.ts';
import type { KongEntity } from './client.ts';
import { hospitalEntities } from './hospital-entities.ts';
import { type EntityChange, entityChanges } from './sync.ts';
import { newHosts, refuseTaken } from './taken-hosts.ts';

const HOST = 'portal.hope.example';
const tenant = (name: string, hosts: string[]) =>
  tenantOf(hospitalObject({ name, spec: { gateway: { hosts, origins: [], rateLimits: {} } } }), `id of ${name}`, {
    baseUrl: 'https://hms.example',
    domain: 'hms.example',
  });
const hope = tenant('hope', [HOST]);

/** The gateway's entities of a hospital as it gives them, by collection. */
const found = (of: typeof hope) =>
  Map.groupBy(
    hospitalEntities(of, 'key').map(({ collection, id, body }) => ({ collection, entity: { ...body, id } })),
    ({ collection }) => collection,
  );
const observed = (of: typeof hope) =>
  new Map([...found(of)].map(([collection, entries]) => [collection, entries.map(({ entity }) => entity)]));
const routes = (of: typeof hope): readonly KongEntity[] => observed(of).get('routes') ?? [];
const changes = (of: typeof hope, before: typeof hope): readonly EntityChange[] =>
  entityChanges(hospitalEntities(of, 'key'), observed(before));

describe('newHosts', () => {
  it('are those of routes that are made, and of those whose hosts change', () => {
    expect(newHosts(hope, entityChanges(hospitalEntities(hope, 'key'), new Map()))).toEqual([HOST]);
    expect(newHosts(hope, changes(hope, tenant('hope', ['hope.example'])))).toEqual([HOST]);
  });

  it('are none where nothing changes, or something else', () => {
    expect(newHosts(hope, changes(hope, hope))).toEqual([]);
    expect(newHosts(hope, changes({ ...hope, suspended: true }, hope))).toEqual([]);
    expect(newHosts(hope, changes(hope, { ...hope, uid: 'another' }))).toEqual([]);
  });

  it('are none where the object names none, as its name is nobody else’s', () => {
    const plain = tenant('hope', []);
    expect(newHosts(plain, entityChanges(hospitalEntities(plain, 'key'), new Map()))).toEqual([]);
  });
});

describe('refuseTaken', () => {
  it('names the host, the hospital that has it and the tag to delete', () => {
    expect(() => refuseTaken(hope, [HOST], routes(tenant('mercy', ['mercy.example', HOST])))).toThrow(
      `host ${HOST} is held by routes of hospital mercy in the gateway: take it out of spec.gateway.hosts, or, where that hospital is gone, delete the routes with the tag hms-tenant-mercy in the gateway`,
    );
  });

  it('leaves alone its own routes, those of other hosts and those of no hospital', () => {
    const others = [...routes(hope), ...routes(tenant('mercy', [])), { id: 'x', hosts: [HOST], tags: null }];
    expect(() => refuseTaken(hope, [HOST], others)).not.toThrow();
  });
});
