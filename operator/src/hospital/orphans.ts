import { isDeepStrictEqual } from 'node:util';
import { HOSPITALS_PATH, type HospitalObject, type Teardown } from '@hms/hospitals';
import type { Reflector } from '@hms/kubernetes';
import { type KubernetesClient, KubernetesError, type KubernetesObject, PATCH } from '@hms/kubernetes';
import { hospitalNames } from '@hms/tenancy';
import type { Backend, DeletionPolicy } from '../backends/backend.ts';
import type { BackendError } from '../backends/errors.ts';
import type { EventRecorder, EventType } from '../runtime/events.ts';
import { type Ownership, REGISTRY_BACKEND, type Registry } from './claim.ts';
import type { Outages } from './outages.ts';
import { FIELD_MANAGER } from './status-writer.ts';
import { leftInPlace, teardown } from './teardown.ts';

export const ORPHANS_PATH = '/apis/hms.dev/v1/orphans';

/** What remains of a force-deleted hospital. It has the hospital's name. */
export interface OrphanObject extends KubernetesObject {
  readonly spec: {
    /** uid of the Hospital object. */
    readonly ownerUid: string;
    /** Missing if the object never got one. */
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
  /** Throws if this process may no longer write. */
  readonly fence: () => void;
  readonly registry: Registry;
  readonly backends: readonly Backend[];
  readonly outages: Outages;
  readonly events: EventRecorder;
}

/**
 * Records of what was left behind, stored in the API server because every engine may be unavailable at that moment.
 * A record is processed under the hospital's own key, and a hospital of that name is created only afterwards, so the
 * two can't interfere. Parts that another object has adopted in the registry meanwhile are never changed. Anyone who
 * may create such an object can name a living hospital in it: see `#livingHospital`.
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

  /**
   * Records what the hospital leaves behind. An earlier hospital's record of that name stays if this hospital was
   * never claimed, because it has nothing yet. Any other record is replaced, because it can't be the operator's.
   */
  async record({ metadata, status }: HospitalObject, deletionPolicy: DeletionPolicy): Promise<void> {
    const { client, fence } = this.#o;
    const { name, uid } = metadata;
    const spec = {
      ownerUid: uid,
      ...(status?.hospitalId ? { hospitalId: status.hospitalId } : {}),
      deletionPolicy,
    };
    const create = () => {
      fence();
      return client.request('POST', ORPHANS_PATH, {
        query: { fieldManager: FIELD_MANAGER },
        body: { apiVersion: 'hms.dev/v1', kind: 'Orphan', metadata: { name }, spec },
      });
    };
    const isTaken = await create().then(() => false, otherwise(409, true));
    if (!isTaken) return;
    const existing = await this.#read<OrphanObject>(ORPHANS_PATH, name);
    if (existing && (isDeepStrictEqual(existing.spec, spec) || (existing.spec.ownerUid !== uid && !status?.hospitalId)))
      return;
    if (existing) await this.#delete(existing);
    await create();
  }

  /** Removes what remains, as far as possible. @returns the obstacle, or undefined when it is done. */
  async finish(orphan: OrphanObject): Promise<BackendError | undefined> {
    const { name } = orphan.metadata;
    const { backends, registry, outages } = this.#o;
    const { ownerUid, hospitalId, deletionPolicy } = orphan.spec;
    const living = await this.#livingHospital(orphan);
    if (living) {
      await this.#refuse(orphan, living);
      return undefined;
    }
    let strange: readonly string[];
    try {
      const owned = await registry.beginDeletion({ prefix: name, ownerUid, lastKnown: hospitalId });
      if (owned.kind !== 'ours') {
        await this.#close(orphan, NOT_ITS_OWN[owned.kind]);
        return undefined;
      }
      const parts = { names: hospitalNames(name), hospitalId: owned.hospitalId, uid: ownerUid };
      const last = orphan.status?.teardown;
      const options = { backends, policy: deletionPolicy, registry, outages, last };
      const { progress, errors, left } = await teardown(parts, options);
      const [first] = errors;
      if (first) {
        await this.#show(orphan, { message: first.message, teardown: progress });
        return first;
      }
      await registry.release(parts, deletionPolicy);
      strange = left;
    } catch (cause) {
      if (cause instanceof KubernetesError) throw cause;
      const error = outages.noteError(name, REGISTRY_BACKEND.name, cause, orphan.status?.message);
      await this.#show(orphan, { message: error.message });
      return error;
    }
    outages.forget(name);
    const done = `the deletion is complete, deletionPolicy ${deletionPolicy}`;
    if (strange.length === 0) await this.#close(orphan, done);
    else await this.#close(orphan, `${done}; ${leftInPlace(strange)}`, 'Warning');
    return undefined;
  }

  /**
   * The Hospital object that an orphan names, if it still exists, read from the API server itself. The record is
   * only valid once the object with its uid is deleted. If the registry has lost the row, only the id counts.
   */
  async #livingHospital({ metadata, spec }: OrphanObject): Promise<HospitalObject | undefined> {
    const hospital = await this.#read<HospitalObject>(HOSPITALS_PATH, metadata.name);
    if (!hospital) return undefined;
    const ids = [hospital.status?.hospitalId, hospital.spec.hospitalId];
    const isSame =
      hospital.metadata.uid === spec.ownerUid || (spec.hospitalId !== undefined && ids.includes(spec.hospitalId));
    return isSame ? hospital : undefined;
  }

  /** A refused record is deleted, because it would otherwise take effect when the hospital is deleted. */
  async #refuse(orphan: OrphanObject, living: HospitalObject): Promise<void> {
    const { name } = orphan.metadata;
    const message = `Orphan ${name} names a hospital whose object still exists (uid ${living.metadata.uid}): nothing was changed and the Orphan was deleted. To delete the hospital, delete its Hospital object`;
    await this.#o.events.record(orphan, 'Warning', 'OrphanRefused', message);
    await this.#o.events.record(living, 'Warning', 'OrphanRefused', message);
    await this.#delete(orphan);
    this.#o.cache.ended(orphan);
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
    await this.#o.events.record(orphan, type, 'OrphanFinished', message);
    await this.#delete(orphan);
    this.#o.cache.ended(orphan);
  }

  /** Reads one object from the API server itself, not from a cache. The operator may list, but not get. */
  async #read<T>(path: string, name: string): Promise<T | undefined> {
    const { items } = await this.#o.client.request<{ items: T[] }>('GET', path, {
      query: { fieldSelector: `metadata.name=${name}` },
    });
    return items[0];
  }

  async #delete({ metadata: { name, uid } }: OrphanObject): Promise<void> {
    const { client, fence } = this.#o;
    fence();
    await client
      .request('DELETE', `${ORPHANS_PATH}/${name}`, { body: { preconditions: { uid } } })
      .catch(otherwise(404, undefined))
      .catch(otherwise(409, undefined));
  }
}

const NOT_ITS_OWN: Readonly<Record<Exclude<Ownership['kind'], 'ours'>, string>> = {
  others: 'nothing in the engines belongs to it: nothing was changed',
  nothing: 'nothing in the engines belongs to it: nothing was changed',
  retained: 'the registry already retains the data of this hospital: nothing was changed',
};

/** @returns a handler that replaces an error of that status with the value, and rethrows others. */
function otherwise<T>(status: number, value: T): (error: unknown) => T {
  return (error) => {
    if (error instanceof KubernetesError && error.status === status) return value;
    throw error;
  };
}
