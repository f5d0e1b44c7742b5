import { describe, expect, it } from '@jest/globals';
import { tenantOf } from '../../hospital/tenant.ts';
import { hospitalObject } from '../../hospital/testing.ts';
import { BackendError } from '../errors.ts';
import type { KongEntity } from './client.ts';
import { COLLECTIONS, type Collection, type Entity, entity } from './entities.ts';
import { hospitalEntities, withoutOthers } from './hospital-entities.ts';
import { applyEntities, type EntityChange, entityChanges, type ObservedEntities } from './sync.ts';

const tenant = tenantOf(hospitalObject(), '0196f3a2-5c1e-7d3b-9a44-6f0b7a1c2d3e', {
  baseUrl: 'http://localhost:8000',
  domain: 'localhost',
});
const wanted = hospitalEntities(tenant, 'PEM');

/** What Kong would return: the fields that were sent and its defaults. */
function stored(entities: readonly Entity[]): Map<Collection, KongEntity[]> {
  return new Map(
    COLLECTIONS.map((collection) => [
      collection,
      entities
        .filter((entity) => entity.collection === collection)
        .map(({ id, body, parent }) => ({
          ...body,
          id,
          created_at: 1,
          ...(parent ? { consumer: { id: parent } } : {}),
        })),
    ]),
  );
}

describe('entityChanges', () => {
  it('finds no change when everything matches', () => {
    expect(entityChanges(wanted, stored(wanted))).toEqual([]);
  });

  it('creates missing entities in the order of their references', () => {
    const order = entityChanges(wanted, new Map()).map(({ entity }) => COLLECTIONS.indexOf(entity.collection));
    expect(order).toEqual([...order].sort((a, b) => a - b));
    expect(order).toHaveLength(wanted.length);
  });

  it('deletes tagged entities that are not wanted: plugins, then routes, then the consumer', () => {
    const removed = entityChanges([], stored(wanted)).map(({ action, entity }) => `${action} ${entity.collection}`);
    expect(new Set(removed).size).toBe(5);
    expect(removed.indexOf('delete routes')).toBeGreaterThan(removed.lastIndexOf('delete plugins'));
    expect(removed.indexOf('delete consumers')).toBe(removed.length - 1);
  });

  it('names the changed field', () => {
    const found: ObservedEntities = new Map(
      [...stored(wanted)].map(([collection, entities]) => [
        collection,
        entities.map((entity) => (entity.name === 'st-mary-hms' ? { ...entity, hosts: ['evil.example'] } : entity)),
      ]),
    );
    expect(entityChanges(wanted, found)).toEqual([
      expect.objectContaining({ action: 'update', object: 'route st-mary-hms', detail: 'hosts' }),
    ]);
  });

  it('notices a rotated signing key', () => {
    const changes = entityChanges(hospitalEntities(tenant, 'NEW PEM'), stored(wanted));
    expect(changes).toEqual([expect.objectContaining({ object: 'credential st-mary', detail: 'rsa_public_key' })]);
  });
});

describe('hospitalEntities', () => {
  it('admits only the hospital itself on its hosts', () => {
    const routes = wanted.filter(({ collection }) => collection === 'routes');
    const guarded = new Set(
      wanted
        .filter(({ body }) => body.name === 'acl')
        .map(({ body }) => {
          expect(body.config).toMatchObject({ allow: ['st-mary'] });
          return (body.route as { id: string }).id;
        }),
    );
    // The auth module issues tokens: there is no token to check yet. The other path has a secret.
    const open = routes.filter(({ id }) => !guarded.has(id));
    expect(open.map(({ label }) => label)).toEqual(['st-mary-auth', 'st-mary-queue-secret']);
    expect(open[1]?.body).toMatchObject({ hosts: tenant.hosts, paths: ['/api/queue/calendar/'] });
  });

  it('closes a suspended hospital for its consumer', () => {
    const closed = hospitalEntities({ ...tenant, suspended: true }, 'PEM').filter(
      ({ body }) => body.name === 'request-termination',
    );
    expect(closed).toHaveLength(1);
    expect(closed[0]?.body).toMatchObject({ config: { status_code: 503 } });
  });
});

describe('withoutOthers', () => {
  it("filters out entities with another hospital's mark, and keeps its own and unmarked ones", () => {
    const route = (id: string, ...tags: string[]): KongEntity => ({ id, tags: ['hms-tenant-st-mary', ...tags] });
    const found = new Map<Collection, KongEntity[]>([
      ['routes', [route('own', 'hms-hospital-a'), route('other', 'hms-hospital-b'), route('unmarked')]],
    ]);
    expect(
      withoutOthers(found, 'a')
        .get('routes')
        ?.map(({ id }) => id),
    ).toEqual(['own', 'unmarked']);
  });
});

describe('applyEntities', () => {
  const change = (label: string, collection: Collection = 'plugins'): EntityChange => ({
    action: 'update',
    object: label,
    entity: entity(collection, label, {}),
  });

  it('applies everything that the gateway accepts, then throws what it refused', async () => {
    const applied: string[] = [];
    const put = async ({ label }: Entity) => {
      if (label === 'refused') throw new BackendError('Invalid', 'no such option');
      applied.push(label);
    };
    const changes = [change('refused', 'routes'), change('one'), change('two')];
    await expect(applyEntities({ put, delete: async () => undefined }, changes)).rejects.toThrow('no such option');
    expect(applied).toEqual(['one', 'two']);
  });

  it('stops at an outage', async () => {
    const applied: string[] = [];
    const put = async ({ label }: Entity) => {
      if (label === 'first') throw new BackendError('Unavailable', 'no answer');
      applied.push(label);
    };
    const changes = [change('first', 'routes'), change('one')];
    await expect(applyEntities({ put, delete: async () => undefined }, changes)).rejects.toThrow('no answer');
    expect(applied).toEqual([]);
  });
});
