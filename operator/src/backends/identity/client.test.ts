import { afterAll, afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import nock from 'nock';
import { testCalls } from '../testing.ts';
import { Keycloak } from './client.ts';

const url = 'http://keycloak.test';
const TOKEN = '/realms/master/protocol/openid-connect/token';
let keycloak: Keycloak;

beforeEach(() => {
  keycloak = new Keycloak({ url, clientId: 'hms-operator', clientSecret: 'x' }, testCalls('identity'));
});
afterEach(() => nock.cleanAll());
afterAll(() => nock.restore());

/** Issues a token, and answers the next request with this. */
function keycloakAnswers(status: number, body: nock.Body): void {
  nock(url).post(TOKEN).reply(200, { access_token: 'x', expires_in: 60 });
  nock(url)
    .intercept(/^\/admin\/realms/, 'GET')
    .reply(status, body);
  nock(url)
    .intercept(/^\/admin\/realms/, 'POST')
    .reply(status, body);
}

describe('Keycloak', () => {
  it('reports the message of Keycloak, and where to look, when Keycloak itself fails', async () => {
    keycloakAnswers(500, { error: 'unknown_error' });
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
    keycloakAnswers(400, body);
    await expect(keycloak.call('read', (admin) => admin.realms.findOne({ realm: 'st-mary' }))).rejects.toMatchObject({
      kind: 'Invalid',
      message: `Keycloak answered 400: ${reason}`,
    });
  });

  it('treats a conflict as temporary: an earlier request may have completed after it timed out here', async () => {
    keycloakAnswers(409, { errorMessage: 'Realm st-mary already exists' });
    await expect(keycloak.call('create', (admin) => admin.realms.create({ realm: 'st-mary' }))).rejects.toMatchObject({
      kind: 'Unavailable',
      message: expect.stringContaining('Realm st-mary already exists; another writer changed the same object'),
    });
  });

  it('honours Retry-After, also for a token, without blaming the secret', async () => {
    nock(url).post(TOKEN).reply(429, '', { 'retry-after': '7' });
    await expect(keycloak.ping()).rejects.toMatchObject({ kind: 'Unavailable', retryAfterMs: 7_000 });
  });
});
