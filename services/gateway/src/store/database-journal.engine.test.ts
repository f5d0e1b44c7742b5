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
  test('each has at once what another was told, and routes by it soon after', async () => {
    const [one, two] = [await start(), await start()];
    await one.make('POST', '/services', { name: 'a', host: 'localhost' });
    expect((await two.admin('GET', '/services/a')).status).toBe(200);
    await one.make('POST', '/services/a/routes', { name: 'r', paths: ['/a'] });
    await one.make('POST', '/routes/r/plugins', { name: 'request-termination', config: { status_code: 418 } });
    // no call of two's Admin API: it hears by itself
    await eventually(
      () => send418(two),
      (status) => status === 418,
    );
    await one.make('DELETE', '/routes/r');
    await eventually(
      () => send418(two),
      (status) => status === 404,
    );
  });

  test('side by side keep what is unique, and give a name on', async () => {
    const [one, two] = [await start(), await start()];
    const outcomes = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        (index % 2 ? one : two).admin('POST', '/consumers', { username: 'st-mary' }),
      ),
    );
    expect(outcomes.map(({ status }) => status).sort()).toEqual([201, ...Array(19).fill(409)]);
    const { id } = (await one.admin('GET', '/consumers/st-mary')).json();
    await one.make('PATCH', `/consumers/${id}`, { username: 'other' });
    await two.make('POST', '/consumers', { username: 'st-mary' });
    await one.make('PATCH', `/consumers/${id}`, { custom_id: 'x' });
    for (const gateway of [one, two, await start()]) {
      expect((await gateway.admin('GET', '/consumers/st-mary')).json().custom_id).toBeNull();
      expect((await gateway.admin('GET', '/consumers/other')).json()).toMatchObject({ id, custom_id: 'x' });
    }
  });

  test('take away what belongs to a deleted entity, by whichever way it did', async () => {
    const [one, two] = [await start(), await start()];
    const service = await one.make('POST', '/services', { name: 'a', host: 'localhost' });
    const route = await two.make('POST', '/services/a/routes', { name: 'r', paths: ['/a'] });
    await one.make('POST', '/plugins', {
      name: 'cors',
      service: { id: service.id },
      route: { id: route.id },
    });
    await two.make('DELETE', '/routes/r');
    expect((await one.admin('GET', '/plugins')).json().data).toEqual([]);
  });

  test('go on with what they have while the database is away, refuse changes, and follow when it is back', async () => {
    const [one, two] = [await start(), await start()];
    await one.make('POST', '/services', { name: 'a', host: 'localhost' });
    await one.make('POST', '/services/a/routes', { name: 'r', paths: ['/a'] });
    await one.make('POST', '/routes/r/plugins', { name: 'request-termination', config: { status_code: 418 } });
    await eventually(
      () => send418(two),
      (status) => status === 418,
    );
    await away();
    expect((await one.admin('POST', '/services', { name: 'b', host: 'localhost' })).status).toBe(500);
    expect(await send418(two)).toBe(418);
    expect((await two.admin('GET', '/status/ready')).status).toBe(200);
    await eventually(
      async () => (await two.admin('GET', '/status')).json().database,
      (database) => JSON.stringify(database) === '{"reachable":false}',
    );
    expect((await two.admin('GET', '/metrics')).body).toContain('kong_datastore_reachable 0');
    await back();
    await eventually(
      async () => (await one.admin('POST', '/services', { name: 'b', host: 'localhost' })).status,
      (status) => status === 201,
    );
    await eventually(
      async () => (await two.admin('GET', '/status')).json().database,
      (database) => JSON.stringify(database) === '{"reachable":true}',
    );
    expect((await two.admin('GET', '/services/b')).status).toBe(200);
  });

  test('one that starts while the database is away lives, is not ready, and serves when it is back', async () => {
    await away();
    const { operator: port } = await freePorts();
    const starting = testGateway({ databaseUrl: url, status: { host: '127.0.0.1', port } });
    const statusOf = async (path: string) => (await send(port, path)).status;
    await eventually(
      () => statusOf('/status').catch(() => undefined),
      (status) => status === 200,
    );
    expect(await statusOf('/status/ready')).toBe(503);
    expect(await statusOf('/metrics')).toBe(503);
    await back();
    gateways.push(await starting);
    expect(await statusOf('/status/ready')).toBe(200);
    expect(await statusOf('/metrics')).toBe(200);
  });

  test('one that was cut off until deleted entities were forgotten reads everything anew', async () => {
    const [one, two] = [await start(), await start()];
    await one.make('POST', '/consumers', { username: 'gone' });
    await one.make('POST', '/consumers', { username: 'stays' });
    expect((await two.admin('GET', '/consumers/gone')).status).toBe(200);
    await away();
    await back();
    const direct = new pg.Client({ connectionString: url });
    await direct.connect();
    await direct.query(`DELETE FROM gateway_entities WHERE row->>'username' = 'gone'`);
    await direct.query('UPDATE gateway_state SET revision = revision + 5, forgotten = revision + 4');
    await direct.end();
    await eventually(
      async () => (await two.admin('GET', '/consumers/gone')).status,
      (status) => status === 404,
    );
    expect((await two.admin('GET', '/consumers/stays')).status).toBe(200);
  });
});

async function send418(gateway: TestGateway): Promise<number> {
  return (await gateway.get('/a')).status;
}

async function away(): Promise<void> {
  await admin.query(`ALTER DATABASE ${name} ALLOW_CONNECTIONS false`);
  await admin.query('SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1', [name]);
}

function back(): Promise<unknown> {
  return admin.query(`ALTER DATABASE ${name} ALLOW_CONNECTIONS true`);
}
