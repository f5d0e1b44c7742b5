import { describe, expect, test } from '@jest/globals';
import { publicPem } from '../testing/harness.ts';
import { useEmptyGateway } from '../testing/setup.ts';

const someId = '11111111-2222-4333-8444-555555555555';
const gateway = useEmptyGateway();

describe('update', () => {
  test('PUT by name creates, then replaces completely and keeps the id', async () => {
    const created = await gateway.admin('PUT', '/services/hms', { host: 'a', retries: 1, tags: ['x'] });
    expect(created.status).toBe(200);
    const replaced = await gateway.admin('PUT', '/services/hms', { host: 'b' });
    expect(replaced.json()).toMatchObject({ id: created.json().id, name: 'hms', host: 'b', retries: 5, tags: null });
  });

  test('PUT by id creates with that id', async () => {
    const service = await gateway.make('PUT', `/services/${someId}`, { name: 'hms', host: 'a' });
    expect(service.id).toBe(someId);
  });

  test('PUT keeps a creation time that is sent', async () => {
    const service = await gateway.make('PUT', `/services/${someId}`, { host: 'a', created_at: 1422386534 });
    expect(service).toMatchObject({ created_at: 1422386534 });
  });

  test('PATCH merges records, replaces lists, and clears fields set to null', async () => {
    await gateway.make('POST', '/upstreams', {
      name: 'hms',
      tags: ['a', 'b'],
      host_header: 'hms.internal',
      healthchecks: { active: { http_path: '/health', healthy: { interval: 5 } } },
    });
    const changed = await gateway.admin('PATCH', '/upstreams/hms', {
      tags: ['c'],
      host_header: null,
      healthchecks: { active: { healthy: { successes: 2 } } },
    });
    expect(changed.status).toBe(200);
    expect(changed.json()).toMatchObject({
      tags: ['c'],
      host_header: null,
      healthchecks: { active: { http_path: '/health', healthy: { interval: 5, successes: 2 } } },
    });
  });

  test('an invalid PATCH changes nothing', async () => {
    await gateway.make('POST', '/services', { name: 'hms', host: 'a' });
    expect((await gateway.admin('PATCH', '/services/hms', { port: -1 })).status).toBe(400);
    expect((await gateway.admin('GET', '/services/hms')).json()).toMatchObject({ port: 80 });
  });

  test('a nested PUT links to the parent', async () => {
    const consumer = await gateway.make('PUT', '/consumers/st-mary', {});
    const credential = await gateway.make('PUT', `/consumers/st-mary/jwt/${someId}`, {
      key: 'http://localhost:8000/auth/realms/st-mary',
      algorithm: 'RS256',
      rsa_public_key: publicPem,
    });
    expect(credential).toMatchObject({ id: someId, consumer: { id: consumer.id } });
    const escaped = encodeURIComponent('http://localhost:8000/auth/realms/st-mary');
    expect((await gateway.admin('GET', `/consumers/st-mary/jwt/${escaped}`)).status).toBe(200);
    expect((await gateway.admin('PUT', '/consumers/st-mary/acls/doctors', {})).json()).toMatchObject({
      group: 'doctors',
    });
  });

  test.each<[string, string, string, string, object]>([
    ['services', 'host', 'routes', 'name', { paths: ['/a'] }],
    ['services', 'host', 'plugins', 'instance_name', { name: 'cors' }],
    ['consumers', 'custom_id', 'jwt', 'key', {}],
    ['consumers', 'custom_id', 'acls', 'group', {}],
  ])(
    'repeated PUT below %s (%s), /%s by %s, is a single entity with its key',
    async (parent, field, child, key, body) => {
      await gateway.make('PUT', `/${parent}/p`, { [field]: 'a' });
      const created = await gateway.make('PUT', `/${parent}/p/${child}/one`, body);
      for (const tag of ['x', 'y']) {
        const again = await gateway.make('PUT', `/${parent}/p/${child}/one`, { ...body, [key]: 'other', tags: [tag] });
        expect(again).toMatchObject({ id: created.id, [key]: 'one', tags: [tag] });
      }
      const list = (await gateway.admin('GET', `/${parent}/p/${child}`)).json();
      expect(list).toMatchObject({ data: [{ id: created.id }] });
    },
  );

  test('reads and changes the parent of an entity', async () => {
    await gateway.make('POST', '/routes', { name: 'r', paths: ['/a'] });
    expect((await gateway.admin('GET', '/routes/r/service')).status).toBe(404);
    const service = await gateway.make('PUT', '/routes/r/service', { host: 'a' });
    expect((await gateway.admin('GET', '/routes/r')).json()).toMatchObject({ service: { id: service.id } });
    expect((await gateway.admin('PATCH', '/routes/r/service', { port: 81 })).json()).toMatchObject({
      id: service.id,
      port: 81,
    });
  });

  test('PUT of a target changes it but never creates one', async () => {
    await gateway.make('POST', '/upstreams', { name: 'hms' });
    expect((await gateway.admin('PUT', '/upstreams/hms/targets/10.0.0.1:80', { weight: 1 })).status).toBe(404);
    await gateway.make('POST', '/upstreams/hms/targets', { target: '10.0.0.1:80' });
    const changed = await gateway.admin('PATCH', '/upstreams/hms/targets/10.0.0.1:80', { weight: 1 });
    expect(changed.json()).toMatchObject({ weight: 1 });
    for (const weight of [2, 3]) {
      expect(await gateway.make('PUT', '/upstreams/hms/targets/10.0.0.1:80', { weight })).toMatchObject({
        id: changed.json().id,
        target: '10.0.0.1:80',
        weight,
      });
    }
  });
});

describe('delete', () => {
  test('answers 204 for a missing entity, and 404 below a parent', async () => {
    await gateway.make('PUT', '/consumers/a', {});
    expect((await gateway.admin('DELETE', '/services/none')).status).toBe(204);
    expect((await gateway.admin('DELETE', `/consumers/a/jwt/${someId}`)).status).toBe(404);
  });

  test('refuses to delete a service with routes', async () => {
    await gateway.make('PUT', '/services/hms', { host: 'a' });
    await gateway.make('POST', '/services/hms/routes', { paths: ['/a'] });
    const answer = await gateway.admin('DELETE', '/services/hms');
    expect([answer.status, answer.json()]).toEqual([
      400,
      {
        code: 4,
        name: 'foreign key violation',
        message: "an existing 'routes' entity references this 'services' entity",
        fields: { '@referenced_by': 'routes' },
      },
    ]);
  });

  test('deletes dependent entities too', async () => {
    await gateway.make('PUT', '/consumers/a', {});
    await gateway.make('POST', '/consumers/a/jwt', { key: 'k' });
    await gateway.make('POST', '/consumers/a/acls', { group: 'g' });
    await gateway.make('POST', '/consumers/a/plugins', { name: 'request-termination' });
    expect((await gateway.admin('DELETE', '/consumers/a')).status).toBe(204);
    for (const path of ['/jwts', '/acls', '/plugins']) {
      expect((await gateway.admin('GET', path)).json()).toEqual({ data: [], next: null });
    }
  });
});
