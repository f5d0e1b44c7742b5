/** A realm that changes its signing key. */

import type { SigningKeyStatus } from '@hms/hospitals';
import { afterAll, describe, expect, it } from '@jest/globals';
import { platform } from '../platform.ts';
import { Engines } from '../support/engines.ts';
import { call, tokenOf } from '../support/gateway.ts';
import { annotate, eventsOf, freshHospital, readHospital, resync, whenTold } from '../support/hospitals.ts';
import { until } from '../support/until.ts';

const SLOW = 120_000;

const engines = new Engines(platform());
afterAll(() => engines.close());

const whenKey = (name: string, holds: (key: SigningKeyStatus) => boolean) =>
  until(
    `the signing key of ${name}`,
    () => readHospital(name),
    ({ status }) => status?.signingKey !== undefined && holds(status.signingKey),
  );

const kidOf = (token: string): string => JSON.parse(Buffer.from(token.split('.')[0] ?? '', 'base64url').toString()).kid;

describe('a requested rotation of the signing key', () => {
  it(
    'refuses no new token, and modules accept the tokens of both keys',
    async () => {
      const { name } = (await freshHospital()).metadata;
      const patients = (token: string) => call('GET', '/api/hms/patients', { token });
      // Without the gateway, which knows one key.
      const module = async (token: string) => {
        const url = `http://127.0.0.1:${platform().ports['hms-1']}/api/hms/patients`;
        return (await fetch(url, { headers: { authorization: `Bearer ${token}` } })).status;
      };
      const before = await tokenOf(name, 'DOCTOR');
      expect([(await patients(before)).status, await module(before)]).toEqual([200, 200]);

      await annotate(name, { 'hms.dev/rotate-key-requested-at': 'now' });
      const published = await whenKey(name, ({ state }) => state === 'Rotating');
      expect((await patients(await tokenOf(name, 'DOCTOR'))).status).toBe(200);
      const { status } = await whenKey(name, ({ requestedAt }) => requestedAt === 'now');
      expect(Date.parse(status?.signingKey?.since ?? '')).toBeGreaterThan(
        Date.parse(published.status?.signingKey?.since ?? ''),
      );

      const after = await tokenOf(name, 'DOCTOR');
      expect(kidOf(after)).not.toBe(kidOf(before));
      expect([(await patients(after)).status, await module(after), await module(before)]).toEqual([200, 200, 200]);
      expect((await patients(before)).status).toBe(401);
      expect(await whenTold(name, 'KeyRotated')).toMatchObject([{ count: 1 }]);

      await resync(name);
      expect(kidOf(await tokenOf(name, 'DOCTOR'))).toBe(kidOf(after));
      expect((await eventsOf(name)).map(({ reason }) => reason)).not.toContain('DriftCorrected');
    },
    SLOW,
  );
});

describe('a signing key that was rotated by hand', () => {
  it(
    'reaches the gateway after the first login with it',
    async () => {
      const { metadata } = await freshHospital();
      const { name } = metadata;
      const patients = (token: string) => call('GET', '/api/hms/patients', { token });
      const before = await tokenOf(name, 'DOCTOR');
      expect((await patients(before)).status).toBe(200);

      await engines.rotateKey(name);
      const after = await tokenOf(name, 'DOCTOR');
      expect(kidOf(after)).not.toBe(kidOf(before));
      // The resync comes after 8 minutes at the earliest.
      await until(
        'the new token to be served',
        () => patients(after),
        (answer) => answer.status === 200,
        60_000,
      );
      const corrected = await whenTold(name, 'DriftCorrected');
      expect(corrected).toEqual([expect.objectContaining({ message: expect.stringContaining('credential') })]);
    },
    SLOW,
  );
});
