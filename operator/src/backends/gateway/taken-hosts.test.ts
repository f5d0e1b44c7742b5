import { describe, expect, it } from '@jest/globals';
import { tenantOf } from '../../hospital/tenant.ts';
import { hospitalObject } from '../../hospital/testing.ts';
import type { KongEntity } from './client.ts';
import { hospitalEntities } from './hospital-entities.ts';
import { takenHosts } from './taken-hosts.ts';

const HOST = 'portal.hope.example';

/** The routes of a hospital as the gateway returns them. */
function routesOf(name: string, hosts: string[]): readonly KongEntity[] {
  const object = hospitalObject({ name, spec: { gateway: { hosts, origins: [], rateLimits: {} } } });
  const settings = { baseUrl: 'https://hms.example', domain: 'hms.example' };
  return hospitalEntities(tenantOf(object, `id of ${name}`, settings), 'key')
    .filter(({ collection }) => collection === 'routes')
    .map(({ id, body }) => ({ ...body, id }));
}

describe('takenHosts', () => {
  it('names the host, its hospital and the tag to delete', () => {
    const routes = routesOf('mercy', ['mercy.example', HOST]);
    expect([...takenHosts('hope', [HOST, 'own.example'], routes)]).toEqual([
      [
        HOST,
        `host ${HOST} is held by routes of hospital mercy in the gateway: remove it from spec.gateway.hosts, or, where that hospital is gone, delete the routes with the tag hms-tenant-mercy in the gateway`,
      ],
    ]);
  });

  it('ignores its own routes, those of other hosts and those of no hospital', () => {
    const others = [
      ...routesOf('hope', [HOST]),
      ...routesOf('mercy', ['mercy.example']),
      { id: 'x', hosts: [HOST], tags: null },
    ];
    expect([...takenHosts('hope', [HOST], others)]).toEqual([]);
  });
});

describe('the entities of a hospital without a host', () => {
  it('have no routes, which would match the requests of every host', () => {
    const tenant = tenantOf(hospitalObject(), 'id', { baseUrl: 'https://hms.example', domain: 'hms.example' }, []);
    const collections = hospitalEntities(tenant, 'key').map(({ collection }) => collection);
    expect(collections).toEqual(['consumers', 'jwts', 'acls']);
  });
});
