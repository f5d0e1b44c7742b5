/** What thieves try with tokens, passwords and clients of Keycloak, through the gateway. */
import { dataOf, type Schemas } from '@hms/api-client';
import { demonstrationUser, type Login, layout } from '@hms/local';
import { send } from '@hms/service/testing';
import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type KeycloakAdminClient from '@keycloak/keycloak-admin-client';
import { nextSecond } from '../../services/auth/src/employees/seconds.ts';
import { readSigningKey } from '../../services/auth/src/signing-key.ts';
import { platform } from '../platform.ts';
import { api, call, tokenOf } from '../support/gateway.ts';
import { freshHospital } from '../support/hospitals.ts';
import { asKeycloakAdmin } from '../support/keycloak-admin.ts';
import { HOSPITAL_PROCESSES } from '../support/processes.ts';
import { until } from '../support/until.ts';

const SLOW = 120_000;
/** Of the promise that everybody gets: see docs/security.md. */
const REFUSED_WITHIN_MS = 2_000;
/** Each stream is looked at this often. */
const LOOK_MS = 1_000;
const { baseUrl, keycloakUrl, ports } = platform();
let hospital: string;
let doctor: Login;

beforeAll(async () => {
  hospital = (await freshHospital()).metadata.name;
  doctor = await demonstrationUser(platform(), hospital, 'DOCTOR');
}, SLOW);

async function loggedIn(person = doctor): Promise<Schemas['Session']> {
  return (await dataOf(api().POST('/api/auth/login', { body: person }))) as Schemas['Session'];
}

describe('a stolen refresh token', () => {
  let session: Schemas['Session'];
  beforeEach(async () => {
    session = await loggedIn();
  }, SLOW);

  const refresh = (refreshToken: string) => api().POST('/api/auth/refresh', { body: { refreshToken } });
  const renewed = async (refreshToken: string) => (await dataOf(refresh(refreshToken))).refreshToken;
  /** Whether a session still goes on for somebody with this token. */
  const opens = async (refreshToken: string) => (await refresh(refreshToken)).response.status;

  it('ends the session for both when the thief uses it after its owner and once more', async () => {
    const newest = await renewed(session.refreshToken);
    await renewed(session.refreshToken);
    expect(await opens(session.refreshToken)).toBe(401);
    expect(await opens(newest)).toBe(401);
  });

  it('ends the session for both when its owner has gone on with the next one', async () => {
    const second = await renewed(session.refreshToken);
    await nextSecond();
    const third = await renewed(second);
    expect(await opens(session.refreshToken)).toBe(401);
    expect(await opens(third)).toBe(401);
  });

  it('ends the session for both when both go on with what they got for it', async () => {
    const [owners, thiefs] = [await renewed(session.refreshToken), await renewed(session.refreshToken)];
    await nextSecond();
    const next = await renewed(owners);
    expect(await opens(thiefs)).toBe(401);
    expect(await opens(next)).toBe(401);
  });

  it('ends the session for everybody when it is used many times at the same instant', async () => {
    const answers = await Promise.all(Array.from({ length: 12 }, () => refresh(session.refreshToken)));
    const given = answers.flatMap(({ data }) => (data ? [data.data.refreshToken] : []));
    expect(given.length).toBeLessThanOrEqual(2);
    for (const token of [...given, session.refreshToken]) expect(await opens(token)).toBe(401);
  });
});

describe('who is terminated', () => {
  it(
    'is refused by each process with a token that has not expired, and no stream goes on',
    async () => {
      const owner = await tokenOf(hospital, 'OWNER');
      const { password } = doctor;
      const email = `nora@${hospital}.example`;
      const body = { firstName: 'Nora', lastName: 'Night', email, roles: ['NURSE' as const] };
      const { id } = await dataOf(api(owner).POST('/api/hms/employees', { body }));
      const path = { id };
      const { accountId } = await until(
        'an account',
        () => dataOf(api(owner).GET('/api/hms/employees/{id}', { params: { path } })),
        (employee) => employee.accountId !== null,
      );
      const { users } = await asKeycloakAdmin();
      const of = { realm: hospital, id: accountId ?? '' };
      await users.resetPassword({ ...of, credential: { type: 'password', value: password, temporary: false } });
      const { accessToken: token, refreshToken } = await loggedIn({ hospital, email, password });
      const admin = api(await tokenOf(hospital, 'ADMIN'));
      const clinic = { code: 'ENT', name: 'Ear, nose and throat', tokenPrefix: 'A', isQueueEnabled: true };
      const clinicId = (await dataOf(admin.POST('/api/hms/clinics', { body: clinic }))).id;

      const ask = () =>
        Promise.all(
          HOSPITAL_PROCESSES.map(async ([process, at]) => [
            process,
            (await send(`http://127.0.0.1:${ports[process]}`, 'GET', at, { token })).status,
          ]),
        );
      const served = (await ask()).map(([, status]) => status);
      expect(served.every((status) => status !== 401)).toBe(true);
      const streams = ['/api/hms/patients/changes', `/api/queue/${clinicId}/stream`, '/api/hms/clinics/changes'];
      const over: string[] = [];
      for (const stream of streams) {
        const response = await fetch(platform().gateway.proxy + stream, {
          headers: { authorization: `Bearer ${token}` },
        });
        expect([stream, response.status]).toEqual([stream, 200]);
        void response.text().then(() => over.push(stream));
      }
      const gone = api(owner).POST('/api/hms/employees/{id}/terminate', { params: { path }, body: {} });
      expect((await gone).response.status).toBe(200);
      const terminated = Date.now();
      await until('a refusal everywhere', ask, (all) => all.every(([, status]) => status === 401), REFUSED_WITHIN_MS);
      const left = terminated + REFUSED_WITHIN_MS + LOOK_MS - Date.now();
      await until(
        'the end of each stream',
        async () => over,
        ({ length }) => length === streams.length,
        left,
      );
      expect((await call('GET', '/api/hms/patients', { token })).status).toBe(401);
      expect((await api().POST('/api/auth/refresh', { body: { refreshToken } })).response.status).toBe(401);
    },
    SLOW,
  );
});

describe("a client of the hospital's realm", () => {
  const TOKEN = 'urn:ietf:params:oauth:token-type:access_token';
  const EXCHANGE = 'urn:ietf:params:oauth:grant-type:token-exchange';
  type Form = Readonly<Record<string, string>>;

  /** Each way in which somebody with its credentials can say that they are the client. */
  async function proofsOf(
    { clients }: KeycloakAdminClient,
    { id = '', clientId = '' }: { readonly id?: string; readonly clientId?: string },
  ): Promise<Readonly<Record<string, Form>>> {
    // Keycloak makes secrets for clients that use none, too.
    const { value } = await clients.getClientSecret({ realm: hospital, id }).catch(() => ({ value: undefined }));
    const key = await readSigningKey(layout(platform().dataDir).signingKey);
    const signed = {
      client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
      client_assertion: await key.assertion(clientId, `${baseUrl}/auth/realms/${hospital}`),
    };
    return { nothing: {}, ...(value ? { 'its secret': { client_secret: value } } : {}), 'its key': signed };
  }

  it(
    'gives a token for a password, or by itself, only as designed',
    async () => {
      const { accessToken } = await loggedIn();
      const admin = await asKeycloakAdmin();
      const known = await admin.clients.find({ realm: hospital });
      const grants: Readonly<Record<string, Form>> = {
        password: { grant_type: 'password', scope: 'openid', username: doctor.email, password: doctor.password },
        itself: { grant_type: 'client_credentials' },
        exchange: { grant_type: EXCHANGE, subject_token: accessToken, subject_token_type: TOKEN },
        'exchange for another person': {
          ...{ grant_type: EXCHANGE, subject_token: accessToken, subject_token_type: TOKEN },
          requested_subject: doctor.email,
        },
      };
      const given: string[] = [];
      for (const client of known) {
        for (const [name, grant] of Object.entries(grants)) {
          for (const [how, proof] of Object.entries(await proofsOf(admin, client))) {
            const form = { ...grant, ...proof, client_id: client.clientId ?? '' };
            const answer = await fetch(`${keycloakUrl}/realms/${hospital}/protocol/openid-connect/token`, {
              method: 'POST',
              body: new URLSearchParams(form),
            });
            const { access_token: token } = (await answer.json()) as { access_token?: string };
            if (token === undefined) continue;
            const { status } = await call('GET', '/api/hms/patients', { token });
            given.push(`${client.clientId}: ${name} by ${how}: ${status}`);
          }
        }
      }
      // The auth module's own key opens its own grants. The operator's probe reads what needs no permission.
      expect(given.toSorted()).toEqual([
        'hms-auth: itself by its key: 403',
        'hms-auth: password by its key: 200',
        'hms-probe: itself by its secret: 403',
      ]);
      expect(known.length).toBeGreaterThan(8);
    },
    SLOW,
  );
});
