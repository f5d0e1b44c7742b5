import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { testCalls } from '../testing.ts';
import { Keycloak } from './client.ts';

/** Issues tokens, and answers everything else with the response below. */
let server: Server;
/** Initially as while its database is unavailable. */
let answer = { status: 500, body: JSON.stringify({ error: 'unknown_error' }) };
/** Whether it is too busy to issue a token. */
let busy = false;
let keycloak: Keycloak;

beforeAll(async () => {
  server = createServer(({ url }, response) => {
    if (busy) {
      response.writeHead(429, { 'retry-after': '7' }).end();
      return;
    }
    const token = { status: 200, body: JSON.stringify({ access_token: 'x', expires_in: 60 }) };
    const { status, body } = url?.includes('/token') ? token : answer;
    response.writeHead(status, { 'content-type': 'application/json' }).end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const calls = testCalls('identity');
  keycloak = new Keycloak({ url, clientId: 'hms-operator', clientSecret: 'x' }, calls);
});

afterAll(() => new Promise((resolve) => server.close(resolve)));

describe('Keycloak', () => {
  it('reports the message of Keycloak, and where to look, when Keycloak itself fails', async () => {
    await expect(keycloak.call('read', (admin) => admin.realms.findOne({ realm: 'st-mary' }))).rejects.toMatchObject({
      kind: 'Unavailable',
      message: 'Keycloak answered 500: unknown_error; see its log; often its own database is unavailable',
    });
  });

  it.each([
    [
      'the refused field',
      JSON.stringify({
        field: 'firstName',
        errorMessage: 'error-person-name-invalid-character',
        params: ['firstName'],
      }),
      'firstName: error-person-name-invalid-character',
    ],
    [
      'each of several fields, without their values',
      JSON.stringify({
        errors: [
          { field: 'email', errorMessage: 'error-invalid-email', params: ['email', 'ann@hope'] },
          { field: 'lastName', errorMessage: 'error-invalid-length', params: ['lastName', 0, 255] },
        ],
      }),
      'email: error-invalid-email; lastName: error-invalid-length',
    ],
    [
      'the description of an error',
      JSON.stringify({ error: 'invalid_request', error_description: 'no such action' }),
      'invalid_request: no such action',
    ],
    ['the text of the status, if the response has no message', JSON.stringify({ errors: [null, {}] }), 'Bad Request'],
    ['the text of the status, if the response is not JSON', '<html>no</html>', 'Bad Request'],
  ])('reports what Keycloak refused: %s', async (_, body, reason) => {
    answer = { status: 400, body };
    await expect(keycloak.call('read', (admin) => admin.realms.findOne({ realm: 'st-mary' }))).rejects.toMatchObject({
      kind: 'Invalid',
      message: `Keycloak answered 400: ${reason}`,
    });
  });

  it('treats a conflict as temporary: an earlier request may have completed after it timed out here', async () => {
    answer = { status: 409, body: JSON.stringify({ errorMessage: 'Realm st-mary already exists' }) };
    await expect(keycloak.call('create', (admin) => admin.realms.create({ realm: 'st-mary' }))).rejects.toMatchObject({
      kind: 'Unavailable',
      message: expect.stringContaining('Realm st-mary already exists; another writer changed the same object'),
    });
  });

  it('honours Retry-After, also for a token, without blaming the secret', async () => {
    busy = true;
    await expect(keycloak.ping()).rejects.toMatchObject({ kind: 'Unavailable', retryAfterMs: 7_000 });
    busy = false;
  });
});
