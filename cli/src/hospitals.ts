/** Hospital objects in a cluster. */
import { isDeepStrictEqual } from 'node:util';
import { ANNOTATION, HOSPITALS_PATH, type HospitalObject } from '@hms/hospitals';
import { type Refusal, refusalsOf } from '@hms/hospitals/refusals';
import { applyManifest } from '@hms/kubernetes';
import { conditionsOf, type Manifest } from '@hms/local';
import type { KubeConfig } from '@kubernetes/client-node';
import { Cluster } from './cluster.ts';
import { EXIT, Exit } from './exit.ts';
import { operatorSilence } from './operator-lease.ts';

export interface WriteOptions {
  /** The server validates the request and answers as usual, but changes nothing. */
  readonly dryRun?: boolean | undefined;
  /** Name under which the fields are owned, if not hmsctl. */
  readonly manager?: string;
}

export interface ApplyOptions extends WriteOptions {
  /** Whether fields are removed that kubectl has applied and that the manifest no longer has. */
  readonly isWhole?: boolean;
}

export class Hospitals {
  readonly #cluster: Cluster;

  constructor(config: KubeConfig) {
    this.#cluster = new Cluster(config);
  }

  get cluster(): Cluster {
    return this.#cluster;
  }

  async list(): Promise<HospitalObject[]> {
    const { items } = await this.#cluster.ask((client) =>
      client.request<{ items: HospitalObject[] }>('GET', HOSPITALS_PATH),
    );
    return items.map((item) => withoutManagers({ ...item, apiVersion: 'hms.dev/v1', kind: 'Hospital' }));
  }

  /** @returns undefined if there is no such hospital. */
  async find(name: string): Promise<HospitalObject | undefined> {
    const found = await this.#cluster.find<HospitalObject>(`${HOSPITALS_PATH}/${name}`);
    return found && withoutManagers(found);
  }

  async get(name: string): Promise<HospitalObject> {
    const hospital = await this.find(name);
    if (!hospital) throw new Exit(EXIT.notFound, `there is no hospital ${name}: hmsctl hospital list shows all.`);
    return hospital;
  }

  async apply(manifest: Manifest, options: ApplyOptions = {}): Promise<HospitalObject> {
    return withoutManagers(await this.#cluster.apply<HospitalObject>(manifest, options));
  }

  /** Dry-runs an apply. @returns the hospital as it would be, or everything that the API server refuses. */
  async check(
    manifest: Manifest,
    manager: string,
  ): Promise<{ readonly hospital: HospitalObject | undefined; readonly refusals: readonly Refusal[] }> {
    let applied: HospitalObject | undefined;
    const refusals = await this.#cluster.ask((client) =>
      refusalsOf(manifest, async (tried) => {
        applied = await applyManifest<HospitalObject>(client, tried as Manifest, manager, { dryRun: true });
      }),
    );
    return { hospital: refusals.length === 0 && applied ? withoutManagers(applied) : undefined, refusals };
  }

  /** Merges a change into a hospital. With `metadata.resourceVersion`, only into that version. */
  async change(name: string, patch: object, options: WriteOptions = {}): Promise<HospitalObject> {
    return withoutManagers(await this.#cluster.merge<HospitalObject>(`${HOSPITALS_PATH}/${name}`, patch, options));
  }

  /** Confirms the deletion of a hospital with `deletionPolicy: Delete`. */
  async confirmDeletion(name: string, options: WriteOptions = {}): Promise<void> {
    await this.#cluster.annotate(`${HOSPITALS_PATH}/${name}`, ANNOTATION.confirmDelete, name, options);
  }

  /** Requests a new signing key of the hospital's realm. @param request a text that differs from earlier ones. */
  async rotateKey(name: string, request: string, options: WriteOptions = {}): Promise<void> {
    await this.#cluster.annotate(`${HOSPITALS_PATH}/${name}`, ANNOTATION.rotateKeyRequestedAt, request, options);
  }

  async delete(name: string, { dryRun = false }: WriteOptions = {}): Promise<void> {
    const query = dryRun ? { dryRun: 'All' } : {};
    await this.#cluster.ask((client) => client.request('DELETE', `${HOSPITALS_PATH}/${name}`, { query }));
  }

  /** Why nobody reconciles hospitals at the moment, or undefined. */
  silence(): Promise<string | undefined> {
    return operatorSilence(this.#cluster);
  }
}

/** As kubectl prints it, without the managed fields, which are longer than the object and must not be applied. */
function withoutManagers(hospital: HospitalObject): HospitalObject {
  const { managedFields: _, ...metadata } = hospital.metadata;
  return { ...hospital, metadata };
}

export function conditionStatus(hospital: HospitalObject, type: string): string {
  return conditionsOf(hospital).find((condition) => condition.type === type)?.status ?? '-';
}

/** The resource version does not show a change, because it also counts changes of field managers. */
export function changeOf(
  before: HospitalObject | undefined,
  after: HospitalObject,
): 'created' | 'changed' | 'unchanged' {
  if (!before) return 'created';
  return isDeepStrictEqual(wishOf(before), wishOf(after)) ? 'unchanged' : 'changed';
}

/** What people determine of a hospital. */
export function wishOf(hospital: HospitalObject): object {
  const { labels = {}, annotations = {} } = hospital.metadata as { labels?: object; annotations?: object };
  return { spec: hospital.spec, labels, annotations };
}
