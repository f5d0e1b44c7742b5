import { describe, expect, it } from '@jest/globals';
import { BACKEND_NAMES, type Backend, type BackendName, type DeletionPolicy } from '../backends/backend.ts';
import { BackendError } from '../backends/errors.ts';
import { NotLeader } from '../runtime/leader.ts';
import { teardown } from './teardown.ts';

const OWNED = { names: { prefix: 'st-mary' }, hospitalId: 'id', uid: 'uid' } as Parameters<typeof teardown>[1];

/** @param away backends that can't be reached. */
async function run(
  away: readonly BackendName[],
  policy: DeletionPolicy = 'Retain',
  strange: Partial<Record<BackendName, string>> = {},
  stillDeleting = async () => undefined,
) {
  const asked: string[] = [];
  const entries = BACKEND_NAMES.map((name) => {
    const remove: Backend['remove'] = async (_, how) => {
      asked.push(`${name} ${how}`);
      if (away.includes(name)) throw new BackendError('Unavailable', `${name} is away`);
      return strange[name] ? [strange[name]] : [];
    };
    return [name, { name, remove }] as const;
  });
  const backends = Object.fromEntries(entries) as unknown as Readonly<Record<BackendName, Backend>>;
  const note = (_: BackendName, error: BackendError) => new BackendError(error.kind, `${error.message} since noon`);
  const { progress, errors, left } = await teardown(backends, OWNED, { policy, stillDeleting, note });
  return { asked, progress, errors: errors.map(({ error }) => error.message), left };
}

describe('teardown', () => {
  it('asks the gateway first and the others then, with the policy', async () => {
    const { asked, progress, errors } = await run([], 'Delete');
    expect(asked).toEqual(['gateway Delete', 'identity Delete', 'storage Delete', 'database Delete']);
    expect(progress.every(({ done }) => done)).toBe(true);
    expect(errors).toEqual([]);
  });

  it('says what is left in place, as it is not the hospital’s', async () => {
    const { progress, errors, left } = await run([], 'Delete', { database: 'schema h_st_mary, which has no mark' });
    expect(errors).toEqual([]);
    expect(left).toEqual(['schema h_st_mary, which has no mark']);
    expect(progress).toContainEqual({
      backend: 'database',
      done: true,
      remaining: 'left in place: schema h_st_mary, which has no mark',
    });
  });

  it('touches nothing behind a gateway that still lets traffic in', async () => {
    const { asked, progress } = await run(['gateway']);
    expect(asked).toEqual(['gateway Retain']);
    expect(progress).toEqual([
      { backend: 'gateway', done: false, remaining: 'gateway is away since noon' },
      ...['identity', 'storage', 'database'].map((backend) => ({
        backend,
        done: false,
        remaining: 'waits until the gateway is closed',
      })),
    ]);
  });

  it('touches nothing behind the gateway when the registry does not record the deletion', async () => {
    const living = async () => {
      throw new BackendError('Conflict', 'the registry says Active');
    };
    const { asked, progress, errors } = await run([], 'Delete', {}, living);
    expect(asked).toEqual(['gateway Delete']);
    expect(progress.filter(({ done }) => done).map(({ backend }) => backend)).toEqual(['gateway']);
    expect(errors).toEqual(['the registry says Active since noon']);
  });

  it('goes on with the others when one is away, and says what remains', async () => {
    const { asked, progress, errors } = await run(['storage', 'database']);
    expect(asked).toHaveLength(4);
    expect(progress).toEqual([
      { backend: 'gateway', done: true },
      { backend: 'identity', done: true },
      { backend: 'storage', done: false, remaining: 'storage is away since noon' },
      { backend: 'database', done: false, remaining: 'database is away since noon' },
    ]);
    expect(errors).toEqual(['storage is away since noon', 'database is away since noon']);
  });

  it('blames no engine when this process may not write, and ends only when nothing runs any more', async () => {
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
