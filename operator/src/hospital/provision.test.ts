import { describe, expect, it } from '@jest/globals';
import { pino } from 'pino';
import { BACKEND_NAMES, type Backend, type BackendName } from '../backends/backend.ts';
import { NotLeader } from '../runtime/leader.ts';
import type { Outcome } from './outcome.ts';
import { Provisioner } from './provision.ts';
import { tenantOf } from './tenant.ts';
import { hospitalObject } from './testing.ts';

const logger = pino({ level: 'silent' });
const tenant = tenantOf(hospitalObject(), 'id', { baseUrl: 'http://localhost', domain: 'localhost' });
const requirePlatform = async () => undefined;

describe('Provisioner', () => {
  it('gives the same hash as long as the same is wanted, and another one only where something else is', async () => {
    const hashes = async (identity: unknown) => {
      const entries = BACKEND_NAMES.map((name) => {
        const wanted = () => (name === 'identity' ? identity : tenant);
        return [name, { name, wanted, observe: async () => [], diff: () => [], externalId: () => name }] as const;
      });
      const backends = Object.fromEntries(entries) as unknown as Readonly<Record<BackendName, Backend>>;
      const provisioner = new Provisioner({ backends, requirePlatform, logger });
      const made = await provisioner.run(tenant, { write: true, refused: {}, settle: (outcome) => outcome });
      return BACKEND_NAMES.map((name) => made[name]?.hash);
    };
    const [identity, ...others] = await hashes({ mappers: ['sub'] });
    expect(identity).toMatch(/^[0-9a-f]{16}$/);
    expect(await hashes({ mappers: ['sub'] })).toEqual([identity, ...others]);
    const [changed, ...same] = await hashes({ mappers: ['sub', 'ward'] });
    expect(changed).not.toBe(identity);
    expect(same).toEqual(others);
  });

  it('blames no engine when this process may not write, and ends only when nothing runs any more', async () => {
    const entries = BACKEND_NAMES.map((name) => {
      const observe = async () => {
        if (name === 'identity') throw new NotLeader('not the leader');
        await new Promise((resolve) => setImmediate(resolve));
      };
      return [name, { name, observe, diff: () => [], externalId: () => name }] as const;
    });
    const backends = Object.fromEntries(entries) as unknown as Readonly<Record<BackendName, Backend>>;
    const settled: Outcome[] = [];
    const provisioner = new Provisioner({ backends, requirePlatform, logger });
    const settle = (outcome: Outcome) => {
      settled.push(outcome);
      return outcome;
    };
    await expect(provisioner.run(tenant, { write: true, refused: {}, settle })).rejects.toThrow(NotLeader);
    expect(settled.map(({ backend }) => backend)).toEqual(['storage', 'database']);
  });
});
