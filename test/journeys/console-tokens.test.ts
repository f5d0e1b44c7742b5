/** Tokens of the platform's own users: the gateway lets them pass, and they open nothing that belongs to a hospital. */
import { BUILT_MODULES, gatewayId, processNames, servesHospitals } from '@hms/tenancy';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { moduleDefinitions } from '../openapi/documents.ts';
import { platform } from '../platform.ts';
import { clientsWithoutPage } from '../support/clients.ts';
import { call, tokenOf } from '../support/gateway.ts';
import { applyHospital, eventsOf, freshHospital, resync, whenCondition } from '../support/hospitals.ts';
import { asKeycloakAdmin } from '../support/keycloak-admin.ts';
import { until } from '../support/until.ts';

const SLOW = 120_000;
const PATIENTS = '/api/hms/patients';
const { admin } = platform().gateway;
const CONSUMER = `${admin}/consumers/${gatewayId('consumers', 'console')}`;

/** The modules for people of hospitals. The auth module is for everybody. */
const OF_HOSPITALS = BUILT_MODULES.filter(({ name, tokenRequired }) => servesHospitals(name) && tokenRequired);

let hospital: string;
let token: string;
beforeAll(async () => {
  hospital = (await freshHospital()).metadata.name;
  token = await tokenOf('console', 'PLATFORM_ADMIN');
}, SLOW);

/** In the form of the API, or of FHIR. */
interface Refusal {
  readonly error?: { readonly code: string };
  readonly issue?: readonly { readonly details: { readonly text: string } }[];
}

const drift = (what: string) =>
  until(
    `the event about ${what}`,
    () => eventsOf('hms-operator'),
    (events) => events.some(({ reason, message }) => reason === 'DriftCorrected' && message.includes(what)),
  );

describe('a token of a platform administrator', () => {
  it('names its user at the auth module', async () => {
    const { status, body } = await call('GET', '/api/auth/me', { token });
    expect(status).toBe(200);
    expect(body?.data).toMatchObject({ email: 'platform-admin@console.example', roles: ['PLATFORM_ADMIN'] });
  });

  it('gets 403 of the module at every route that needs a permission', async () => {
    const definitions = await moduleDefinitions();
    const routes = OF_HOSPITALS.flatMap((module) => {
      const [process_ = 'hms-1'] = processNames(module);
      const own = definitions.find(({ name }) => name === module.name)?.routes ?? [];
      const needing = own.filter(({ access }) => access !== 'public' && access !== 'authenticated');
      expect([module.name, needing.length > 0]).toEqual([module.name, true]);
      return needing.map(({ method, path }) => ({ method, path, port: platform().ports[process_] }));
    });
    const id = '0198a5a0-0000-7000-8000-000000000000';
    const answers = await Promise.all(
      routes.map(async ({ method, path, port }) => {
        // Not through the gateway: there are more routes than requests that it lets a token make in a minute.
        const url = `http://127.0.0.1:${port}${path.replace(/:\w+/g, id)}`;
        const answer = await fetch(url, { method, headers: { Authorization: `Bearer ${token}` } });
        const { error, issue } = (await answer.json()) as Refusal;
        return [method, path, answer.status, error?.code ?? issue?.[0]?.details.text];
      }),
    );
    expect(answers).toEqual(routes.map(({ method, path }) => [method, path, 403, 'FORBIDDEN']));
  });

  it('is given for a password to the auth module only, which asks for a code', async () => {
    const { clients } = await asKeycloakAdmin();
    expect(clientsWithoutPage(await clients.find({ realm: 'console' }))).toEqual(['hms-auth']);
  });

  it.each(OF_HOSPITALS.map(({ path }) => path))(
    'gets a clear error at the route of %s that needs a hospital and no role',
    async (path) => {
      expect(await call('GET', `${path}/check`, { token })).toMatchObject({
        status: 403,
        body: { error: { code: 'FORBIDDEN', message: 'Only people of a hospital may use this' } },
      });
    },
  );

  it("is refused at a hospital's hosts by the gateway, also while the hospital is suspended", async () => {
    const host = `${hospital}.${platform().domain}`;
    const refused = { status: 403, body: { message: 'You cannot consume this service' } };
    for (const path of [PATIENTS, '/api/crm/families'])
      expect(await call('GET', path, { token, host })).toMatchObject(refused);
    await applyHospital(hospital, { state: 'Suspended' });
    await whenCondition(hospital, 'Suspended', ({ status }) => status === 'True');
    expect(await call('GET', PATIENTS, { token, host })).toMatchObject(refused);
    expect((await call('GET', PATIENTS, { token })).status).toBe(403);
    await applyHospital(hospital, { state: 'Active' });
    await whenCondition(hospital, 'Ready', ({ status }) => status === 'True');
  });

  it(
    'passes again after a manual change of the consumer or its credential',
    async () => {
      await fetch(CONSUMER, { method: 'DELETE' });
      await until(
        'the gateway to refuse the token',
        () => call('GET', PATIENTS, { token }),
        ({ status }) => status === 401,
      );
      await resync(hospital);
      await drift('create consumer console; create credential console');
      const group = await fetch(`${CONSUMER}/acls`, {
        method: 'POST',
        body: JSON.stringify({ group: hospital, tags: [`hms-tenant-${hospital}`] }),
        headers: { 'content-type': 'application/json' },
      });
      expect(group.status).toBe(201);
      await resync(hospital);
      await until(
        'the group to be removed',
        async () => (await (await fetch(`${CONSUMER}/acls`)).json()) as { data: unknown[] },
        ({ data }) => data.length === 0,
      );
      expect((await call('GET', PATIENTS, { token })).body?.error?.code).toBe('FORBIDDEN');
    },
    SLOW,
  );
});
