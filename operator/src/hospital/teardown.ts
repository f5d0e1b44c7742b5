import type { Backend, BackendName, DeletionPolicy, Owned } from '../backends/backend.ts';
import { allEnded, type BackendError, toBackendError } from '../backends/errors.ts';
import type { Teardown } from './resource.ts';

export interface TeardownResult {
  readonly progress: readonly Teardown[];
  readonly errors: readonly { readonly backend: BackendName; readonly error: BackendError }[];
  /** What stays in the engines under the hospital's name, because it is not the hospital's. */
  readonly left: readonly string[];
}

export interface TeardownOptions {
  readonly policy: DeletionPolicy;
  /** Throws if the registry no longer records the deletion. The database checks again, in its own transaction. */
  readonly stillDeleting: () => Promise<void>;
  /** Called with each error. @returns the completed error. */
  readonly note: (backend: BackendName, error: BackendError) => BackendError;
}

/** The gateway goes first, so that traffic stops before anything else does. */
const FIRST: BackendName = 'gateway';
const THEN: readonly BackendName[] = ['identity', 'storage', 'database'];

/**
 * Removes a hospital from every backend, as far as possible. May be repeated.
 * Nothing behind the gateway is removed while the gateway still admits traffic, or if the registry does not record
 * the deletion.
 *
 * @throws NotLeader
 */
export async function teardown(
  backends: Readonly<Record<BackendName, Backend>>,
  owned: Owned,
  { policy, stillDeleting, note }: TeardownOptions,
): Promise<TeardownResult> {
  const first = await removeFrom(FIRST);
  const others = first.error
    ? THEN.map((backend) => ({ backend, done: false, remaining: 'waits until the gateway is closed' }))
    : await removeData();
  const removals: readonly Removal[] = [first, ...others];
  return {
    progress: removals.map(({ error, left, ...entry }) => entry),
    errors: removals.flatMap(({ backend, error }) => (error ? [{ backend, error }] : [])),
    left: removals.flatMap(({ left = [] }) => left),
  };

  async function removeData(): Promise<readonly Removal[]> {
    try {
      await stillDeleting();
    } catch (cause) {
      const error = note('database', toBackendError(cause, 'database'));
      return THEN.map((backend) => ({
        backend,
        done: false,
        remaining: error.message,
        ...(backend === 'database' ? { error } : {}),
      }));
    }
    return allEnded(THEN.map(removeFrom));
  }

  async function removeFrom(backend: BackendName): Promise<Removal> {
    try {
      const left = await backends[backend].remove(owned, policy);
      return { backend, done: true, ...(left.length > 0 ? { remaining: leftInPlace(left), left } : {}) };
    } catch (cause) {
      const error = note(backend, toBackendError(cause, backend));
      return { backend, done: false, remaining: error.message, error };
    }
  }
}

type Removal = Teardown & { readonly error?: BackendError; readonly left?: readonly string[] };

/** What stays in the engines, in a sentence. */
export function leftInPlace(left: readonly string[]): string {
  return `left in place: ${left.join('; ')}`;
}
