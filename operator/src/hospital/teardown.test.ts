import { describe, expect, it } from '@jest/globals';
import type { DeletionPolicy } from '../backends/backend.ts';
import { BackendError, toBackendError } from '../backends/errors.ts';
import { NotLeader } from '../runtime/leader.ts';
import { teardown } from './teardown.ts';
import { backendsWith } from './testing.ts';

const OWNED = { names: { prefix: 'st-mary' }, hospitalId: 'id', uid: 'uid' } as Parameters<typeof teardown>[0];

/** @param unavailable backends that can't be reached. */
async function run(
  unavailable: readonly string[],
  policy: DeletionPolicy = 'Retain',
  strange: Readonly<Record<string, string>> = {},
  stillDeleting = async () => undefined,
) {
  const removed: string[] = [];
  const backends = backendsWith((name) => ({
    async remove(_, how) {
      removed.push(`${name} ${how}`);
      if (unavailable.includes(name)) throw new BackendError('Unavailable', `${name} is unavailable`);
      return strange[name] ? [strange[name]] : [];
    },
  }));
  const outages = {
    noteError: (_name: string, _backend: string, error: unknown) =>
      new BackendError('Unavailable', `${(error as Error).message} since noon`),
  };
  const registry = { requireDeletion: stillDeleting };
  const options = { backends, policy, registry, outages, last: undefined };
  const { progress, errors, left } = await teardown(OWNED, options);
  return { removed, progress, errors: errors.map(({ message }) => message), left };
}

describe('teardown', () => {
  it('removes the gateway first and then the others, with the policy', async () => {
    const { removed, progress, errors } = await run([], 'Delete');
    expect(removed).toEqual(['gateway Delete', 'identity Delete', 'storage Delete', 'database Delete']);
    expect(progress.every(({ done }) => done)).toBe(true);
    expect(errors).toEqual([]);
  });

  it('reports what is left in place because it is not the hospital’s', async () => {
    const { progress, errors, left } = await run([], 'Delete', { database: 'schema h_st_mary, which has no mark' });
    expect(errors).toEqual([]);
    expect(left).toEqual(['schema h_st_mary, which has no mark']);
    expect(progress).toContainEqual({
      backend: 'database',
      done: true,
      remaining: 'left in place: schema h_st_mary, which has no mark',
    });
  });

  it('removes nothing behind a gateway that still admits traffic', async () => {
    const { removed, progress } = await run(['gateway']);
    expect(removed).toEqual(['gateway Retain']);
    expect(progress).toEqual([
      { backend: 'gateway', done: false, remaining: 'gateway is unavailable since noon' },
      ...['identity', 'storage', 'database'].map((backend) => ({
        backend,
        done: false,
        remaining: 'waits until the gateway is closed',
      })),
    ]);
  });

  it('removes nothing behind the gateway if the registry does not record the deletion', async () => {
    const living = async () => {
      throw new BackendError('Conflict', 'the registry says Active');
    };
    const { removed, progress, errors } = await run([], 'Delete', {}, living);
    expect(removed).toEqual(['gateway Delete']);
    expect(progress.filter(({ done }) => done).map(({ backend }) => backend)).toEqual(['gateway']);
    expect(errors).toEqual(['the registry says Active since noon']);
  });

  it('continues with the others if one is unavailable, and reports what remains', async () => {
    const { removed, progress, errors } = await run(['storage', 'database']);
    expect(removed).toHaveLength(4);
    expect(progress).toEqual([
      { backend: 'gateway', done: true },
      { backend: 'identity', done: true },
      { backend: 'storage', done: false, remaining: 'storage is unavailable since noon' },
      { backend: 'database', done: false, remaining: 'database is unavailable since noon' },
    ]);
    expect(errors).toEqual(['storage is unavailable since noon', 'database is unavailable since noon']);
  });

  it('blames no engine if this process may not write, and ends only when all calls have ended', async () => {
    const ended: string[] = [];
    const backends = backendsWith((name) => ({
      async remove() {
        if (name === 'identity') throw new NotLeader('not the leader');
        await new Promise((resolve) => setImmediate(resolve));
        ended.push(name);
        return [];
      },
    }));
    const outages = {
      noteError: (_name: string, backend: string, error: unknown) => toBackendError(error, backend),
    };
    const registry = { requireDeletion: async () => undefined };
    await expect(teardown(OWNED, { backends, policy: 'Delete', registry, outages, last: undefined })).rejects.toThrow(
      NotLeader,
    );
    expect(ended).toEqual(['gateway', 'storage', 'database']);
  });
});
