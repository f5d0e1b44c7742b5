/** Changes of hospitals. Each one is recorded with who did it, and only if the API server has accepted it. */
import { findHospitalByPrefix } from '@hms/database';
import { ANNOTATION, type HospitalObject } from '@hms/hospitals';
import { type HostRules, reservedHost } from '@hms/hospitals/hosts';
import { demandVersion, invalidFields, Problem, type RequestContext } from '@hms/service';
import type { Knex } from 'knex';
import { recordEvent } from '../audit/events.ts';
import type { Cluster } from '../cluster/cluster.ts';
import { HOSPITAL_NOT_FOUND } from '../cluster/problems.ts';
import { DELETION_NOT_CONFIRMED, HOSPITAL_DELETING } from './hospitals.errors.ts';
import type { HospitalChanges, NewHospital } from './hospitals.schema.ts';
import { manifestOf, patchOf } from './manifest.ts';

export type Who = Pick<RequestContext, 'caller' | 'clientAddress'>;

interface Dependencies {
  readonly db: Knex;
  readonly cluster: Cluster;
  readonly hosts: HostRules;
}

type Action = 'create' | 'update' | 'transition' | 'delete';

interface Deletion {
  readonly confirm: string;
  /** Instead of the one of the object. */
  readonly deletionPolicy?: 'Retain' | 'Delete' | undefined;
  /** That the person has seen. */
  readonly version: number | undefined;
}

/** A status may be written between a read and a write. */
const ATTEMPTS = 5;

export class HospitalService {
  readonly #db: Knex;
  readonly #cluster: Cluster;
  readonly #hosts: HostRules;

  constructor({ db, cluster, hosts }: Dependencies) {
    this.#db = db;
    this.#cluster = cluster;
    this.#hosts = hosts;
  }

  /** @param key prefix or id. @throws Problem HOSPITAL_NOT_FOUND */
  find(key: string): HospitalObject {
    const found = this.#cluster.find(key);
    if (!found) throw new Problem(HOSPITAL_NOT_FOUND);
    return found;
  }

  /** @returns what would be created, which the API server has checked, and whether kept data comes back. */
  async preview(given: NewHospital): Promise<{ readonly manifest: object; readonly returns: boolean }> {
    this.#demandFree(given.prefix, given.gateway?.hosts);
    const manifest = manifestOf(given);
    const [, registered] = await Promise.all([
      this.#cluster.create(manifest, { dryRun: true }),
      findHospitalByPrefix(this.#db, given.prefix),
    ]);
    return { manifest, returns: registered?.state === 'Retained' };
  }

  async create(who: Who, given: NewHospital): Promise<HospitalObject> {
    this.#demandFree(given.prefix, given.gateway?.hosts);
    const manifest = manifestOf(given);
    return this.#recorded(who, 'create', { prefix: given.prefix, after: manifest }, null, () =>
      this.#cluster.create(manifest),
    );
  }

  async change(who: Who, key: string, changes: HospitalChanges, version: number | undefined): Promise<HospitalObject> {
    const { prefix, id } = this.#named(key);
    this.#demandFree(prefix, changes.gateway?.hosts);
    const spec = patchOf(changes);
    return this.#recorded(who, 'update', { prefix, after: spec }, id, () =>
      this.#merge(prefix, (now) => {
        demandVersion({ version: now.metadata.generation ?? 0 }, version);
        return { spec };
      }),
    );
  }

  async setState(
    who: Who,
    key: string,
    state: 'Active' | 'Suspended',
    reason: string | undefined,
  ): Promise<HospitalObject> {
    const { prefix, id } = this.#named(key);
    const before = await this.#cluster.read(prefix);
    if (before.spec.state === state) return before;
    const details = { prefix, after: { state }, ...(reason === undefined ? {} : { reason }) };
    return this.#recorded(who, 'transition', details, id, () =>
      this.#merge(prefix, ({ metadata }) => {
        if (metadata.deletionTimestamp !== undefined) throw new Problem(HOSPITAL_DELETING);
        return { spec: { state } };
      }),
    );
  }

  /** Asks the operator to try again at once. */
  async retry(who: Who, key: string): Promise<HospitalObject> {
    const { prefix, id } = this.#named(key);
    const annotations = { [ANNOTATION.reconcileRequestedAt]: new Date().toISOString() };
    return this.#recorded(who, 'transition', { prefix, after: { retry: true } }, id, () =>
      this.#merge(prefix, () => ({ metadata: { annotations } })),
    );
  }

  /** @throws Problem DELETION_NOT_CONFIRMED unless the prefix was typed. */
  async delete(who: Who, key: string, { confirm, deletionPolicy, version }: Deletion): Promise<void> {
    const { prefix, id } = this.#named(key);
    if (confirm !== prefix) throw new Problem(DELETION_NOT_CONFIRMED);
    const before = await this.#cluster.read(prefix);
    const policy = deletionPolicy ?? before.spec.deletionPolicy;
    await this.#recorded(
      who,
      'delete',
      { prefix, name: before.spec.displayName, deletionPolicy: policy },
      id,
      async () => {
        const confirmed = await this.#merge(prefix, ({ metadata: { generation = 0 } }) => {
          demandVersion({ version: generation }, version);
          return {
            spec: { deletionPolicy: policy },
            ...(policy === 'Delete' ? { metadata: { annotations: { [ANNOTATION.confirmDelete]: prefix } } } : {}),
          };
        });
        await this.#cluster.delete(confirmed);
        return confirmed;
      },
    );
  }

  /** @throws Problem for hosts of the platform and of other hospitals. The operator would open none of them. */
  #demandFree(prefix: string, hosts: readonly string[] | null | undefined): void {
    if (!hosts?.length) return;
    const others = this.#cluster.hospitals().filter(({ metadata }) => metadata.name !== prefix);
    const reasons = hosts.flatMap((host) => {
      const holder = others.find(({ spec }) => spec.gateway.hosts.includes(host))?.metadata.name;
      const taken = holder === undefined ? undefined : `host ${host} is hospital ${holder}'s`;
      return reservedHost(host, prefix, this.#hosts) ?? taken ?? [];
    });
    const message = reasons.map((reason) => reason.replace(/[:;] remove it from .*$/, '')).join('; ');
    if (reasons.length > 0)
      throw invalidFields([{ field: 'gateway.hosts', in: 'body', message: `must have other hosts: ${message}` }]);
  }

  #named(key: string): { readonly prefix: string; readonly id: string | null } {
    const { metadata, status } = this.find(key);
    return { prefix: metadata.name, id: status?.hospitalId ?? null };
  }

  /** Merges into the present object, again if somebody else, such as the operator, has written it meanwhile. */
  async #merge(prefix: string, changesOf: (now: HospitalObject) => object): Promise<HospitalObject> {
    for (let attempt = 1; ; attempt += 1) {
      const now = await this.#cluster.read(prefix);
      const changes = changesOf(now) as { readonly metadata?: object };
      const { resourceVersion } = now.metadata;
      try {
        return await this.#cluster.change(now, { ...changes, metadata: { ...changes.metadata, resourceVersion } });
      } catch (error) {
        if (attempt >= ATTEMPTS || !(error instanceof Problem) || error.kind.code !== 'STALE_VERSION') throw error;
      }
    }
  }

  #recorded(
    who: Who,
    action: Action,
    details: object,
    recordId: string | null,
    work: () => Promise<HospitalObject>,
  ): Promise<HospitalObject> {
    return this.#db.transaction(async (trx) => {
      await recordEvent(trx, who, { action, record: 'hospitals', recordId, details });
      return work();
    });
  }
}
