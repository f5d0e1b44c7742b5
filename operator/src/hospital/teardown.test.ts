import { describe, expect, it } from '@jest/globals';
import { BACKEND_NAMES, type Backend, type BackendName, type DeletionPolicy } from '../backends/backend.ts';
import { BackendError } from '../backends/errors.ts';
import { NotLeader } from '../runtime/leader.ts';
import { teardown } from './teardown.ts';

const OWNED = { names: { prefix: 'st-mary' }, hospitalId: 'id', uid: 'uid' } as Parameters<typeof teardown>[1];

/** @param unavailable backends that can't be reached. */
async function run(
  unavailable: readonly BackendName[],
  policy: DeletionPolicy = 'Retain',
  strange: Partial<Record<BackendName, string>> = {},
  stillDeleting = async () => undefined,
) {
  const removed: string[] = [];
  const entries = BACKEND_NAMES.map((name) => {
    const remove: Backend['remove'] = async (_, how) => {
      removed.push(`${name} ${how}`);
      if (unavailable.includes(name)) throw new BackendError('Unavailable', `${name} is unavailable`);
      return strange[name] ? [strange[name]] : [];
    };
    return [name, { name, remove }] as const;
  });
  const backends = Object.fromEntries(entries) as unknown as Readonly<Record<BackendName, Backend>>;
  const note = (_: BackendName, error: BackendError) => new BackendError(error.kind, `${error.message} since noon`);
  const { progress, errors, left } = await teardown(backends, OWNED, { policy, stillDeleting, note });
  return { removed, progress, errors: errors.map(({ error }) => error.message), left };
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
    const entries = BACKEND_NAMES.map((name) => {
      const remove: Backend['remove'] = async () => {
        if (name === 'identity') throw new NotLeader('not the leader');
        await new Promise((resolve) => setImmediate(resolve));
        ended.push(name);
        return [];
      };
      return [name, { name, remove }] as const;
    });
    const backends = Object.fromEntries(entries) as unknown as Readonly<Record<BackendName, Backend>>;
    const note = (_: BackendName, error: BackendError) => error;
    await expect(
      teardown(backends, OWNED, { policy: 'Delete', stillDeleting: async () => undefined, note }),
    ).rejects.toThrow(NotLeader);
    expect(ended).toEqual(['gateway', 'storage', 'database']);
  });
});
