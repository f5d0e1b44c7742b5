/** Hospital objects in a cluster. */
import { isDeepStrictEqual } from 'node:util';
import { type Condition, conditionsOf, type Manifest } from '@hms/local';
import type { KubeConfig } from '@kubernetes/client-node';
import { Cluster } from './cluster.ts';
import { EXIT, Exit } from './exit.ts';
import { operatorSilence } from './operator-lease.ts';

export interface Hospital extends Manifest {
  metadata: Manifest['metadata'] & {
    uid?: string;
    resourceVersion?: string;
    generation?: number;
    creationTimestamp?: string;
    deletionTimestamp?: string;
  };
  spec: {
    state?: string;
    deletionPolicy?: string;
    managementPolicy?: string;
    displayName?: string;
    timezone?: string;
    currency?: string;
    owner?: { email: string; firstName: string; lastName: string };
  };
  status?: {
    observedGeneration?: number;
    phase?: string;
    hospitalId?: string;
    schemaVersion?: number;
    lastVerifiedTime?: string;
    endpoints?: { issuer?: string; api?: string; portal?: string };
    hosts?: string[];
    signingKey?: { state: string; since: string; requestedAt?: string };
    conditions?: (Condition & { lastTransitionTime?: string })[];
    backends?: Record<string, { state?: string; reason?: string; message?: string; externalId?: string }>;
    plan?: string[];
    teardown?: { backend: string; done: boolean; remaining?: string }[];
  };
}

const PATH = '/apis/hms.dev/v1/hospitals';
const CONFIRM_DELETE = 'hms.dev/confirm-delete';
/** Requests a new signing key, on a hospital or on the operator's Lease. */
export const ROTATE_KEY = 'hms.dev/rotate-key-requested-at';

export interface WriteOptions {
  /** The server validates the request and answers as usual, but changes nothing. */
  readonly dryRun?: boolean | undefined;
  /** Name under which the fields are owned, if not hmsctl. */
  readonly manager?: string;
}

export class Hospitals {
  readonly #cluster: Cluster;

  constructor(config: KubeConfig) {
    this.#cluster = new Cluster(config);
  }

  get cluster(): Cluster {
    return this.#cluster;
  }

  async list(): Promise<Hospital[]> {
    const { items } = await this.#cluster.ask((client) => client.request<{ items: Hospital[] }>('GET', PATH));
    return items.map((item) => withoutManagers({ ...item, apiVersion: 'hms.dev/v1', kind: 'Hospital' }));
  }

  /** @returns undefined if there is no such hospital. */
  async find(name: string): Promise<Hospital | undefined> {
    const found = await this.#cluster.find<Hospital>(`${PATH}/${name}`);
    return found && withoutManagers(found);
  }

  async get(name: string): Promise<Hospital> {
    const hospital = await this.find(name);
    if (!hospital) throw new Exit(EXIT.notFound, `there is no hospital ${name}: hmsctl hospital list shows all.`);
    return hospital;
  }

  async apply(manifest: Manifest, options: WriteOptions = {}): Promise<Hospital> {
    return withoutManagers(await this.#cluster.apply<Hospital>(manifest, options));
  }

  /** Merges a change into a hospital. With `metadata.resourceVersion`, only into that version. */
  async change(name: string, patch: object, options: WriteOptions = {}): Promise<Hospital> {
    return withoutManagers(await this.#cluster.merge<Hospital>(`${PATH}/${name}`, patch, options));
  }

  /** Confirms the deletion of a hospital with `deletionPolicy: Delete`. */
  async confirmDeletion(name: string, options: WriteOptions = {}): Promise<void> {
    await this.#cluster.annotate(`${PATH}/${name}`, CONFIRM_DELETE, name, options);
  }

  /** Requests a new signing key of the hospital's realm. @param request a text that differs from earlier ones. */
  async rotateKey(name: string, request: string, options: WriteOptions = {}): Promise<void> {
    await this.#cluster.annotate(`${PATH}/${name}`, ROTATE_KEY, request, options);
  }

  async delete(name: string, { dryRun = false }: WriteOptions = {}): Promise<void> {
    const query = dryRun ? { dryRun: 'All' } : {};
    await this.#cluster.ask((client) => client.request('DELETE', `${PATH}/${name}`, { query }));
  }

  /** Why nobody reconciles hospitals at the moment, or undefined. */
  silence(): Promise<string | undefined> {
    return operatorSilence(this.#cluster);
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

/** The resource version does not show a change, because it also counts changes of field managers. */
export function changeOf(before: Hospital | undefined, after: Hospital): 'created' | 'changed' | 'unchanged' {
  if (!before) return 'created';
  return isDeepStrictEqual(wishOf(before), wishOf(after)) ? 'unchanged' : 'changed';
}

/** What people determine of a hospital. */
export function wishOf(hospital: Hospital): object {
  const { labels = {}, annotations = {} } = hospital.metadata as { labels?: object; annotations?: object };
  return { spec: hospital.spec, labels, annotations };
}
