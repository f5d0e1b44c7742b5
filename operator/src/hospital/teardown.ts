import type { Teardown } from '@hms/hospitals';
import type { Backend, DeletionPolicy, Owned } from '../backends/backend.ts';
import type { BackendError } from '../backends/errors.ts';
import { inOrder, needs } from '../backends/order.ts';
import { REGISTRY_BACKEND, type Registry } from './claim.ts';
import type { Outages } from './outages.ts';

export interface TeardownResult {
  readonly progress: readonly Teardown[];
  readonly errors: readonly BackendError[];
  /** What stays in the engines under the hospital's name, because it is not the hospital's. */
  readonly left: readonly string[];
}

export interface TeardownOptions {
  readonly backends: readonly Backend[];
  readonly policy: DeletionPolicy;
  /** Says whether it still records the deletion. The database checks again, in its own transaction. */
  readonly registry: Pick<Registry, 'requireDeletion'>;
  readonly outages: Pick<Outages, 'noteError'>;
  /** The progress in the current status. */
  readonly last: readonly Teardown[] | undefined;
}

/**
 * Removes a hospital from every backend, as far as possible. May be repeated.
 * The entrance goes first, so that traffic stops before anything else does. Nothing behind it is removed while it still
 * admits traffic, or if the registry does not record the deletion. A backend goes before those that it needs.
 *
 * @throws NotLeader
 */
export async function teardown(
  owned: Owned,
  { backends, policy, registry, outages, last }: TeardownOptions,
): Promise<TeardownResult> {
  const entrances = backends.filter(({ descriptor }) => descriptor.isEntrance);
  const others = backends.filter((backend) => !entrances.includes(backend));
  const first = await inOrder(entrances, neededBy, removeFrom);
  const open = first.find(({ done }) => !done);
  const removals = [...first, ...(open ? others.map((backend) => waiting(backend, open)) : await removeOthers())];
  return {
    progress: removals.map(({ error, left, ...entry }) => entry),
    errors: removals.flatMap(({ error }) => error ?? []),
    left: removals.flatMap(({ left = [] }) => left),
  };

  async function removeOthers(): Promise<readonly Removal[]> {
    const { name } = REGISTRY_BACKEND;
    try {
      await registry.requireDeletion(owned);
    } catch (cause) {
      const error = note(name, cause);
      return others.map(({ descriptor }) => ({
        backend: descriptor.name,
        done: false,
        remaining: error.message,
        ...(descriptor.name === name ? { error } : {}),
      }));
    }
    return inOrder(others, neededBy, removeFrom);
  }

  async function removeFrom(backend: Backend, dependents: readonly Removal[]): Promise<Removal> {
    const { name } = backend.descriptor;
    const rest = dependents.find(({ done }) => !done);
    if (rest) return waiting(backend, rest);
    try {
      const left = await backend.remove(owned, policy);
      return { backend: name, done: true, ...(left.length > 0 ? { remaining: leftInPlace(left), left } : {}) };
    } catch (cause) {
      const error = note(name, cause);
      return { backend: name, done: false, remaining: error.message, error };
    }
  }

  function note(backend: string, cause: unknown): BackendError {
    const lastMessage = last?.find((part) => part.backend === backend)?.remaining;
    return outages.noteError(owned.names.prefix, backend, cause, lastMessage);
  }
}

type Removal = Teardown & { readonly error?: BackendError; readonly left?: readonly string[] };

/** Whether the other one needs it. */
function neededBy(one: Backend, other: Backend): boolean {
  return needs(other, one);
}

function waiting({ descriptor }: Backend, { backend }: Removal): Removal {
  return { backend: descriptor.name, done: false, remaining: `waits until the ${backend} is closed` };
}

/** What stays in the engines, in a sentence. */
export function leftInPlace(left: readonly string[]): string {
  return `left in place: ${left.join('; ')}`;
}
