import { isDeepStrictEqual } from 'node:util';
import { HOSPITALS_PATH, type HospitalObject, type HospitalStatus } from '@hms/hospitals';
import type { Reflector } from '@hms/kubernetes';
import { type KubernetesClient, PATCH } from '@hms/kubernetes';

export const FIELD_MANAGER = 'hms-operator';

/**
 * Writes to Hospital objects: the status, the finalizer, and the removal of an expired annotation. Unchanged values are
 * not written.
 */
export class HospitalWriter {
  readonly #client: KubernetesClient;
  readonly #cache: Reflector<HospitalObject>;
  readonly #fence: () => void;

  /** @param fence throws if this process may no longer write. */
  constructor(client: KubernetesClient, cache: Reflector<HospitalObject>, fence: () => void) {
    this.#client = client;
    this.#cache = cache;
    this.#fence = fence;
  }

  /**
   * @returns the object as it was read, with the new status. Concurrent changes have not been reconciled, so the status
   * must not refer to them yet.
   */
  async writeStatus(hospital: HospitalObject, status: HospitalStatus): Promise<HospitalObject> {
    if (isDeepStrictEqual(normal(status), normal(hospital.status ?? {}))) return hospital;
    const { name } = hospital.metadata;
    this.#fence();
    const written: HospitalObject = await this.#client.request('PATCH', `${HOSPITALS_PATH}/${name}/status`, {
      query: { fieldManager: FIELD_MANAGER, force: true },
      contentType: PATCH.apply,
      body: { apiVersion: 'hms.dev/v1', kind: 'Hospital', metadata: { name, uid: hospital.metadata.uid }, status },
    });
    this.#cache.replace(written);
    const { resourceVersion } = written.metadata;
    return { ...hospital, metadata: { ...hospital.metadata, resourceVersion }, status: written.status ?? status };
  }

  /**
   * Sets the finalizers. Removing the last one of an object that is being deleted ends it.
   * @throws KubernetesError 409 if the object was changed meanwhile.
   */
  async writeFinalizers(hospital: HospitalObject, finalizers: readonly string[]): Promise<HospitalObject> {
    const { name, resourceVersion, deletionTimestamp } = hospital.metadata;
    this.#fence();
    const written: HospitalObject = await this.#client.request('PATCH', `${HOSPITALS_PATH}/${name}`, {
      query: { fieldManager: FIELD_MANAGER },
      contentType: PATCH.merge,
      body: { metadata: { resourceVersion, finalizers } },
    });
    if (deletionTimestamp && finalizers.length === 0) this.#cache.ended(written);
    else this.#cache.replace(written);
    return written;
  }

  /** @throws KubernetesError 409 if the object was changed meanwhile. */
  async removeAnnotation(hospital: HospitalObject, annotation: string): Promise<HospitalObject> {
    const { name, resourceVersion } = hospital.metadata;
    this.#fence();
    const written: HospitalObject = await this.#client.request('PATCH', `${HOSPITALS_PATH}/${name}`, {
      query: { fieldManager: FIELD_MANAGER },
      contentType: PATCH.merge,
      body: { metadata: { resourceVersion, annotations: { [annotation]: null } } },
    });
    this.#cache.replace(written);
    return written;
  }
}

/** The form that the API server returns: without undefined, with conditions and teardown sorted by name. */
function normal(status: HospitalStatus): unknown {
  const plain = JSON.parse(JSON.stringify(status)) as HospitalStatus;
  const byType = [...(plain.conditions ?? [])].sort((a, b) => a.type.localeCompare(b.type));
  return { ...plain, conditions: byType };
}
