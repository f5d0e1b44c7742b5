/** Hospital objects in a cluster. */
import { type ApplyOptions, applyManifest } from '@hms/kubernetes';
import { type Condition, conditionsOf, FIELD_MANAGER, type Manifest } from '@hms/local';
import type { KubeConfig } from '@kubernetes/client-node';
import { Cluster } from './cluster.ts';
import { EXIT, Exit } from './exit.ts';

export interface Hospital extends Manifest {
  metadata: Manifest['metadata'] & { resourceVersion?: string; generation?: number; creationTimestamp?: string };
  spec: { state?: string; deletionPolicy?: string; displayName?: string };
  status?: {
    phase?: string;
    schemaVersion?: number;
    signingKey?: { state: string; since: string; requestedAt?: string };
    conditions?: Condition[];
    teardown?: { backend: string; done: boolean; remaining?: number }[];
  };
}

const PATH = '/apis/hms.dev/v1/hospitals';
const CONFIRM_DELETE = 'hms.dev/confirm-delete';
/** Requests a new signing key, on a hospital or on the operator's Lease. */
export const ROTATE_KEY = 'hms.dev/rotate-key-requested-at';

export class Hospitals {
  readonly #cluster: Cluster;

  constructor(config: KubeConfig) {
    this.#cluster = new Cluster(config);
  }

  async list(): Promise<Hospital[]> {
    const { items } = await this.#cluster.ask((client) => client.request<{ items: Hospital[] }>('GET', PATH));
    return items.map((item) => withoutManagers({ ...item, apiVersion: 'hms.dev/v1', kind: 'Hospital' }));
  }

  /** @returns undefined if there is no such hospital. */
  async find(name: string): Promise<Hospital | undefined> {
    try {
      return withoutManagers(await this.#cluster.ask((client) => client.request<Hospital>('GET', `${PATH}/${name}`)));
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

  /** @param options `dryRun` makes the API server validate it without a change. */
  async apply(manifest: Manifest, options: ApplyOptions = {}): Promise<Hospital> {
    const applied = await this.#cluster.ask((client) =>
      applyManifest<Hospital>(client, manifest, FIELD_MANAGER, options),
    );
    return withoutManagers(applied);
  }

  /** Confirms the deletion of a hospital with `deletionPolicy: Delete`. */
  async confirmDeletion(name: string): Promise<void> {
    await this.#annotate(name, CONFIRM_DELETE, name);
  }

  /** Requests a new signing key of the hospital's realm. @param request a text that differs from earlier ones. */
  async rotateKey(name: string, request: string): Promise<void> {
    await this.#annotate(name, ROTATE_KEY, request);
  }

  async delete(name: string): Promise<void> {
    await this.#cluster.ask((client) => client.request('DELETE', `${PATH}/${name}`));
  }

  async #annotate(name: string, annotation: string, value: string): Promise<void> {
    await this.#cluster.annotate(`${PATH}/${name}`, annotation, value);
  }
}

/** As kubectl prints it, without the managed fields, which are longer than the object and must not be applied. */
function withoutManagers(hospital: Hospital): Hospital {
  const { managedFields: _, ...metadata } = hospital.metadata as Hospital['metadata'] & { managedFields?: unknown };
  return { ...hospital, metadata };
}

export function conditionStatus(hospital: Hospital, type: string): string {
  return conditionsOf(hospital).find((condition) => condition.type === type)?.status ?? '-';
}
