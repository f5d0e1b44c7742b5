/** Tokens of the platform's own users: the gateway lets them pass, and they open nothing that belongs to a hospital. */
import type { Platform } from '@hms/service';
import { gatewayId } from '@hms/tenancy';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { crmModule } from '../../services/crm/src/module.ts';
import { hmsModule } from '../../services/hms/src/module.ts';
import { paymentModule } from '../../services/payment/src/module.ts';
import { queueModule } from '../../services/queue/src/module.ts';
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
    // Only the routes are read, and nothing of the platform is called.
    const modules = {
      'hms-1': hmsModule({} as Platform),
      crm: crmModule(),
      'payment-1': paymentModule({} as Platform),
      'queue-1': queueModule({} as Platform),
    };
    const routes = Object.entries(modules).flatMap(([process_, module]) =>
      module.routes
        .filter(({ access }) => access !== 'public' && access !== 'authenticated')
        .map(({ method, path }) => ({ method, path, port: platform().ports[process_ as keyof typeof modules] })),
    );
    expect(routes.length).toBeGreaterThan(10);
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

  it.each(['hms', 'crm', 'queue'])(
    'gets a clear error at the route of %s that needs a hospital and no role',
    async (module) => {
      expect(await call('GET', `/api/${module}/check`, { token })).toMatchObject({
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
