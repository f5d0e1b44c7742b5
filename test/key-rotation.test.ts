/** A realm that changes its signing key: the gateway follows at the first login, not at the next resync. */
import { afterAll, describe, expect, it } from '@jest/globals';
import { platform } from './platform.ts';
import { Engines } from './support/engines.ts';
import { call, tokenOf } from './support/gateway.ts';
import { freshHospital, whenTold } from './support/hospitals.ts';
import { until } from './support/until.ts';

const SLOW = 120_000;

const engines = new Engines(platform());
afterAll(() => engines.close());

const kidOf = (token: string): string => JSON.parse(Buffer.from(token.split('.')[0] ?? '', 'base64url').toString()).kid;

describe('a rotated signing key', () => {
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
