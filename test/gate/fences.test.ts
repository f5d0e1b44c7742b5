/** What is refused: invalid tokens, other hospitals, too many requests, bodies that are too large. */

import { createHmac, generateKeyPairSync } from 'node:crypto';
import { dataOf } from '@hms/api-client';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { decodeJwt, SignJWT } from 'jose';
import { platform } from '../platform.ts';
import { api, call, tokenOf } from '../support/gateway.ts';
import { freshHospital } from '../support/hospitals.ts';
import { asKeycloakAdmin } from '../support/keycloak-admin.ts';
import { until } from '../support/until.ts';

const SLOW = 120_000;
const PATIENT = { firstName: 'Ann', lastName: 'Byrne', phone: '+35311111111', dateOfBirth: '1980-01-01' };

let ours: string;
let theirs: string;
let doctor: string;

beforeAll(async () => {
  const hospitals = await Promise.all([freshHospital(), freshHospital()]);
  [ours = '', theirs = ''] = hospitals.map(({ metadata }) => metadata.name);
  doctor = await tokenOf(ours, 'DOCTOR');
}, SLOW);

const list = (token?: string) => call('GET', '/api/hms/patients', token ? { token } : {});

describe('a token', () => {
  it('is required', async () => {
    expect(await list()).toMatchObject({ status: 401, body: { message: 'Unauthorized' } });
  });

  it('may be in the query', async () => {
    expect((await call('GET', `/api/hms/patients?jwt=${doctor}`)).status).toBe(200);
  });

  it('signed with another key is refused', async () => {
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    const forged = await new SignJWT(decodeJwt(doctor)).setProtectedHeader({ alg: 'RS256' }).sign(privateKey);
    expect(await list(forged)).toMatchObject({ status: 401, body: { message: 'Invalid signature' } });
  });

  it('signed with another algorithm is refused, also with the public key as the secret', async () => {
    const admin = await asKeycloakAdmin();
    const { keys } = await admin.realms.getKeys({ realm: ours });
    const publicKey = keys?.find(({ algorithm }: { algorithm?: string }) => algorithm === 'RS256')?.publicKey ?? '';
    const signed = `${encode({ alg: 'HS256', typ: 'JWT' })}.${encode(decodeJwt(doctor))}`;
    const hs256 = `${signed}.${createHmac('sha256', publicKey).update(signed).digest('base64url')}`;
    expect(await list(hs256)).toMatchObject({ status: 401 });
    const none = `${encode({ alg: 'none' })}.${encode(decodeJwt(doctor))}.`;
    expect(await list(none)).toMatchObject({ status: 401 });
  });

  it('of an issuer that is not a hospital is refused', async () => {
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    const claims = { ...decodeJwt(doctor), iss: `${platform().baseUrl}/auth/realms/master` };
    const foreign = await new SignJWT(claims).setProtectedHeader({ alg: 'RS256' }).sign(privateKey);
    expect(await list(foreign)).toMatchObject({
      status: 401,
      body: { message: "No credentials found for given 'iss'" },
    });
  });

  it('that has expired is refused', async () => {
    const admin = await asKeycloakAdmin();
    await admin.realms.update({ realm: theirs }, { accessTokenLifespan: 2 });
    const short = await tokenOf(theirs, 'DOCTOR');
    // The module answers the same if the token expires in transit.
    const refused = await until(
      'the gateway to refuse the token',
      () => list(short),
      ({ status, body }) => status === 401 && body?.success === undefined,
      10_000,
    );
    expect(refused.body).toEqual({ exp: 'token expired' });
    await admin.realms.update({ realm: theirs }, { accessTokenLifespan: 300 });
  });
});

describe('another hospital', () => {
  it('can’t find our patient, and can’t use our host', async () => {
    const { id } = await dataOf(api(doctor).POST('/api/hms/patients', { body: PATIENT }));
    const path = `/api/hms/patients/${id}`;
    const stranger = await tokenOf(theirs, 'DOCTOR');
    expect(await call('GET', path, { token: stranger })).toMatchObject({
      status: 404,
      body: { success: false, error: { code: 'PATIENT_NOT_FOUND' } },
    });
    const host = `${ours}.${platform().domain}`;
    expect(await call('GET', path, { token: stranger, host })).toMatchObject({ status: 403 });
    expect(await call('GET', path, { token: doctor, host })).toMatchObject({ status: 200 });
  });
});

describe('limits', () => {
  it(
    'allow 100 requests a minute for one token, with headers',
    async () => {
      const hospital = (await freshHospital()).metadata.name;
      const token = await tokenOf(hospital, 'NURSE');
      await startOfMinute();
      for (let i = 1; i <= 100; i++) {
        const { status, headers } = await list(token);
        expect(status).toBe(200);
        expect(headers['x-ratelimit-remaining-minute']).toBe(String(100 - i));
      }
      const refused = await list(token);
      expect(refused.status).toBe(429);
      expect(refused.body?.message).toBe('API rate limit exceeded');
      expect(refused.headers).toMatchObject({
        'x-ratelimit-limit-minute': '100',
        'x-ratelimit-remaining-minute': '0',
        'retry-after': expect.stringMatching(/^\d+$/),
      });
      const colleague = await tokenOf(hospital, 'DOCTOR');
      expect((await list(colleague)).status).toBe(200);
    },
    SLOW,
  );

  it(
    "are the hospital's own if it has set some, on every host and counted once",
    async () => {
      const { metadata } = await freshHospital({ gateway: { rateLimits: { hms: { minute: 4, hour: 40 } } } });
      const token = await tokenOf(metadata.name, 'NURSE');
      await startOfMinute();
      const host = `${metadata.name}.${platform().domain}`;
      const statuses: number[] = [];
      for (const options of [{}, { host }, {}, { host }, {}]) {
        statuses.push((await call('GET', '/api/hms/patients', { token, ...options })).status);
      }
      expect(statuses).toEqual([200, 200, 200, 200, 429]);
    },
    SLOW,
  );

  it('count logins by address, whatever the headers', async () => {
    await startOfMinute();
    const remaining: number[] = [];
    for (let n = 0; n < 4; n += 1) {
      const { headers } = await call('POST', '/api/auth/login', { token: `made-up-${n}`, body: {} });
      remaining.push(Number(headers['x-ratelimit-remaining-minute']));
    }
    // Logins of other suites count too.
    for (const [n, left] of remaining.entries()) expect(left).toBeLessThan(remaining[n - 1] ?? 600);
  });

  it('allow no large body on routes without a token', async () => {
    const raw = Buffer.alloc(64 * 1024 + 1, 0x20);
    const { status } = await call('POST', '/api/auth/login', { raw, headers: { 'content-type': 'application/json' } });
    expect(status).toBe(413);
  });

  it('allow a body of 10 MB and no more', async () => {
    const send = (bytes: number) =>
      call('POST', '/api/hms/patients', {
        token: doctor,
        raw: Buffer.alloc(bytes, 0x20),
        headers: { 'content-type': 'application/json' },
      });
    // Spaces are not JSON, so the module's error shows that it has read them.
    const largest = await send(10 * 1024 * 1024);
    expect([largest.status, largest.body?.success]).toEqual([400, false]);
    const larger = await send(10 * 1024 * 1024 + 1);
    expect([larger.status, larger.body?.message]).toEqual([413, 'Request size limit exceeded']);
  });
});

describe('cross-origin rules', () => {
  it("answer the preflight of the hospital's own pages without a token", async () => {
    const host = `${ours}.${platform().domain}`;
    const origin = `http://${host}:${new URL(platform().baseUrl).port}`;
    const { status, headers } = await call('OPTIONS', '/api/hms/patients', {
      host,
      headers: { origin, 'access-control-request-method': 'GET', 'access-control-request-headers': 'authorization' },
    });
    expect(status).toBe(200);
    expect(headers).toMatchObject({
      'access-control-allow-origin': origin,
      'access-control-allow-credentials': 'true',
      'access-control-max-age': '3600',
    });
  });
});

function encode(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}

/** Kong counts in minutes of the clock: a hundred requests that start late in one would end in the next. */
async function startOfMinute(): Promise<void> {
  const inTime = async () => new Date().getUTCSeconds();
  await until('enough of the minute to remain', inTime, (second) => second < 40, 25_000);
}
