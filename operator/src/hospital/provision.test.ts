import { describe, expect, it } from '@jest/globals';
import { pino } from 'pino';
import type { Change } from '../backends/backend.ts';
import { BackendError, type ErrorKind } from '../backends/errors.ts';
import { NotLeader } from '../runtime/leader.ts';
import type { Outcome } from './outcome.ts';
import { provision } from './provision.ts';
import { tenantOf } from './tenant.ts';
import { backendsWith, DESCRIPTORS, hospitalObject } from './testing.ts';

const logger = pino({ level: 'silent' });
const tenant = tenantOf(hospitalObject(), 'id', { baseUrl: 'http://localhost', domain: 'localhost' });
const platform = { require: async () => undefined };

describe('provision', () => {
  it('keeps the hash while the desired state is unchanged, and changes it only for changed backends', async () => {
    const hashes = async (identity: unknown) => {
      const backends = backendsWith((name) => ({
        wanted: () => (name === 'identity' ? identity : tenant),
        observe: async () => [],
        diff: () => [],
      }));
      const outcomes = await provision(tenant, {
        backends,
        platform,
        logger,
        write: true,
        objection: undefined,
        settle: (outcome) => outcome,
      });
      return DESCRIPTORS.map(({ name }) => outcomes[name]?.hash);
    };
    const [identity, ...others] = await hashes({ mappers: ['sub'] });
    expect(identity).toMatch(/^[0-9a-f]{16}$/);
    expect(await hashes({ mappers: ['sub'] })).toEqual([identity, ...others]);
    const [changed, ...same] = await hashes({ mappers: ['sub', 'ward'] });
    expect(changed).not.toBe(identity);
    expect(same).toEqual(others);
  });

  it('blames no engine if this process may not write, and ends only when all calls have ended', async () => {
    const backends = backendsWith((name) => ({
      observe: async () => {
        if (name === 'identity') throw new NotLeader('not the leader');
        await new Promise((resolve) => setImmediate(resolve));
      },
      diff: () => [],
    }));
    const settled: Outcome[] = [];
    const settle = (outcome: Outcome) => {
      settled.push(outcome);
      return outcome;
    };
    await expect(
      provision(tenant, { backends, platform, logger, write: true, objection: undefined, settle }),
    ).rejects.toThrow(NotLeader);
    expect(settled.map(({ backend }) => backend.name)).toEqual(['storage', 'database']);
  });

  /** The outcome of the gateway. @param key the error of reading the realm's key. */
  async function gatewayAfter(
    identity: { readonly error?: BackendError; readonly changes?: readonly Change[] },
    {
      write,
      key,
      objection,
    }: { readonly write: boolean; readonly key?: BackendError; readonly objection?: BackendError },
  ) {
    const applied: string[] = [];
    const backends = backendsWith((name) => ({
      wanted: () => name,
      observe: async () => {
        if (name === 'identity' && identity.error) throw identity.error;
        if (name === 'gateway' && key) throw key;
      },
      diff: () => (name === 'identity' ? (identity.changes ?? []) : [{ action: 'update', object: `${name} part` }]),
      apply: async () => {
        applied.push(name);
      },
    }));
    const { gateway } = await provision(tenant, {
      backends,
      platform,
      logger,
      write,
      objection,
      settle: (outcome) => outcome,
    });
    return { applied: applied.includes('gateway'), gateway };
  }
  const errorOf = (kind: ErrorKind) => new BackendError(kind, kind);

  it('plans the gateway even if a part of the realm is missing, and skips it only without the realm', async () => {
    const changes: readonly Change[] = [{ action: 'create', object: 'role DOCTOR' }];
    const planned = await gatewayAfter({ changes }, { write: false });
    expect(planned.gateway?.changes).toEqual([{ action: 'update', object: 'gateway part' }]);
    const missing = await gatewayAfter({ changes }, { write: false, key: errorOf('NotFound') });
    expect(missing.gateway).toMatchObject({ waitsFor: 'identity', changes: [] });
    // A realm without a key is a separate error.
    const keyless = await gatewayAfter({}, { write: true, key: errorOf('NotFound') });
    expect(keyless.gateway).toMatchObject({ error: { kind: 'NotFound' } });
  });

  it.each([
    ['Invalid', true],
    ['RealmDamaged', true],
    ['Unavailable', false],
    ['Conflict', false],
  ] as const)('after an identity error %s, continues with the gateway: %s', async (kind, goesOn) => {
    const { applied, gateway } = await gatewayAfter({ error: errorOf(kind) }, { write: true });
    expect([applied, gateway?.waitsFor]).toEqual(goesOn ? [true, undefined] : [false, 'identity']);
  });

  it('applies everything without an objection, and keeps the objection', async () => {
    const { applied, gateway } = await gatewayAfter({}, { write: true, objection: errorOf('Conflict') });
    expect(applied).toBe(true);
    expect(gateway).toMatchObject({ objection: { kind: 'Conflict' }, hash: expect.any(String) });
  });
});
