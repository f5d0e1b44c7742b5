/** Hosts with another owner: refused with a message, and kept by their owner. */
import { PATCH } from '@hms/kubernetes';
import { afterAll, describe, expect, it } from '@jest/globals';
import { platform } from '../platform.ts';
import { Engines } from '../support/engines.ts';
import {
  annotate,
  applyHospital,
  deleteHospital,
  freshHospital,
  freshPrefix,
  HOSPITALS,
  kubernetes,
  readHospital,
  resync,
  whenCondition,
  whenReady,
} from '../support/hospitals.ts';
import { until } from '../support/until.ts';

const SLOW = 120_000;
const engines = new Engines(platform());
afterAll(() => engines.close());

/** The hosts of a hospital's routes. */
async function hostsInGateway(name: string): Promise<readonly string[]> {
  const routes = (await engines.tagged('routes', name)) as { hosts?: readonly string[] }[];
  return [...new Set(routes.flatMap(({ hosts }) => hosts ?? []))];
}

async function publicKeyInGateway(name: string): Promise<unknown> {
  const [credential] = (await engines.tagged('jwts', name)) as { rsa_public_key?: unknown }[];
  return credential?.rsa_public_key;
}

describe('a host', () => {
  it(
    "below the platform's domain is reserved for the hospital of that name",
    async () => {
      const [name, other] = [freshPrefix(), freshPrefix()];
      const { domain } = platform();
      const hosts = [`auth.${domain}`, `${other}.${domain}`, `own.${name}.${domain}`];
      await applyHospital(name, { gateway: { hosts } });
      const { status } = await whenCondition(name, 'GatewayReady', ({ reason }) => reason === 'Conflict');
      const message = status?.conditions?.find(({ type }) => type === 'Ready')?.message;
      for (const host of hosts.slice(0, 2)) expect(message).toContain(`host ${host} is reserved`);
      expect(await hostsInGateway(name)).toEqual([`own.${name}.${domain}`]);
      await deleteHospital(name);
    },
    SLOW,
  );

  it(
    'of another owner does not block keys, limits, suspension and the other hosts',
    async () => {
      const host = `${freshPrefix()}.example`;
      const holder = (await freshHospital({ gateway: { hosts: [host] } })).metadata.name;
      const name = (await freshHospital()).metadata.name;
      const own = `${name}.${platform().domain}`;
      const gateway = { hosts: [own, host], rateLimits: { hms: { minute: 7, hour: 70 } } };
      await applyHospital(name, { gateway });
      await whenCondition(name, 'Ready', ({ reason }) => reason === 'Conflict');
      expect(await hostsInGateway(name)).toEqual([own]);
      expect(await engines.tagged('plugins', name)).toContainEqual(
        expect.objectContaining({ name: 'rate-limiting', config: expect.objectContaining({ minute: 7, hour: 70 }) }),
      );
      // People are never redirected to a host that is not the hospital's.
      const admin = await engines.keycloak();
      const [portal] = await admin.clients.find({ realm: name, clientId: 'hms-portal' });
      expect(JSON.stringify([portal?.redirectUris, portal?.webOrigins])).not.toContain(host);
      const before = await publicKeyInGateway(name);
      await engines.rotateKey(name);
      await annotate(name, { 'hms.dev/reconcile-requested-at': 'rotated' });
      await until(
        'the new key',
        () => publicKeyInGateway(name),
        (key) => key !== before,
      );
      await applyHospital(name, { gateway, state: 'Suspended' });
      await whenCondition(name, 'Suspended', ({ status }) => status === 'True');
      expect(await engines.tagged('plugins', name)).toContainEqual(
        expect.objectContaining({ name: 'request-termination' }),
      );
      await Promise.all([holder, name].map(deleteHospital));
    },
    SLOW,
  );

  it(
    'can be swapped by two hospitals',
    async () => {
      const [first, second] = [`${freshPrefix()}.example`, `${freshPrefix()}.example`];
      const [a, b] = await Promise.all([first, second].map((host) => freshHospital({ gateway: { hosts: [host] } })));
      const names = [a, b].map((hospital) => hospital?.metadata.name ?? '');
      await Promise.all(
        [second, first].map((host, index) => applyHospital(names[index] ?? '', { gateway: { hosts: [host] } })),
      );
      await Promise.all(names.map(whenReady));
      expect(await Promise.all(names.map(hostsInGateway))).toEqual([[second], [first]]);
      await Promise.all(names.map(deleteHospital));
    },
    SLOW,
  );

  it(
    'can’t be claimed through a status',
    async () => {
      const host = `${freshPrefix()}.example`;
      const liar = (await freshHospital()).metadata.name;
      await kubernetes().request('PATCH', `${HOSPITALS}/${liar}/status`, {
        contentType: PATCH.merge,
        body: { status: { hosts: [host] } },
      });
      const name = (await freshHospital({ gateway: { hosts: [host] } })).metadata.name;
      expect(await hostsInGateway(name)).toEqual([host]);
      await Promise.all([liar, name].map(deleteHospital));
    },
    SLOW,
  );

  it(
    'that an older hospital requests stays with its holder until that releases it',
    async () => {
      const older = (await freshHospital()).metadata.name;
      const own = `${older}.${platform().domain}`;
      const host = `${freshPrefix()}.example`;
      const younger = (await freshHospital({ gateway: { hosts: [host] } })).metadata.name;
      await applyHospital(older, { gateway: { hosts: [own, host] } });
      const { status } = await whenCondition(older, 'GatewayReady', ({ reason }) => reason === 'Conflict');
      expect(status).toMatchObject({ hosts: [own] });
      expect(status?.conditions?.find(({ type }) => type === 'Ready')?.message).toContain(
        `host ${host} is hospital ${younger}'s`,
      );
      await resync(younger);
      expect((await readHospital(younger)).status).toMatchObject({ phase: 'Ready', hosts: [host] });
      await applyHospital(younger, { gateway: { hosts: [] } });
      await whenReady(younger);
      await annotate(older, { 'hms.dev/reconcile-requested-at': 'now that it is free' });
      expect((await whenReady(older)).status).toMatchObject({ hosts: [own, host] });
      await Promise.all([older, younger].map(deleteHospital));
    },
    SLOW,
  );

  it(
    'that another hospital has is also a Conflict in the plan of an observed hospital',
    async () => {
      const hosts = [`${freshPrefix()}.example`];
      const { metadata } = await freshHospital({ gateway: { hosts } });
      const name = freshPrefix();
      await applyHospital(name, { managementPolicy: 'Observe', gateway: { hosts } });
      const { status } = await whenCondition(name, 'Ready', ({ reason }) => reason === 'Conflict');
      expect(status?.conditions?.find(({ type }) => type === 'Ready')?.message).toContain(
        `is hospital ${metadata.name}'s`,
      );
      await deleteHospital(name);
    },
    SLOW,
  );

  it(
    'that routes of a deleted hospital still hold is a Conflict, until they are deleted',
    async () => {
      const [host, name] = [`${freshPrefix()}.example`, freshPrefix()];
      const { metadata } = await freshHospital({ gateway: { hosts: [host] } });
      const { name: before } = metadata;
      await applyHospital(before, { managementPolicy: 'Observe', gateway: { hosts: [host] } });
      await deleteHospital(before);
      const remaining = await engines.tagged('routes', before);
      expect(remaining).not.toEqual([]);
      const gateway = { hosts: [`own.${host}`, host] };
      await applyHospital(name, { gateway });
      const { status } = await whenCondition(name, 'GatewayReady', ({ reason }) => reason === 'Conflict');
      expect(status?.conditions?.find(({ type }) => type === 'Ready')?.message).toContain(
        `host ${host} is held by routes of hospital ${before} in the gateway: remove it from spec.gateway.hosts`,
      );
      expect(await hostsInGateway(name)).toEqual([`own.${host}`]);
      await Promise.all(
        remaining.map(({ id }) => fetch(`${platform().gateway.admin}/routes/${id}`, { method: 'DELETE' })),
      );
      await whenReady(name);
      await deleteHospital(name);
    },
    SLOW,
  );

  it(
    'of the platform is a Conflict, and no route matches its requests',
    async () => {
      const [name, host] = [freshPrefix(), `console.${platform().domain}`];
      await applyHospital(name, { gateway: { hosts: [host] } });
      const { status } = await whenCondition(name, 'GatewayReady', ({ reason }) => reason === 'Conflict');
      expect(status?.conditions?.find(({ type }) => type === 'Ready')?.message).toBe(
        `host ${host} is the platform's own: remove it from spec.gateway.hosts`,
      );
      expect(await engines.tagged('routes', name)).toEqual([]);
      await deleteHospital(name);
    },
    SLOW,
  );
});
