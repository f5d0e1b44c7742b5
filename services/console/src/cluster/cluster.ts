/** The API server as the console sees it: hospitals with their events and the platform from caches, and writes of them. */
import { setTimeout as delay } from 'node:timers/promises';
import { HOSPITALS_PATH, type HospitalObject } from '@hms/hospitals';
import { PLATFORM_NAME, PLATFORMS_PATH, type PlatformObject } from '@hms/hospitals/platform';
import { isOfContent, refusalsOf } from '@hms/hospitals/refusals';
import { type KubernetesClient, KubernetesError, PATCH, Reflector } from '@hms/kubernetes';
import { Problem } from '@hms/service';
import type { Knex } from 'knex';
import type { Logger } from 'pino';
import { type Known, ObjectMemory } from './known-objects.ts';
import { ClusterNotices, NOTICES } from './notices.ts';
import { type EventObject, HOSPITAL_EVENTS_PATH, type LeaseObject, leasePath } from './objects.ts';
import { clusterProblem, PLATFORM_UNKNOWN, refused } from './problems.ts';

export interface ClusterOptions {
  readonly client: KubernetesClient;
  readonly db: Knex;
  readonly log: Logger;
  /** Namespace of the operator's Lease. */
  readonly leaseNamespace: string;
  readonly leaseName: string;
}

/** Whether what is shown is the present state. */
export interface Contact {
  readonly isReachable: boolean;
  /** What is shown was true then. */
  readonly asOf: Date;
}

/** Owner of the fields that the console writes. */
const MANAGER = 'hms-console';
/** Bookmarks come once a minute. A server that is frozen sends nothing. */
const SILENT_MS = 90_000;
/** People wait for a write, in ms. */
const WRITE_MS = 10_000;
const READ_MS = 5_000;
/** How often the API server is asked for a sign of life. */
const BEAT_MS = 10_000;
/** How long the first list is waited for, so that a new process does not refuse its first requests, in ms. */
const FIRST_READ_MS = 2_000;
const LOOK_MS = 20;

export class Cluster {
  readonly #options: ClusterOptions;
  readonly #memory: ObjectMemory<HospitalObject>;
  readonly #platformMemory: ObjectMemory<PlatformObject>;
  readonly #hospitals: Reflector<HospitalObject>;
  readonly #events: Reflector<EventObject>;
  readonly #platforms: Reflector<PlatformObject>;
  /** Of what has changed. */
  readonly notices = new ClusterNotices();
  #known: Known<HospitalObject> = { objects: [], seenAt: undefined };
  #knownPlatforms: Known<PlatformObject> = { objects: [], seenAt: undefined };
  /** Until something changes. */
  #ordered: Ordered | undefined;
  /** Whether the last request got no answer: a server that is frozen keeps its watches open. */
  #isSilent = false;
  /** When the API server last answered a request, in ms since 1970. */
  #answeredAt = 0;
  #beat: NodeJS.Timeout | undefined;

  constructor(options: ClusterOptions) {
    this.#options = options;
    const { client, log, db } = options;
    this.#memory = new ObjectMemory(db, log, 'Hospital');
    this.#platformMemory = new ObjectMemory(db, log, 'Platform');
    this.#hospitals = new Reflector<HospitalObject>({
      client,
      path: HOSPITALS_PATH,
      logger: log,
      onChange: ({ object, type }) => {
        const { name } = object.metadata;
        this.#ordered = undefined;
        this.#memory.note(name, type === 'deleted' ? undefined : object);
        // Before that, the others are not there yet.
        if (this.#hospitals.synced) this.notices.tell(NOTICES.hospitals, name);
      },
      onSynced: () => {
        this.#ordered = undefined;
        this.#memory.keepOnly(() => this.#hospitals.list().map(({ metadata }) => metadata.name));
        this.notices.reset();
      },
      onContact: () => this.notices.tell(NOTICES.contact),
    });
    this.#platforms = new Reflector<PlatformObject>({
      client,
      path: PLATFORMS_PATH,
      logger: log,
      onChange: ({ type, object }) => {
        this.#platformMemory.note(object.metadata.name, type === 'deleted' ? undefined : object);
        this.notices.tell(NOTICES.platform);
      },
    });
    this.#events = new Reflector<EventObject>({
      client,
      path: HOSPITAL_EVENTS_PATH,
      logger: log,
      onChange: ({ type, object }) => {
        if (type !== 'deleted') this.notices.tell(NOTICES.events, object.metadata.name);
      },
    });
  }

  /** Starts to follow the API server, and reads what was known before. Waits a moment for the API server's answer. */
  async start(): Promise<void> {
    this.#hospitals.start();
    this.#platforms.start();
    this.#events.start();
    try {
      this.#known = await this.#memory.read();
      this.#knownPlatforms = await this.#platformMemory.read();
    } catch (error) {
      this.#options.log.warn({ error }, 'could not read what was known of hospitals');
    }
    this.#ordered = undefined;
    this.#beat = setInterval(() => void this.operatorSilentSince(), BEAT_MS).unref();
    const end = Date.now() + FIRST_READ_MS;
    while (!this.#hospitals.synced && this.#hospitals.lostSince === undefined && Date.now() < end) await delay(LOOK_MS);
  }

  async end(): Promise<void> {
    clearInterval(this.#beat);
    await Promise.all([this.#hospitals.stop(), this.#platforms.stop(), this.#events.stop()]);
    await Promise.all([this.#memory.end(), this.#platformMemory.end()]).catch(() => undefined);
  }

  /** Whether the API server answers. What is shown was true when it last did. */
  contact(): Contact {
    const { synced, lostSince, silentMs, lastSignOfLife } = this.#hospitals;
    if (!synced) return { isReachable: false, asOf: this.#known.seenAt ?? new Date(0) };
    const isReachable = lostSince === undefined && silentMs < SILENT_MS && !this.#isSilent;
    return { isReachable, asOf: new Date(Math.max(lastSignOfLife, isReachable ? this.#answeredAt : 0)) };
  }

  /**
   * All hospitals, by prefix. The same list until something changes.
   * @throws Problem CLUSTER_UNAVAILABLE if nothing is known of them yet.
   */
  hospitals(): readonly HospitalObject[] {
    return this.#inOrder().all;
  }

  /** @param key prefix or id. @throws Problem CLUSTER_UNAVAILABLE as `hospitals` */
  find(key: string): HospitalObject | undefined {
    return this.#inOrder().byKey.get(key);
  }

  /** Events about this object, the latest first. The API server keeps them for an hour. */
  eventsOf({ metadata: { uid } }: HospitalObject): readonly EventObject[] {
    return this.#events
      .list()
      .filter(({ involvedObject }) => involvedObject.uid === uid)
      .sort((one, other) => (other.lastTimestamp ?? '').localeCompare(one.lastTimestamp ?? ''));
  }

  /** What the operator reports about the platform. Undefined if none has done that yet. */
  platform(): { readonly platform: PlatformObject; readonly asOf: Date } | undefined {
    const { synced, lostSince, lastSignOfLife } = this.#platforms;
    if (!synced) {
      const [platform] = this.#knownPlatforms.objects;
      return platform && { platform, asOf: this.#knownPlatforms.seenAt ?? new Date(0) };
    }
    const platform = this.#platforms.get(PLATFORM_NAME);
    const { isReachable, asOf } = this.contact();
    return platform && { platform, asOf: isReachable && lostSince !== undefined ? new Date(lastSignOfLife) : asOf };
  }

  /** Merges `changes` into the platform's object. @throws Problem if the API server refuses it, or can't be reached. */
  async changePlatform(changes: object): Promise<PlatformObject> {
    const changed = await this.#ask((client) =>
      client
        .request<PlatformObject>('PATCH', `${PLATFORMS_PATH}/${PLATFORM_NAME}`, {
          query: { fieldManager: MANAGER, fieldValidation: 'Strict' },
          contentType: PATCH.merge,
          body: changes,
          signal: AbortSignal.timeout(WRITE_MS),
        })
        .catch((error: unknown) => {
          if (error instanceof KubernetesError && error.status === 404) throw new Problem(PLATFORM_UNKNOWN);
          throw error;
        }),
    );
    this.#platforms.replace(changed);
    return changed;
  }

  /** The present state. @throws Problem if it can't be read. */
  read(name: string): Promise<HospitalObject> {
    return this.#ask((client) =>
      client.request('GET', `${HOSPITALS_PATH}/${name}`, { signal: AbortSignal.timeout(WRITE_MS) }),
    );
  }

  /** @throws Problem with all that the API server refuses, or if it can't be reached. */
  async create(manifest: object, { dryRun = false } = {}): Promise<HospitalObject> {
    return this.#ask(async (client) => {
      const post = (body: object, isTrial: boolean) =>
        client.request<HospitalObject>('POST', HOSPITALS_PATH, {
          query: { fieldManager: MANAGER, fieldValidation: 'Strict', ...(isTrial ? { dryRun: 'All' } : {}) },
          body,
          signal: AbortSignal.timeout(WRITE_MS),
        });
      try {
        return await post(manifest, dryRun);
      } catch (error) {
        const refusals = isOfContent(error) ? await refusalsOf(manifest, (body) => post(body, true)) : [];
        throw refusals.length > 0 ? refused(refusals) : error;
      }
    });
  }

  /** Merges `changes` into the object as it was read. @throws Problem STALE_VERSION if it has changed since. */
  async change({ metadata }: HospitalObject, changes: object): Promise<HospitalObject> {
    const changed = await this.#ask((client) =>
      client.request<HospitalObject>('PATCH', `${HOSPITALS_PATH}/${metadata.name}`, {
        query: { fieldManager: MANAGER, fieldValidation: 'Strict' },
        contentType: PATCH.merge,
        body: changes,
        signal: AbortSignal.timeout(WRITE_MS),
      }),
    );
    this.#hospitals.replace(changed);
    return changed;
  }

  /** Only the object that was read, and no later one of the same name. */
  async delete({ metadata: { name, uid } }: HospitalObject): Promise<void> {
    await this.#ask((client) =>
      client.request('DELETE', `${HOSPITALS_PATH}/${name}`, {
        body: { apiVersion: 'v1', kind: 'DeleteOptions', preconditions: { uid } },
        signal: AbortSignal.timeout(WRITE_MS),
      }),
    );
  }

  /**
   * Since when no operator has renewed its Lease.
   * @returns undefined if one works, and null if that can't be known. ISO 8601.
   */
  async operatorSilentSince(now = Date.now()): Promise<string | undefined | null> {
    const { client, leaseNamespace, leaseName } = this.#options;
    try {
      const { spec } = await client.request<LeaseObject>('GET', leasePath(leaseNamespace, leaseName), {
        signal: AbortSignal.timeout(READ_MS),
      });
      this.#hear();
      const renewed = Date.parse(spec?.renewTime ?? '');
      if (Number.isNaN(renewed) || !spec?.holderIdentity) return spec?.renewTime ?? null;
      return now - renewed > (spec.leaseDurationSeconds ?? 15) * 1000 ? new Date(renewed).toISOString() : undefined;
    } catch (error) {
      this.#hear(error);
      if (!(error instanceof KubernetesError)) return null;
      if (error.status !== 404) this.#options.log.warn({ error }, 'the Lease of the operator can not be read');
      return null;
    }
  }

  async #ask<T>(question: (client: KubernetesClient) => Promise<T>): Promise<T> {
    try {
      const answer = await question(this.#options.client);
      this.#hear();
      return answer;
    } catch (error) {
      if (!(error instanceof Problem)) this.#hear(error);
      throw clusterProblem(error);
    }
  }

  /** Remembers whether a request got an answer. */
  #hear(error?: unknown): void {
    this.#isSilent = error !== undefined && !(error instanceof KubernetesError);
    if (!this.#isSilent) this.#answeredAt = Date.now();
  }

  #inOrder(): Ordered {
    if (this.#ordered) return this.#ordered;
    const { synced } = this.#hospitals;
    if (!synced && this.#known.seenAt === undefined) throw clusterProblem(new TypeError('nothing was read yet'));
    this.#ordered = orderedOf(synced ? this.#hospitals.list() : this.#known.objects);
    return this.#ordered;
  }
}

interface Ordered {
  readonly all: readonly HospitalObject[];
  /** By prefix and by id. */
  readonly byKey: ReadonlyMap<string, HospitalObject>;
}

function orderedOf(objects: readonly HospitalObject[]): Ordered {
  const all = objects.toSorted((one, other) => (one.metadata.name < other.metadata.name ? -1 : 1));
  const ids = all.flatMap((hospital): [string, HospitalObject][] => {
    const id = hospital.status?.hospitalId;
    return id === undefined ? [] : [[id, hospital]];
  });
  // A prefix can look like an id.
  return { all, byKey: new Map([...ids, ...all.map((hospital) => [hospital.metadata.name, hospital] as const)]) };
}
