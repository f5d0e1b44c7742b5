import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import type { HospitalObject } from '@hms/hospitals';
import { PLATFORM_NAME, PLATFORMS_PATH, type PlatformObject } from '@hms/hospitals/platform';
import { KubernetesError, PATCH } from '@hms/kubernetes';
import type { Backend } from '../backends/backend.ts';
import { type BackendError, toBackendError } from '../backends/errors.ts';
import type { Context } from '../context.ts';
import { FIELD_MANAGER } from '../hospital/status-writer.ts';
import type { Migrations } from '../migration/migrations.ts';
import { NotLeader } from '../runtime/leader.ts';
import { platformStatus } from './platform-status.ts';
import type { PlatformWatch } from './platform-watch.ts';

export interface Sources {
  readonly platform: PlatformWatch;
  readonly backends: readonly Backend[];
  /** The outcome of the last check of an engine's shared part. Undefined before the first one. */
  readonly outcomeOf: (backend: string) => Outcome | undefined;
  /** How many hospitals wait for an engine. */
  readonly waiting: (backend: string) => number;
  readonly migrations: Migrations;
  /** Undefined while they have not been read. */
  readonly hospitals: () => readonly HospitalObject[] | undefined;
}

type Outcome = 'in order' | BackendError;

/** How soon a change is in the status, in ms. */
const WRITE_MS = 1_000;
/** Between two pings of each engine, in ms. */
const PING_MS = 10_000;

/**
 * Writes to the Platform object how the engines are and how far the migrations are, while this process leads. It pings
 * the engines, so that it also reports one that no hospital needs at the moment.
 */
export class PlatformReport {
  readonly #context: Context;
  readonly #sources: Sources;
  readonly #findings = new Map<string, readonly string[]>();
  /** The outcome of the last ping of each engine. */
  readonly #pings = new Map<string, Outcome>();
  readonly #stop = new AbortController();
  #running: Promise<unknown> = Promise.resolve();

  constructor(context: Context, sources: Sources) {
    this.#context = context;
    this.#sources = sources;
  }

  /** Records the foreign parts and refused settings that a check of an engine has found, one sentence each. */
  found(backend: string, findings: readonly string[]): void {
    this.#findings.set(backend, findings);
  }

  start(): void {
    const { backends } = this.#sources;
    this.#running = Promise.all([
      ...backends.map((backend) => this.#repeat(PING_MS, () => this.#ping(backend))),
      this.#repeat(WRITE_MS, () => this.#write()),
    ]);
  }

  /** Waits for a running write. */
  async stop(): Promise<void> {
    this.#stop.abort();
    await this.#running;
  }

  async #repeat(everyMs: number, step: () => Promise<void>): Promise<void> {
    const { signal } = this.#stop;
    while (!signal.aborted) {
      await step();
      await sleep(everyMs, undefined, { signal }).catch(() => undefined);
    }
  }

  async #ping(backend: Backend): Promise<void> {
    const { name } = backend.descriptor;
    try {
      await backend.ping();
      this.#pings.set(name, 'in order');
    } catch (cause) {
      // It says nothing about the engine.
      if (cause instanceof NotLeader) return;
      this.#pings.set(name, toBackendError(cause, name));
    }
  }

  async #write(): Promise<void> {
    const { platform } = this.#sources;
    try {
      if (platform.isMissing) await this.#create();
      if (platform.object) await this.#show(platform.object);
    } catch (error) {
      if (error instanceof NotLeader) return;
      this.#context.logger.warn({ err: error }, 'could not write the state of the platform');
    }
  }

  /** The watch reports it then. */
  async #create(): Promise<void> {
    const { client, leader } = this.#context;
    leader.fence();
    const body = { apiVersion: 'hms.dev/v1', kind: 'Platform', metadata: { name: PLATFORM_NAME }, spec: {} };
    await client.request('POST', PLATFORMS_PATH, { query: { fieldManager: FIELD_MANAGER }, body }).catch(unless(409));
  }

  async #show(object: PlatformObject): Promise<void> {
    const { client, leader } = this.#context;
    const { backends, outcomeOf, waiting, migrations, platform } = this.#sources;
    const hospitals = this.#sources.hospitals();
    if (!hospitals) return;
    const engines = backends.map(({ descriptor: { name, condition } }) => ({
      name,
      condition,
      outcome: worse(this.#pings.get(name), outcomeOf(name)),
      waiting: waiting(name),
      findings: this.#findings.get(name) ?? object.status?.engines?.find((engine) => engine.name === name)?.findings,
    }));
    const status = platformStatus(object, { engines, migrations, hospitals }, new Date());
    if (isDeepStrictEqual(normal(status), normal(object.status))) return;
    leader.fence();
    const { name, uid } = object.metadata;
    const written = await client
      .request<PlatformObject>('PATCH', `${PLATFORMS_PATH}/${name}/status`, {
        query: { fieldManager: FIELD_MANAGER, force: true },
        contentType: PATCH.apply,
        body: { apiVersion: 'hms.dev/v1', kind: 'Platform', metadata: { name, uid }, status },
      })
      // Deleted meanwhile, or there is another object now: the watch reports it.
      .catch(unless(404, 409));
    if (written) platform.replace(written);
  }
}

/** @returns undefined while neither is known, or only that one of two is in order. */
function worse(ping: Outcome | undefined, check: Outcome | undefined): Outcome | undefined {
  return [ping, check].find((outcome) => outcome !== undefined && outcome !== 'in order') ?? (ping && check);
}

/** @returns a handler that ignores errors with these statuses. */
function unless(...statuses: readonly number[]): (error: unknown) => undefined {
  return (error) => {
    if (error instanceof KubernetesError && statuses.includes(error.status)) return undefined;
    throw error;
  };
}

/** The form that the API server returns: without undefined, and without an order of conditions. */
function normal(status: PlatformObject['status']): unknown {
  const plain = JSON.parse(JSON.stringify(status ?? {})) as NonNullable<PlatformObject['status']>;
  return { ...plain, conditions: [...(plain.conditions ?? [])].sort((a, b) => a.type.localeCompare(b.type)) };
}
