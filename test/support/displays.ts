/** Television displays of a hospital of the test platform, and the administrator who pairs them. */
import { randomInt } from 'node:crypto';
import type { Schemas } from '@hms/api-client';
import { type RequestOptions, send, type TestAnswer } from '@hms/service/testing';
import { expect } from '@jest/globals';
import { platform } from '../platform.ts';
import { asKeycloakAdmin } from './keycloak-admin.ts';
import { until } from './until.ts';

export type Display = Schemas['Display'];
export type StartedPairing = Schemas['StartedPairing'];
export type DisplayToken = Schemas['DisplayToken'];

export const DISPLAYS = '/api/auth/displays';

/** Directly at a process: the gateway would limit the requests. */
export function request(url: string, method: string, path: string, options: RequestOptions = {}): Promise<TestAnswer> {
  return send(url, method, path, {
    ...options,
    // A network of its own for each request, because a network's requests are limited.
    headers: { 'X-Forwarded-For': `10.${randomInt(256)}.${randomInt(256)}.1`, ...options.headers },
  });
}

/** The status of a success, and the code of a refusal. */
export const outcome = ({ status, success, error }: TestAnswer) => (success ? status : error.code);

/** What displays of a hospital and its administrators request. @param url of a process of the auth module. */
export function displaysOf(hospital: string, url = `http://127.0.0.1:${platform().ports.auth}`) {
  const ask = (deviceCode: string) => request(url, 'POST', `${DISPLAYS}/token`, { body: { hospital, deviceCode } });
  return {
    begin: async () => (await request(url, 'POST', `${DISPLAYS}/start`, { body: { hospital } })).data<StartedPairing>(),
    pair: (code: string, token: string, clinic: string, changes: object = {}) =>
      request(url, 'POST', DISPLAYS, { token, body: { code, name: 'Waiting room', clinicIds: [clinic], ...changes } }),
    unpair: (id: string, token: string) => request(url, 'DELETE', `${DISPLAYS}/${id}`, { token }),
    /** All that are paired. */
    list: async (token: string) =>
      (await request(url, 'GET', `${DISPLAYS}?limit=100`, { token })).data<readonly Display[]>(),
    me: (token: string) => request(url, 'GET', `${DISPLAYS}/me`, { token }),
    report: (token: string, body: Schemas['DisplayReport']) =>
      request(url, 'PUT', `${DISPLAYS}/me/report`, { token, body }),
    ask,
    /** A token, as soon as the account exists. */
    tokenFor: async (deviceCode: string) =>
      (
        await until(
          'a token',
          () => ask(deviceCode),
          ({ success }) => success,
          60_000,
        )
      ).data<DisplayToken>(),
  };
}

export type Displays = ReturnType<typeof displaysOf>;

export async function newClinic(code: string, token: string): Promise<string> {
  const url = `http://127.0.0.1:${platform().ports['hms-1']}`;
  const answer = await request(url, 'POST', '/api/hms/clinics', { token, body: { code, name: `Clinic ${code}` } });
  expect(answer).toMatchObject({ status: 201 });
  return answer.data<Schemas['Clinic']>().id;
}

export const claimsOf = (token: string) => JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString());

/** The username of a display's account is the id of the display. */
const IS_DISPLAY = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** The accounts of displays in Keycloak: `<id of the display> <id of the account>`, sorted. */
export async function accountsOfDisplays(realm: string): Promise<readonly string[]> {
  const { users } = await asKeycloakAdmin();
  const all = await users.find({ realm, max: 1000 });
  return all.flatMap(({ username = '', id }) => (IS_DISPLAY.test(username) ? [`${username} ${id}`] : [])).sort();
}
