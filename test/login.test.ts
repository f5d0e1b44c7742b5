/** People log in through the auth module at a real Keycloak, in a realm as the operator creates it. */
import { generateKeyPairSync, randomUUID } from 'node:crypto';
import type { Hospital } from '@hms/database';
import { insertTestHospital, startTestModule, type TestModule } from '@hms/service/testing';
import { HOSPITAL_ROLES, issuerOf } from '@hms/tenancy';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import KcAdminClient from '@keycloak/keycloak-admin-client';
import { realmRepresentation } from '../operator/src/backends/identity/realm.ts';
import { KeyWatch } from '../services/auth/src/key-watch.ts';
import { createKeycloak } from '../services/auth/src/keycloak.ts';
import { authModule } from '../services/auth/src/module.ts';
import { LIMITS, loginLimits } from '../services/auth/src/sessions/login-limits.ts';
import type { Me, Session } from '../services/auth/src/sessions/sessions.schema.ts';
import { createSigningKey } from '../services/auth/src/signing-key.ts';
import { platform } from './platform.ts';

/** Keycloak creates a realm in a second on an idle machine, but this one may be busy. */
const SLOW = 60_000;
const PASSWORD = 'a long passphrase';

const { baseUrl, keycloakUrl, keycloakAdmin, databaseUrls } = platform();
const identity = { baseUrl, keycloakUrl };
const admin = new KcAdminClient({ baseUrl: keycloakUrl });
const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const key = await createSigningKey(privateKey.export({ type: 'pkcs8', format: 'pem' }).toString());

let auth: TestModule;
let hospital: Hospital;

function startAuth(keycloakAt: string, limits = LIMITS): Promise<TestModule> {
  return startTestModule({
    databaseUrls,
    identity,
    ttl: 0,
    define: ({ registry, db }) =>
      authModule({
        registry,
        baseUrl,
        key,
        keycloak: createKeycloak({ baseUrl, keycloakUrl: keycloakAt }, key),
        limits: loginLimits(db, limits),
        keys: new KeyWatch({ onNewKey: async () => undefined, onError: () => undefined }),
      }),
  });
}

beforeAll(async () => {
  await admin.auth({ grantType: 'password', clientId: 'admin-cli', ...keycloakAdmin });
  auth = await startAuth(keycloakUrl);
  hospital = await insertTestHospital(auth.operator, (prefix) => issuerOf(baseUrl, prefix));
  const realm = realmRepresentation({
    name: hospital.prefix,
    id: hospital.id,
    ownerUid: hospital.ownerUid,
    displayName: hospital.displayName,
    enabled: true,
    roles: HOSPITAL_ROLES,
    claims: { hospital_id: hospital.id, hospital_prefix: hospital.prefix },
    accessTokenSeconds: 300,
    origins: ['http://localhost:3000'],
    authJwksUrl: `${auth.url}/.well-known/jwks.json`,
    smtp: { host: '127.0.0.1', port: 25, tls: 'none', from: 'hms@example.org' },
  });
  await admin.realms.create({
    ...realm,
    users: [
      ...realm.users,
      user('jane', { realmRoles: ['DOCTOR', 'ADMIN'] }),
      user('disabled', { enabled: false }),
      user('invited', { requiredActions: ['UPDATE_PASSWORD'] }),
    ],
  });
}, SLOW);
const own: TestModule[] = [];
/** Another auth process, which ends with the test. */
async function startOwn(limits: typeof LIMITS, keycloakAt = keycloakUrl): Promise<TestModule> {
  const started = await startAuth(keycloakAt, limits);
  own.push(started);
  return started;
}
afterEach(() => Promise.all(own.splice(0).map((module) => module.close())).then(() => undefined));

afterAll(async () => {
  await auth.close();
  await admin.realms.del({ realm: hospital.prefix });
}, SLOW);

function user(name: string, changes: object) {
  return {
    username: `${name}@example.org`,
    email: `${name}@example.org`,
    firstName: name,
    lastName: 'Doe',
    enabled: true,
    emailVerified: true,
    credentials: [{ type: 'password', value: PASSWORD }],
    ...changes,
  };
}

const login = (changes: object = {}, headers: Readonly<Record<string, string>> = {}) =>
  auth.send('POST', '/api/auth/login', {
    body: { hospital: hospital.prefix, email: 'jane@example.org', password: PASSWORD, ...changes },
    headers,
  });
const refresh = (refreshToken: string) => auth.send('POST', '/api/auth/refresh', { body: { refreshToken } });
const logout = (refreshToken: string) => auth.send('POST', '/api/auth/logout', { body: { refreshToken } });

describe('login', () => {
  it('returns tokens with the person’s identity', async () => {
    const answer = await login();
    expect(answer).toMatchObject({ status: 200, success: true });
    expect(answer.headers.get('Cache-Control')).toBe('no-store');
    const session = answer.data<Session>();
    expect(session).toEqual({
      accessToken: expect.any(String),
      refreshToken: expect.any(String),
      tokenType: 'Bearer',
      expiresIn: expect.any(Number),
      refreshExpiresIn: expect.any(Number),
    });
    // Keycloak counts in whole seconds, some of which have passed when it answers.
    expect([session.expiresIn, session.refreshExpiresIn].map((left) => Math.ceil(left / 20) * 20)).toEqual([300, 1800]);
    const me = await auth.send('GET', '/api/auth/me', { token: session.accessToken });
    expect(me.data<Me>()).toMatchObject({
      email: 'jane@example.org',
      role: 'ADMIN',
      roles: ['ADMIN', 'DOCTOR'],
      hospitalId: hospital.id,
      hospital: { prefix: hospital.prefix, timezone: 'Asia/Jakarta' },
    });
  });

  it('answers the same for a wrong password, an unknown person and an unknown hospital', async () => {
    const answers = await Promise.all([
      login({ password: 'wrong' }),
      login({ email: 'nobody@example.org' }),
      login({ hospital: 'no-such-hospital' }),
      login({ hospital: '../master' }),
    ]);
    for (const { status, error } of answers) {
      expect({ status, ...error, timestamp: '' }).toEqual({
        status: 401,
        code: 'INVALID_CREDENTIALS',
        message: 'The hospital, the e-mail address or the password is wrong',
        timestamp: '',
      });
    }
  });

  it('counts failures by account and by address, whatever the headers, and clears them after a success', async () => {
    const limited = await startOwn({
      account: { failures: 3, window: 600 },
      address: { failures: 5, window: 600 },
    });
    const attempt = async (email: string, password: string, address: string) => {
      const { status, headers } = await limited.send('POST', '/api/auth/login', {
        body: { hospital: hospital.prefix, email, password },
        headers: { 'X-Forwarded-For': `192.0.2.1, ${address}`, Authorization: `Bearer ${randomUUID()}` },
      });
      return status === 429 ? Number(headers.get('Retry-After')) > 500 && 429 : status;
    };
    const [ours, theirs] = ['10.9.0.7', '10.9.0.8'];
    const account = (name: string) => `${name}-${hospital.prefix}@example.org`;
    // The existence of the account makes no difference.
    for (let n = 0; n < 3; n += 1) expect(await attempt(account('a'), 'wrong', ours)).toBe(401);
    expect(await attempt(account('a'), 'wrong', theirs)).toBe(429);
    expect(await attempt(account('A').toUpperCase(), 'wrong', theirs)).toBe(429);
    // Nor does a success from an address below its limit.
    expect(await attempt('jane@example.org', 'wrong', ours)).toBe(401);
    expect(await attempt('jane@example.org', PASSWORD, ours)).toBe(200);
    expect(await attempt('jane@example.org', 'wrong', ours)).toBe(401);
    expect(await attempt('jane@example.org', PASSWORD, ours)).toBe(429);
    expect(await attempt('jane@example.org', PASSWORD, theirs)).toBe(200);
  });

  it('counts 20 parallel attempts like 20 sequential ones', async () => {
    const limited = await startOwn({
      account: { failures: 4, window: 600 },
      address: { failures: 100, window: 600 },
    });
    const attempts = Array.from({ length: 20 }, () =>
      limited.send('POST', '/api/auth/login', {
        body: { hospital: hospital.prefix, email: `crowd-${hospital.prefix}@example.org`, password: 'wrong' },
      }),
    );
    const statuses = (await Promise.all(attempts)).map(({ status }) => status).sort();
    expect(statuses).toEqual([...Array(4).fill(401), ...Array(16).fill(429)]);
  });

  it('serves other addresses during a flood, and stops the flood', async () => {
    const { send } = await startOwn(LIMITS);
    const attempt = (email: string, password: string, address: string) =>
      send('POST', '/api/auth/login', {
        body: { hospital: hospital.prefix, email, password },
        headers: { 'X-Forwarded-For': address },
      });
    const flood = Array.from({ length: 200 }, (_, n) =>
      attempt(`flood-${n}-${hospital.prefix}@example.org`, 'wrong', '10.9.1.1'),
    );
    const [mine, again] = await Promise.all([
      attempt('jane@example.org', PASSWORD, '10.9.1.2'),
      // A double click.
      attempt('jane@example.org', PASSWORD, '10.9.1.2'),
    ]);
    expect([mine.status, again.status]).toEqual([200, 200]);
    const statuses = (await Promise.all(flood)).map(({ status }) => status);
    expect([...new Set(statuses)].sort()).toEqual([401, 429]);
    expect(statuses.filter((status) => status === 429).length).toBeGreaterThan(100);
  });

  it('counts nothing while Keycloak is unavailable', async () => {
    const alone = await startOwn(
      {
        account: { failures: 1, window: 600 },
        address: { failures: 1, window: 600 },
      },
      'http://127.0.0.1:9/auth',
    );
    const statuses: number[] = [];
    for (let n = 0; n < 3; n += 1) {
      const body = { hospital: hospital.prefix, email: `down-${hospital.prefix}@example.org`, password: 'x' };
      const headers = { 'X-Forwarded-For': '10.9.0.9' };
      statuses.push((await alone.send('POST', '/api/auth/login', { body, headers })).status);
    }
    expect(statuses).toEqual([503, 503, 503]);
  });

  it('refuses a body of more than a few kilobytes before reading it', async () => {
    const answer = await login({ email: '\u0301\u0323'.repeat(40_000) });
    expect(answer).toMatchObject({ status: 413, error: { code: 'PAYLOAD_TOO_LARGE' } });
  });

  it('reports a disabled or incomplete account to callers with the right password', async () => {
    expect(await login({ email: 'disabled@example.org' })).toMatchObject({
      status: 403,
      error: { code: 'ACCOUNT_DISABLED' },
    });
    expect(await login({ email: 'invited@example.org' })).toMatchObject({
      status: 403,
      error: { code: 'ACCOUNT_NOT_READY' },
    });
    expect((await login({ email: 'invited@example.org', password: 'wrong' })).error.code).toBe('INVALID_CREDENTIALS');
  });

  it('reports a suspended hospital', async () => {
    await admin.realms.update({ realm: hospital.prefix }, { enabled: false });
    const answer = await login();
    await admin.realms.update({ realm: hospital.prefix }, { enabled: true });
    expect(answer).toMatchObject({ status: 403, error: { code: 'HOSPITAL_SUSPENDED' } });
  });

  it("passes Keycloak the client's address from the gateway", async () => {
    await login({ password: 'wrong' }, { 'X-Forwarded-For': '8.8.8.8, 10.1.2.3' });
    const events = await admin.realms.findEvents({ realm: hospital.prefix, ipAddress: '10.1.2.3' });
    expect(events).toMatchObject([{ type: 'LOGIN_ERROR', error: 'invalid_user_credentials' }]);
  });

  it('names the missing fields', async () => {
    const answer = await auth.send('POST', '/api/auth/login', { body: { hospital: hospital.prefix } });
    expect(answer).toMatchObject({ status: 400, error: { message: 'email is required; password is required' } });
  });

  it('answers 503 with Retry-After while Keycloak is unavailable', async () => {
    const alone = await startOwn(LIMITS, 'http://127.0.0.1:9/auth');
    const answer = await alone.send('POST', '/api/auth/login', {
      body: { hospital: hospital.prefix, email: 'jane@example.org', password: PASSWORD },
    });
    expect(answer).toMatchObject({ status: 503, error: { code: 'IDENTITY_UNAVAILABLE' } });
    expect(answer.headers.get('Retry-After')).toBe('5');
  });
});

describe('refresh', () => {
  it('returns new tokens for a refresh token', async () => {
    const { refreshToken } = (await login()).data<Session>();
    const answer = await refresh(refreshToken);
    expect(answer.status).toBe(200);
    const session = answer.data<Session>();
    expect(session.refreshToken).not.toBe(refreshToken);
    expect((await auth.send('GET', '/api/auth/me', { token: session.accessToken })).status).toBe(200);
  });

  it('refuses invalid refresh tokens and access tokens', async () => {
    const { accessToken } = (await login()).data<Session>();
    const foreign = `${Buffer.from('{"alg":"HS512"}').toString('base64url')}.${Buffer.from(
      JSON.stringify({ iss: issuerOf(baseUrl, 'master'), jti: randomUUID() }),
    ).toString('base64url')}.x`;
    for (const token of ['garbage', foreign, accessToken]) {
      expect(await refresh(token)).toMatchObject({ status: 401, error: { code: 'INVALID_REFRESH_TOKEN' } });
    }
  });
});

describe('logout', () => {
  it('ends the session permanently', async () => {
    const { refreshToken } = (await login()).data<Session>();
    expect((await logout(refreshToken)).data()).toEqual({ loggedOut: true });
    expect(await refresh(refreshToken)).toMatchObject({ status: 401, error: { code: 'INVALID_REFRESH_TOKEN' } });
    expect((await logout(refreshToken)).status).toBe(200);
  });
});

describe('me', () => {
  it('answers 401 without a token', async () => {
    expect(await auth.send('GET', '/api/auth/me')).toMatchObject({ status: 401, error: { code: 'UNAUTHENTICATED' } });
  });
});
