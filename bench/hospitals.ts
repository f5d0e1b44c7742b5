import { HOSPITALS_PATH, type HospitalObject } from '@hms/hospitals';
import { applyManifest, KubernetesClient, PATCH } from '@hms/kubernetes';
import { conditionsOf, type PlatformState } from '@hms/local';
import { KubeConfig } from '@kubernetes/client-node';

/** Hospital objects, used like a platform administrator does. */
export class Hospitals {
  readonly #client: KubernetesClient;

  constructor({ kubeconfig }: PlatformState) {
    const config = new KubeConfig();
    config.loadFromFile(kubeconfig);
    this.#client = new KubernetesClient(config);
  }

  async apply(name: string, spec: object = {}): Promise<void> {
    const manifest = {
      apiVersion: 'hms.dev/v1',
      kind: 'Hospital',
      metadata: { name, annotations: { 'hms.dev/confirm-delete': name } },
      spec: { displayName: `Hospital ${name}`, deletionPolicy: 'Delete', ...spec },
    };
    await applyManifest(this.#client, manifest, 'bench');
  }

  async list(): Promise<readonly HospitalObject[]> {
    return (await this.#client.request<{ items: HospitalObject[] }>('GET', HOSPITALS_PATH)).items;
  }

  async delete(name: string): Promise<void> {
    await this.#client.request('DELETE', `${HOSPITALS_PATH}/${name}`);
  }

  /** Requests a reconcile of a hospital. */
  async touch(name: string): Promise<void> {
    await this.annotate(name, { 'hms.dev/reconcile-requested-at': new Date().toISOString() });
  }

  async annotate(name: string, annotations: Readonly<Record<string, string>>): Promise<void> {
    const body = { metadata: { annotations } };
    await this.#client.request('PATCH', `${HOSPITALS_PATH}/${name}`, { contentType: PATCH.merge, body });
  }

  /** Waits until it holds for this hospital. */
  async until(name: string, holds: (hospital: HospitalObject) => boolean): Promise<void> {
    await this.#until([name], (hospitals) => hospitals.some(holds));
  }

  /** Waits until all of these are Ready. */
  async ready(names: readonly string[]): Promise<void> {
    await this.#until(names, (hospitals) => {
      const ready = new Set(hospitals.filter(isReady).map(({ metadata }) => metadata.name));
      return names.every((name) => ready.has(name));
    });
  }

  /** Waits until all of these are deleted. */
  async gone(names: readonly string[]): Promise<void> {
    await this.#until(names, (hospitals) => !hospitals.some(({ metadata }) => names.includes(metadata.name)));
  }

  /**
   * Polls rarely for many hospitals, and reads only one if it waits for one, because polling would affect the
   * measurement.
   */
  async #until(names: readonly string[], holds: (hospitals: readonly HospitalObject[]) => boolean): Promise<void> {
    const everyMs = Math.max(50, 5 * names.length);
    const [only] = names.length === 1 ? names : [];
    const read = () => (only === undefined ? this.list() : this.#named(only));
    while (!holds(await read())) await new Promise((resolve) => setTimeout(resolve, everyMs));
  }

  async #named(name: string): Promise<readonly HospitalObject[]> {
    const query = `?fieldSelector=metadata.name%3D${name}`;
    return (await this.#client.request<{ items: HospitalObject[] }>('GET', HOSPITALS_PATH + query)).items;
  }
}

function isReady(hospital: HospitalObject): boolean {
  return conditionsOf(hospital).some(({ type, status }) => type === 'Ready' && status === 'True');
}
