/** Hosts that are somebody's already: refused with a sentence, and left to whom they belong. */
import { afterAll, describe, expect, it } from '@jest/globals';
import { platform } from './platform.ts';
import { Engines } from './support/engines.ts';
import {
  annotate,
  applyHospital,
  deleteHospital,
  freshHospital,
  freshPrefix,
  readHospital,
  resync,
  whenCondition,
  whenReady,
} from './support/hospitals.ts';

const SLOW = 120_000;
const engines = new Engines(platform());
afterAll(() => engines.close());

describe('a host', () => {
  it(
    'that is taken already is a Conflict, and the first hospital keeps it',
    async () => {
      const { metadata } = await freshHospital();
      const host = `${metadata.name}.${platform().domain}`;
      const thief = freshPrefix();
      await applyHospital(thief, { gateway: { hosts: [host] } });
      const { status } = await whenCondition(thief, 'Ready', ({ reason }) => reason === 'Conflict');
      expect(status?.conditions?.find(({ type }) => type === 'GatewayReady')?.message).toContain(
        `is hospital ${metadata.name}'s`,
      );
      expect(await engines.tagged('routes', thief)).toEqual([]);
      await deleteHospital(thief);
    },
    SLOW,
  );

  it(
    'that an older hospital asks for stays with the one that has it, until that one lets go of it',
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
    'that is taken already is a Conflict in the plan of an observed hospital, too',
    async () => {
      const { metadata } = await freshHospital();
      const name = freshPrefix();
      const hosts = [`${metadata.name}.${platform().domain}`];
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
    'that routes of a hospital still hold whose object is gone is a Conflict, until they are gone',
    async () => {
      const [host, name] = [`${freshPrefix()}.example`, freshPrefix()];
      const { metadata } = await freshHospital({ gateway: { hosts: [host] } });
      const { name: before } = metadata;
      await applyHospital(before, { managementPolicy: 'Observe', gateway: { hosts: [host] } });
      await deleteHospital(before);
      const left = await engines.tagged('routes', before);
      expect(left).not.toEqual([]);
      const gateway = { hosts: [`own.${host}`, host] };
      await applyHospital(name, { gateway });
      const { status } = await whenCondition(name, 'GatewayReady', ({ reason }) => reason === 'Conflict');
      expect(status?.conditions?.find(({ type }) => type === 'Ready')?.message).toContain(
        `host ${host} is held by routes of hospital ${before} in the gateway: take it out of spec.gateway.hosts`,
      );
      expect(await engines.tagged('routes', name)).toEqual([]);
      await Promise.all(left.map(({ id }) => fetch(`${platform().gateway.admin}/routes/${id}`, { method: 'DELETE' })));
      await whenReady(name);
      await deleteHospital(name);
    },
    SLOW,
  );

  it(
    'that is the platform’s own is a Conflict, and no route takes its requests',
    async () => {
      const [name, host] = [freshPrefix(), `console.${platform().domain}`];
      await applyHospital(name, { gateway: { hosts: [host] } });
      const { status } = await whenCondition(name, 'GatewayReady', ({ reason }) => reason === 'Conflict');
      expect(status?.conditions?.find(({ type }) => type === 'Ready')?.message).toBe(
        `host ${host} is the platform's own: take it out of spec.gateway.hosts`,
      );
      expect(await engines.tagged('routes', name)).toEqual([]);
      await deleteHospital(name);
    },
    SLOW,
  );
});
