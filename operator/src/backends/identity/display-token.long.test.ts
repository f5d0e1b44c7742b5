/** How a television display signs in at a real Keycloak: with an assertion of the auth module, as an account of its own. */

import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { platform } from '../../../../test/platform.ts';
import { testRealm } from './testing.ts';

const { keycloakUrl, baseUrl } = platform();
const SLOW = 60_000;
const DISPLAY_ID = '0196f3a2-5c1e-7d3b-9a44-6f0b7a1c2d3e';

const own = await generateKeyPair('RS256', { extractable: true });
const foreign = await generateKeyPair('RS256');
const jwk = { ...(await exportJWK(own.publicKey)), kid: 'own', alg: 'RS256', use: 'sig' };

/** The auth module's address with its public key. */
const jwks: Server = createServer((_request, response) => {
  response.setHeader('content-type', 'application/json').end(JSON.stringify({ keys: [jwk] }));
});
await new Promise<void>((resolve) => jwks.listen(0, '127.0.0.1', resolve));

const { create, tenant, send, look } = testRealm(`http://127.0.0.1:${(jwks.address() as AddressInfo).port}/`);
const { realm } = tenant.names;
const openid = `${keycloakUrl}/realms/${realm}/protocol/openid-connect`;
let account = '';

beforeAll(async () => {
  await create();
  account = String(
    await send('POST', '/users', {
      username: DISPLAY_ID,
      enabled: true,
      federatedIdentities: [{ identityProvider: 'hms-displays', userId: DISPLAY_ID, userName: DISPLAY_ID }],
    }),
  );
  const { role } = await look();
  await send('POST', `/users/${account}/role-mappings/realm`, [role('DISPLAY'), role('OWNER')]);
}, SLOW);

afterAll(async () => {
  jwks.close();
  await send('DELETE', '');
}, SLOW);

interface Answer {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
}

async function post(path: string, form: Record<string, string>): Promise<Answer> {
  const response = await fetch(`${openid}/${path}`, { method: 'POST', body: new URLSearchParams(form) });
  return { status: response.status, body: (await response.json()) as Answer['body'] };
}

function assertion(issuer: string, subject = issuer, key = own.privateKey): Promise<string> {
  return new SignJWT({ jti: crypto.randomUUID() })
    .setProtectedHeader({ alg: 'RS256', kid: 'own' })
    .setIssuer(issuer)
    .setSubject(subject)
    .setAudience(`${baseUrl}/auth/realms/${realm}`)
    .setIssuedAt()
    .setExpirationTime('60 s')
    .sign(key);
}

const clientOf = async (client_id: string) => ({
  client_id,
  client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
  client_assertion: await assertion(client_id),
});

async function signIn(more: Record<string, string> = {}, clientId = 'hms-display'): Promise<Answer> {
  return post('token', {
    grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer',
    assertion: await assertion('https://hms-displays.invalid', DISPLAY_ID),
    ...(await clientOf(clientId)),
    ...more,
  });
}

const claimsOf = ({ body }: Answer) =>
  JSON.parse(Buffer.from(String(body.access_token).split('.')[1] ?? '', 'base64url').toString());

describe('a display’s token', () => {
  it('names the display, and carries only DISPLAY of its account’s roles', async () => {
    const answer = await signIn();
    expect(answer.body.expires_in).toBeLessThanOrEqual(300);
    expect(answer.body.refresh_token).toBeUndefined();
    const claims = claimsOf(answer);
    expect(claims).toMatchObject({
      ...{ azp: 'hms-display', aud: 'hms-api', sub: account, display_id: DISPLAY_ID },
      ...{ hospital_id: tenant.hospitalId, realm_access: { roles: ['DISPLAY'] } },
    });
    expect(claims.resource_access).toBeUndefined();
    expect(await send('GET', `/users/${account}/sessions`)).toEqual([]);
  });

  it('can be had again after everybody was logged out', async () => {
    await send('POST', '/logout-all');
    expect((await signIn()).status).toBe(200);
  });

  it('is not given to a closed account', async () => {
    await send('PUT', `/users/${account}`, { enabled: false });
    expect(await signIn()).toMatchObject({ status: 400, body: { error: 'invalid_grant' } });
    await send('PUT', `/users/${account}`, { enabled: true });
    expect((await signIn()).status).toBe(200);
  });

  it('never outlives its minutes', async () => {
    expect(await signIn({ scope: 'openid offline_access' })).toMatchObject({ body: { error: 'invalid_scope' } });
  });
});

describe('nobody else', () => {
  it.each(['hms-auth', 'hms-portal', 'hms-probe'])('gets one as the client %s', async (clientId) => {
    expect((await signIn({}, clientId)).body.access_token).toBeUndefined();
  });

  it('gets one without the auth module’s signature', async () => {
    const forged = await assertion('https://hms-displays.invalid', DISPLAY_ID, foreign.privateKey);
    expect((await signIn({ assertion: forged })).body.access_token).toBeUndefined();
    const client_assertion = await assertion('hms-display', 'hms-display', foreign.privateKey);
    expect((await signIn({ client_assertion })).body.access_token).toBeUndefined();
    const bare = { client_assertion: '', client_assertion_type: '' };
    expect((await signIn(bare)).body.access_token).toBeUndefined();
  });

  it('gets one for an account that is no display', async () => {
    const email = 'ann@hope.example';
    await send('POST', '/users', { username: email, email, firstName: 'Ann', lastName: 'Byrne', enabled: true });
    const other = await assertion('https://hms-displays.invalid', email);
    expect((await signIn({ assertion: other })).body).toMatchObject({ error_description: 'User not found' });
  });

  it('gets one with an assertion that was used before', async () => {
    const used = await assertion('https://hms-displays.invalid', DISPLAY_ID);
    expect((await signIn({ assertion: used })).status).toBe(200);
    expect(await signIn({ assertion: used })).toMatchObject({ status: 400 });
  });

  it.each(['hms-display', 'hms-auth'])('starts a login of a device as %s', async (clientId) => {
    const answer = await post('auth/device', { ...(await clientOf(clientId)), scope: 'openid' });
    expect(answer.status).toBeGreaterThanOrEqual(400);
    expect(answer.body.device_code).toBeUndefined();
  });
});

it('is refused to the portal when it requests offline access', async () => {
  const query = new URLSearchParams({
    client_id: 'hms-portal',
    response_type: 'code',
    scope: 'openid offline_access',
    redirect_uri: `${tenant.origins[0]}/`,
    code_challenge_method: 'S256',
    code_challenge: 'x'.repeat(43),
  });
  const answer = await fetch(`${openid}/auth?${query}`, { redirect: 'manual' });
  expect(answer.headers.get('location')).toContain('error=invalid_scope');
});
