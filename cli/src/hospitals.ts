/** Hospital objects in a cluster. */
import { applyManifest, KubernetesClient, KubernetesError, PATCH } from '@hms/kubernetes';
import { type Condition, conditionsOf, FIELD_MANAGER, type Manifest, sentence } from '@hms/local';
import type { KubeConfig } from '@kubernetes/client-node';
import { EXIT, Exit } from './exit.ts';

export interface Hospital extends Manifest {
  metadata: Manifest['metadata'] & { resourceVersion?: string; generation?: number; creationTimestamp?: string };
  spec: { state?: string; deletionPolicy?: string; displayName?: string };
  status?: {
    phase?: string;
    schemaVersion?: number;
    conditions?: Condition[];
    teardown?: { backend: string; done: boolean; remaining?: number }[];
  };
}

const PATH = '/apis/hms.dev/v1/hospitals';
export const CONFIRM_DELETE = 'hms.dev/confirm-delete';

export class Hospitals {
  readonly #client: KubernetesClient;
  readonly #server: string;

  constructor(config: KubeConfig) {
    this.#client = new KubernetesClient(config);
    this.#server = config.getCurrentCluster()?.server ?? 'the cluster';
  }

  async list(): Promise<Hospital[]> {
    const { items } = await this.#ask(this.#client.request<{ items: Hospital[] }>('GET', PATH));
    return items.map((item) => ({ ...item, apiVersion: 'hms.dev/v1', kind: 'Hospital' }));
  }

  /** @returns undefined when there is no such hospital. */
  async find(name: string): Promise<Hospital | undefined> {
    try {
      return await this.#ask(this.#client.request<Hospital>('GET', `${PATH}/${name}`));
    } catch (error) {
      if (error instanceof Exit && error.code === EXIT.notFound) return undefined;
      throw error;
    }
  }

  async get(name: string): Promise<Hospital> {
    const hospital = await this.find(name);
    if (!hospital) throw new Exit(EXIT.notFound, `there is no hospital ${name}: hmsctl hospital list shows all.`);
    return hospital;
  }

  async apply(manifest: Manifest): Promise<Hospital> {
    return this.#ask(applyManifest<Hospital>(this.#client, manifest, FIELD_MANAGER));
  }

  /** Says that a hospital with `deletionPolicy: Delete` may be deleted with all that belongs to it. */
  async confirmDeletion(name: string): Promise<void> {
    await this.#ask(
      this.#client.request('PATCH', `${PATH}/${name}`, {
        query: { fieldManager: FIELD_MANAGER },
        contentType: PATCH.merge,
        body: { metadata: { annotations: { [CONFIRM_DELETE]: name } } },
      }),
    );
  }

  async delete(name: string): Promise<void> {
    await this.#ask(this.#client.request('DELETE', `${PATH}/${name}`));
  }

  async #ask<T>(asked: Promise<T>): Promise<T> {
    try {
      return await asked;
    } catch (error) {
      if (!(error instanceof KubernetesError))
        throw new Exit(
          EXIT.failure,
          `${this.#server} can't be reached (${sentence(error)}): is the platform up? hmsctl status shows it.`,
        );
      throw new Exit(error.status === 404 ? EXIT.notFound : EXIT.failure, error.message);
    }
  }
}

export function conditionStatus(hospital: Hospital, type: string): string {
  return conditionsOf(hospital).find((condition) => condition.type === type)?.status ?? '-';
}
