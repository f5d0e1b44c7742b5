import { randomUUID } from 'node:crypto';
import { freePorts } from '@hms/local';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import pg from 'pg';
import { platform } from '../../../../test/platform.ts';
import { eventually, send, type TestGateway, testGateway } from '../testing/harness.ts';

let admin: pg.Client;
let name: string;
let url: string;
const gateways: TestGateway[] = [];

beforeAll(async () => {
  admin = new pg.Client({ connectionString: platform().databaseUrls.admin });
  await admin.connect();
});
afterAll(() => admin.end());

beforeEach(async () => {
  name = `gateway_${randomUUID().replaceAll('-', '')}`;
  await admin.query(`CREATE DATABASE ${name}`);
  url = Object.assign(new URL(platform().databaseUrls.admin), { pathname: `/${name}` }).href;
});
afterEach(async () => {
  for (const { stop } of gateways.splice(0)) await stop();
  await admin.query(`DROP DATABASE ${name} WITH (FORCE)`);
});

async function start(): Promise<TestGateway> {
  const gateway = await testGateway({ databaseUrl: url });
  gateways.push(gateway);
  return gateway;
}

describe('gateways that share their configuration in a database', () => {
  test('each reads the changes of another immediately, and routes by them soon after', async () => {
    const [first, second] = [await start(), await start()];
    await first.make('POST', '/services', { name: 'a', host: 'localhost' });
    expect((await second.admin('GET', '/services/a')).status).toBe(200);
    await first.make('POST', '/services/a/routes', { name: 'r', paths: ['/a'] });
    await first.make('POST', '/routes/r/plugins', { name: 'request-termination', config: { status_code: 418 } });
    // No call of the second gateway's Admin API: it is notified.
    await eventually(
      () => send418(second),
      (status) => status === 418,
    );
    await first.make('DELETE', '/routes/r');
    await eventually(
      () => send418(second),
      (status) => status === 404,
    );
  });

  test('parallel writes keep unique values unique, and a released name can be reused', async () => {
    const [first, second] = [await start(), await start()];
    const outcomes = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        (index % 2 ? first : second).admin('POST', '/consumers', { username: 'st-mary' }),
      ),
    );
    expect(outcomes.map(({ status }) => status).sort()).toEqual([201, ...Array(19).fill(409)]);
    const { id } = (await first.admin('GET', '/consumers/st-mary')).json();
    await first.make('PATCH', `/consumers/${id}`, { username: 'other' });
    await second.make('POST', '/consumers', { username: 'st-mary' });
    await first.make('PATCH', `/consumers/${id}`, { custom_id: 'x' });
    for (const gateway of [first, second, await start()]) {
      expect((await gateway.admin('GET', '/consumers/st-mary')).json().custom_id).toBeNull();
      expect((await gateway.admin('GET', '/consumers/other')).json()).toMatchObject({ id, custom_id: 'x' });
    }
  });

  test('delete the dependents of a deleted entity, even if two of its parents lead to them', async () => {
    const [first, second] = [await start(), await start()];
    const service = await first.make('POST', '/services', { name: 'a', host: 'localhost' });
    const route = await second.make('POST', '/services/a/routes', { name: 'r', paths: ['/a'] });
    await first.make('POST', '/plugins', {
      name: 'cors',
      service: { id: service.id },
      route: { id: route.id },
    });
    await second.make('DELETE', '/routes/r');
    expect((await first.admin('GET', '/plugins')).json().data).toEqual([]);
  });

  test('keep their configuration while the database is unavailable, refuse changes, and follow when it is available again', async () => {
    const [first, second] = [await start(), await start()];
    await first.make('POST', '/services', { name: 'a', host: 'localhost' });
    await first.make('POST', '/services/a/routes', { name: 'r', paths: ['/a'] });
    await first.make('POST', '/routes/r/plugins', { name: 'request-termination', config: { status_code: 418 } });
    await eventually(
      () => send418(second),
      (status) => status === 418,
    );
    await disconnectDatabase();
    expect((await first.admin('POST', '/services', { name: 'b', host: 'localhost' })).status).toBe(500);
    expect(await send418(second)).toBe(418);
    expect((await second.admin('GET', '/status/ready')).status).toBe(200);
    await eventually(
      async () => (await second.admin('GET', '/status')).json().database,
      (database) => JSON.stringify(database) === '{"reachable":false}',
    );
    expect((await second.admin('GET', '/metrics')).body).toContain('kong_datastore_reachable 0');
    await reconnectDatabase();
    await eventually(
      async () => (await first.admin('POST', '/services', { name: 'b', host: 'localhost' })).status,
      (status) => status === 201,
    );
    await eventually(
      async () => (await second.admin('GET', '/status')).json().database,
      (database) => JSON.stringify(database) === '{"reachable":true}',
    );
    expect((await second.admin('GET', '/services/b')).status).toBe(200);
  });

  test('one that starts while the database is unavailable is alive but not ready, and serves when it is available again', async () => {
    await disconnectDatabase();
    const { operator: port } = await freePorts();
    const starting = testGateway({ databaseUrl: url, status: { host: '127.0.0.1', port } });
    const statusOf = async (path: string) => (await send(port, path)).status;
    await eventually(
      () => statusOf('/status').catch(() => undefined),
      (status) => status === 200,
    );
    expect(await statusOf('/status/ready')).toBe(503);
    expect(await statusOf('/metrics')).toBe(503);
    await reconnectDatabase();
    gateways.push(await starting);
    expect(await statusOf('/status/ready')).toBe(200);
    expect(await statusOf('/metrics')).toBe(200);
  });

  test('one that was disconnected until deleted entities were forgotten reads everything again', async () => {
    const [first, second] = [await start(), await start()];
    await first.make('POST', '/consumers', { username: 'gone' });
    await first.make('POST', '/consumers', { username: 'stays' });
    expect((await second.admin('GET', '/consumers/gone')).status).toBe(200);
    await disconnectDatabase();
    await reconnectDatabase();
    const direct = new pg.Client({ connectionString: url });
    await direct.connect();
    await direct.query(`DELETE FROM gateway_entities WHERE row->>'username' = 'gone'`);
    await direct.query('UPDATE gateway_state SET revision = revision + 5, forgotten = revision + 4');
    await direct.end();
    await eventually(
      async () => (await second.admin('GET', '/consumers/gone')).status,
      (status) => status === 404,
    );
    expect((await second.admin('GET', '/consumers/stays')).status).toBe(200);
  });
});

async function send418(gateway: TestGateway): Promise<number> {
  return (await gateway.get('/a')).status;
}

async function disconnectDatabase(): Promise<void> {
  await admin.query(`ALTER DATABASE ${name} ALLOW_CONNECTIONS false`);
  await admin.query('SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1', [name]);
}

function reconnectDatabase(): Promise<unknown> {
  return admin.query(`ALTER DATABASE ${name} ALLOW_CONNECTIONS true`);
}
