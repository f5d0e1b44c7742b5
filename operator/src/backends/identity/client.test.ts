import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { testCalls } from '../testing.ts';
import { Keycloak } from './client.ts';

/** Answers as Keycloak does while its database is away: tokens from what it remembers, and 500 to all else. */
let server: Server;
/** Whether it has too much to do for a token. */
let busy = false;
let keycloak: Keycloak;

beforeAll(async () => {
  server = createServer(({ url }, response) => {
    if (busy) {
      response.writeHead(429, { 'retry-after': '7' }).end();
      return;
    }
    const token = url?.includes('/token') ?? false;
    response.writeHead(token ? 200 : 500, { 'content-type': 'application/json' });
    response.end(JSON.stringify(token ? { access_token: 'x', expires_in: 60 } : { error: 'unknown_error' }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const calls = testCalls('identity');
  keycloak = new Keycloak({ url, clientId: 'hms-operator', clientSecret: 'x' }, calls);
});

afterAll(() => new Promise((resolve) => server.close(resolve)));

describe('Keycloak', () => {
  it('says what Keycloak said and where to look, when Keycloak itself fails', async () => {
    await expect(keycloak.call('read', (admin) => admin.realms.findOne({ realm: 'st-mary' }))).rejects.toMatchObject({
      kind: 'Unavailable',
      message: 'Keycloak answered 500: unknown_error; its log says why, often that its own database is away',
    });
  });

  it('leaves Keycloak alone for as long as it asks, also for a token, and blames no secret for it', async () => {
    busy = true;
    await expect(keycloak.ping()).rejects.toMatchObject({ kind: 'Unavailable', retryAfterMs: 7_000 });
    busy = false;
  });
});
