import { applyManifest, KubernetesClient, PATCH } from '@hms/kubernetes';
import { conditionsOf, type PlatformState } from '@hms/local';
import { KubeConfig } from '@kubernetes/client-node';
import { HOSPITALS_PATH, type HospitalObject } from '../operator/src/hospital/resource.ts';

/** Hospital objects, as a platform admin handles them. */
export class Hospitals {
  readonly #client: KubernetesClient;

  constructor({ kubeconfig }: PlatformState) {
    const config = new KubeConfig();
    config.loadFromFile(kubeconfig);
    this.#client = new KubernetesClient(config);
  }

  async apply(name: string): Promise<void> {
    const manifest = {
      apiVersion: 'hms.dev/v1',
      kind: 'Hospital',
      metadata: { name, annotations: { 'hms.dev/confirm-delete': name } },
      spec: { displayName: `Hospital ${name}`, deletionPolicy: 'Delete' },
    };
    await applyManifest(this.#client, manifest, 'bench');
  }

  async list(): Promise<readonly HospitalObject[]> {
    return (await this.#client.request<{ items: HospitalObject[] }>('GET', HOSPITALS_PATH)).items;
  }

  async delete(name: string): Promise<void> {
    await this.#client.request('DELETE', `${HOSPITALS_PATH}/${name}`);
  }

  /** Asks the operator to look at a hospital now. */
  async touch(name: string): Promise<void> {
    await this.#client.request('PATCH', `${HOSPITALS_PATH}/${name}`, {
      contentType: PATCH.merge,
      body: { metadata: { annotations: { 'hms.dev/reconcile-requested-at': new Date().toISOString() } } },
    });
  }

  /** Waits until all of these are Ready. */
  async ready(names: readonly string[]): Promise<void> {
    await this.#until(names, (all) => {
      const ready = new Set(all.filter(isReady).map(({ metadata }) => metadata.name));
      return names.every((name) => ready.has(name));
    });
  }

  /** Waits until none of these is there. */
  async gone(names: readonly string[]): Promise<void> {
    await this.#until(names, (all) => !all.some(({ metadata }) => names.includes(metadata.name)));
  }

  /** Asks seldom for many, and only for one where it waits for one: the asking would slow what is measured. */
  async #until(names: readonly string[], holds: (all: readonly HospitalObject[]) => boolean): Promise<void> {
    const everyMs = Math.max(50, 5 * names.length);
    const [only] = names.length === 1 ? names : [];
    const look = () => (only === undefined ? this.list() : this.#named(only));
    while (!holds(await look())) await new Promise((resolve) => setTimeout(resolve, everyMs));
  }

  async #named(name: string): Promise<readonly HospitalObject[]> {
    const query = `?fieldSelector=metadata.name%3D${name}`;
    return (await this.#client.request<{ items: HospitalObject[] }>('GET', HOSPITALS_PATH + query)).items;
  }
}

function isReady(hospital: HospitalObject): boolean {
  return conditionsOf(hospital).some(({ type, status }) => type === 'Ready' && status === 'True');
}
