import { isDeepStrictEqual } from 'node:util';
import { type KubernetesClient, KubernetesError, type KubernetesObject, PATCH } from '@hms/kubernetes';
import { hospitalNames } from '@hms/tenancy';
import type { Backend, BackendName, DeletionPolicy } from '../backends/backend.ts';
import { type BackendError, toBackendError } from '../backends/errors.ts';
import type { EventRecorder, EventType } from '../runtime/events.ts';
import type { Reflector } from '../runtime/reflector.ts';
import type { Registry } from './claim.ts';
import type { Outages } from './outages.ts';
import type { HospitalObject, Teardown } from './resource.ts';
import { FIELD_MANAGER } from './status-writer.ts';
import { leftInPlace, teardown } from './teardown.ts';

export const ORPHANS_PATH = '/apis/hms.dev/v1/orphans';

/** What is left of a hospital that was let go by force; its name is the hospital's. */
export interface OrphanObject extends KubernetesObject {
  readonly spec: {
    /** uid of the Hospital object. */
    readonly ownerUid: string;
    /** Missing where the object had not got as far as to have one. */
    readonly hospitalId?: string;
    readonly deletionPolicy: DeletionPolicy;
  };
  readonly status?: OrphanStatus;
}

interface OrphanStatus {
  readonly message?: string;
  readonly teardown?: readonly Teardown[];
}

export interface OrphansOptions {
  readonly client: KubernetesClient;
  readonly cache: Reflector<OrphanObject>;
  /** Throws when this process may not write any more. */
  readonly fence: () => void;
  readonly registry: Registry;
  readonly backends: Readonly<Record<BackendName, Backend>>;
  readonly outages: Outages;
  readonly events: EventRecorder;
}

/**
 * Records of what was left behind, kept at the API server as every engine may be away at that moment.
 * A record is worked off under the hospital's own key, and a hospital of that name is made only afterwards, so the two
 * can't get into each other's way. What another object has taken over in the registry meanwhile is never touched.
 */
export class Orphans {
  readonly #o: OrphansOptions;

  constructor(options: OrphansOptions) {
    this.#o = options;
  }

  /** Whether the records have been read. */
  get synced(): boolean {
    return this.#o.cache.synced;
  }

  find(prefix: string): OrphanObject | undefined {
    return this.#o.cache.get(prefix);
  }

  /** Writes down what the hospital leaves behind. With an older record of that name it had nothing yet: that one stays. */
  async record({ metadata, status }: HospitalObject, deletionPolicy: DeletionPolicy): Promise<void> {
    const { client, fence } = this.#o;
    fence();
    const spec = {
      ownerUid: metadata.uid,
      ...(status?.hospitalId ? { hospitalId: status.hospitalId } : {}),
      deletionPolicy,
    };
    await client
      .request('POST', ORPHANS_PATH, {
        query: { fieldManager: FIELD_MANAGER },
        body: { apiVersion: 'hms.dev/v1', kind: 'Orphan', metadata: { name: metadata.name }, spec },
      })
      .catch(ignore(409));
  }

  /** Takes away what is left, as far as it goes. @returns what holds it up; undefined when it is done. */
  async finish(orphan: OrphanObject): Promise<BackendError | undefined> {
    const { name } = orphan.metadata;
    const { backends, registry, outages } = this.#o;
    const { ownerUid, hospitalId, deletionPolicy } = orphan.spec;
    let strange: readonly string[];
    try {
      const owned = await registry.owned(name, ownerUid, hospitalId);
      if (owned.kind !== 'ours') {
        await this.#close(orphan, 'nothing in the engines belongs to it any more: nothing was touched');
        return undefined;
      }
      const said = orphan.status?.teardown;
      const { progress, errors, left } = await teardown(
        backends,
        { names: hospitalNames(name), hospitalId: owned.hospitalId },
        {
          policy: deletionPolicy,
          note: (backend, error) =>
            outages.noteError(name, backend, error, said?.find((part) => part.backend === backend)?.remaining),
        },
      );
      const [first] = errors;
      if (first) {
        await this.#show(orphan, { message: first.error.message, teardown: progress });
        return first.error;
      }
      await registry.release({ prefix: name, ownerUid, hospitalId: owned.hospitalId }, deletionPolicy);
      strange = left;
    } catch (cause) {
      if (cause instanceof KubernetesError) throw cause;
      const error = outages.noteError(name, 'database', toBackendError(cause, 'database'), orphan.status?.message);
      await this.#show(orphan, { message: error.message });
      return error;
    }
    outages.forget(name);
    const done = `what was left behind is dealt with, deletionPolicy ${deletionPolicy}`;
    if (strange.length === 0) await this.#close(orphan, done);
    else await this.#close(orphan, `${done}; ${leftInPlace(strange)}`, 'Warning');
    return undefined;
  }

  async #show(orphan: OrphanObject, status: OrphanStatus): Promise<void> {
    const { client, cache, fence } = this.#o;
    if (isDeepStrictEqual(JSON.parse(JSON.stringify(status)), orphan.status)) return;
    const { name } = orphan.metadata;
    fence();
    const written: OrphanObject = await client.request('PATCH', `${ORPHANS_PATH}/${name}/status`, {
      query: { fieldManager: FIELD_MANAGER, force: true },
      contentType: PATCH.apply,
      body: { apiVersion: 'hms.dev/v1', kind: 'Orphan', metadata: { name, uid: orphan.metadata.uid }, status },
    });
    cache.replace(written);
  }

  async #close(orphan: OrphanObject, message: string, type: EventType = 'Normal'): Promise<void> {
    const { client, cache, events, fence } = this.#o;
    const { name, uid } = orphan.metadata;
    await events.record(orphan, type, 'OrphanFinished', message);
    fence();
    await client
      .request('DELETE', `${ORPHANS_PATH}/${name}`, { body: { preconditions: { uid } } })
      .catch(ignore(404, 409));
    cache.ended(orphan);
  }
}

function ignore(...statuses: readonly number[]): (error: unknown) => void {
  return (error) => {
    if (!(error instanceof KubernetesError && statuses.includes(error.status))) throw error;
  };
}
