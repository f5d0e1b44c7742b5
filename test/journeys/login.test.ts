/** People log in through the auth module at a real Keycloak, in a realm as the operator creates it. */
import { randomUUID } from 'node:crypto';
import { type ApiClient, apiClient, dataOf, type Schemas } from '@hms/api-client';
import { type Hospital, updateHospital } from '@hms/database';
import type { TestModule } from '@hms/service/testing';
import { issuerOf } from '@hms/tenancy';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { LIMITS } from '../../services/auth/src/sessions/login-limits.ts';
import { platform } from '../platform.ts';
import { type AuthScene, authScene, PASSWORD } from '../support/auth-scene.ts';

/** Keycloak creates a realm in a second on an idle machine, but this one may be busy. */
const SLOW = 60_000;
const { baseUrl } = platform();
let scene: AuthScene;
let auth: TestModule;
let api: ApiClient;
let hospital: Hospital;

beforeAll(async () => {
  scene = await authScene('None', {
    disabled: { enabled: false },
    invited: { requiredActions: ['UPDATE_PASSWORD'] },
  });
  ({ auth, api, hospital } = scene);
}, SLOW);
afterAll(() => scene.end(), SLOW);

const startOwn = (limits: typeof LIMITS, keycloakUrl = platform().keycloakUrl) => scene.start({ limits, keycloakUrl });

const login = (changes: Partial<Schemas['Credentials']> = {}, headers: Readonly<Record<string, string>> = {}) =>
  auth.send('POST', '/api/auth/login', {
    body: { hospital: hospital.prefix, email: 'jane@example.org', password: PASSWORD, ...changes },
    headers,
  });
const loggedIn = async () => (await login()).data<Schemas['Session']>();
const refresh = (refreshToken: string) => api.POST('/api/auth/refresh', { body: { refreshToken } });
const logout = (refreshToken: string) => api.POST('/api/auth/logout', { body: { refreshToken } });
const me = (token: string) => apiClient(auth.url, token).GET('/api/auth/me');

describe('login', () => {
  it('returns tokens with the person’s identity', async () => {
    const answer = await login();
    expect(answer).toMatchObject({ status: 200, success: true });
    expect(answer.headers.get('Cache-Control')).toBe('no-store');
    const session = answer.data<Schemas['Session']>();
    expect(session).toEqual({
      accessToken: expect.any(String),
      refreshToken: expect.any(String),
      tokenType: 'Bearer',
      expiresIn: expect.any(Number),
      refreshExpiresIn: expect.any(Number),
    });
    // Keycloak counts in whole seconds, some of which have passed when it answers.
    expect([session.expiresIn, session.refreshExpiresIn].map((left) => Math.ceil(left / 20) * 20)).toEqual([300, 1800]);
    expect(await dataOf(me(session.accessToken))).toMatchObject({
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
    // Those that had to wait too long, and those above the limit of an address.
    expect(statuses.filter((status) => status === 429).length).toBeGreaterThanOrEqual(200 - LIMITS.address.failures);
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
    const { realms } = await scene.admin();
    await realms.update({ realm: hospital.prefix }, { enabled: false });
    const answer = await login();
    await realms.update({ realm: hospital.prefix }, { enabled: true });
    expect(answer).toMatchObject({ status: 403, error: { code: 'HOSPITAL_SUSPENDED' } });
  });

  it("passes Keycloak the client's address from the gateway", async () => {
    await login({ password: 'wrong' }, { 'X-Forwarded-For': '8.8.8.8, 10.1.2.3' });
    const events = await (await scene.admin()).realms.findEvents({ realm: hospital.prefix, ipAddress: '10.1.2.3' });
    expect(events).toMatchObject([{ type: 'LOGIN_ERROR', error: 'invalid_user_credentials' }]);
  });

  it.each([
    [{}, 'password is required'],
    [{ password: 'x' }, 'email or username is required, and not both'],
    [{ password: 'x', email: 'a@example.org', username: 'a' }, 'email or username is required, and not both'],
  ])('names the field to correct in %j', async (body, message) => {
    const answer = await auth.send('POST', '/api/auth/login', { body: { hospital: hospital.prefix, ...body } });
    expect(answer).toMatchObject({ status: 400, error: { message } });
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

describe('login page', () => {
  const read = (prefix: string) => auth.send('GET', `/api/auth/hospitals/${prefix}`);

  it('gets the name, the color and the logo of a hospital', async () => {
    const plain = (await read(hospital.prefix)).data<Schemas['LoginPage']>();
    expect(plain).toEqual({
      prefix: hospital.prefix,
      name: hospital.displayName,
      primaryColor: null,
      logoUrl: null,
    });
    const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>');
    await auth.platform.storage.put(hospital, 'branding/logo.svg', svg, { contentType: 'text/plain' });
    const theme = { primaryColor: '#0b7285', logo: 'branding/logo.svg' };
    await updateHospital(auth.operator, hospital.prefix, { theme });
    const { primaryColor, logoUrl } = (await read(hospital.prefix)).data<Schemas['LoginPage']>();
    expect(primaryColor).toBe('#0b7285');
    const logo = await fetch(logoUrl ?? '');
    expect([logo.status, logo.headers.get('Content-Type')]).toEqual([200, 'image/svg+xml']);
    expect(Buffer.from(await logo.arrayBuffer())).toEqual(svg);
  });

  it('names an unknown hospital, and a suspended one', async () => {
    for (const prefix of ['no-such-hospital', 'console', '..%2Fmaster'])
      expect(await read(prefix)).toMatchObject({ status: 404, error: { code: 'HOSPITAL_UNKNOWN' } });
    await updateHospital(auth.operator, hospital.prefix, { state: 'Suspended' });
    const suspended = await read(hospital.prefix);
    await updateHospital(auth.operator, hospital.prefix, { state: 'Active' });
    expect(suspended).toMatchObject({ status: 403, error: { code: 'HOSPITAL_SUSPENDED' } });
  });
});

const INVALID = { response: { status: 401 }, error: { error: { code: 'INVALID_REFRESH_TOKEN' } } };

describe('refresh', () => {
  it('returns new tokens for a refresh token', async () => {
    const { refreshToken } = await loggedIn();
    const session = await dataOf(refresh(refreshToken));
    expect(session.refreshToken).not.toBe(refreshToken);
    expect((await me(session.accessToken)).response.status).toBe(200);
  });

  it('refuses invalid refresh tokens and access tokens', async () => {
    const { accessToken } = await loggedIn();
    const foreign = `${Buffer.from('{"alg":"HS512"}').toString('base64url')}.${Buffer.from(
      JSON.stringify({ iss: issuerOf(baseUrl, 'master'), jti: randomUUID() }),
    ).toString('base64url')}.x`;
    for (const token of ['garbage', foreign, accessToken]) {
      expect(await refresh(token)).toMatchObject(INVALID);
    }
  });
});

describe('a stolen refresh token', () => {
  it('ends the session for the thief and for the owner, who may lose one answer', async () => {
    const { refreshToken } = await loggedIn();
    expect((await refresh(refreshToken)).response.status).toBe(200);
    const { refreshToken: newest } = await dataOf(refresh(refreshToken));
    expect(await refresh(refreshToken)).toMatchObject(INVALID);
    expect(await refresh(newest)).toMatchObject(INVALID);
  });
});

describe('logout', () => {
  it('ends the session permanently', async () => {
    const { refreshToken } = await loggedIn();
    expect(await dataOf(logout(refreshToken))).toEqual({ loggedOut: true });
    expect(await refresh(refreshToken)).toMatchObject(INVALID);
    expect((await logout(refreshToken)).response.status).toBe(200);
  });
});

describe('me', () => {
  it('answers 401 without a token', async () => {
    expect(await api.GET('/api/auth/me')).toMatchObject({
      response: { status: 401 },
      error: { error: { code: 'UNAUTHENTICATED' } },
    });
  });
});
