import { setTimeout as sleep } from 'node:timers/promises';
import { type KubernetesClient, KubernetesError, type KubernetesObject } from '@hms/kubernetes';
import type { Logger } from 'pino';

export interface LeaderOptions {
  readonly client: KubernetesClient;
  readonly namespace: string;
  /** Name of the Lease object. */
  readonly name: string;
  /** Name of this process, another one each time it starts. */
  readonly identity: string;
  readonly logger: Logger;
  /** Called once, when this process becomes the leader. */
  readonly onElected: () => void;
  /** Called once, when the leader could not renew in time. The process must end: another one leads now. */
  readonly onLost: () => void;
  readonly timing: LeaderTiming;
}

export interface LeaderTiming {
  /** A lease that was not renewed for this long is anybody's. */
  readonly leaseMs: number;
  /** The leader gives up when it could not renew for this long; less than the lease, so that it stops before another starts. */
  readonly renewWithinMs: number;
  /** Between two tries. */
  readonly retryMs: number;
}

/** Times that fit together; with 15 s they are those of controller-runtime. */
export function leaderTiming(leaseSeconds: number): LeaderTiming {
  const leaseMs = leaseSeconds * 1000;
  return { leaseMs, renewWithinMs: Math.floor((leaseMs * 2) / 3), retryMs: Math.floor((leaseMs * 2) / 15) };
}

/** Somebody tried to write without being the leader. */
export class NotLeader extends Error {
  override readonly name = 'NotLeader';
}

interface Lease extends KubernetesObject {
  readonly spec: {
    readonly holderIdentity?: string;
    readonly leaseDurationSeconds?: number;
    readonly renewTime?: string;
    readonly leaseTransitions?: number;
    readonly acquireTime?: string;
  };
}

/**
 * Leader election on a Lease. Whether somebody else's lease is over is judged by how long this process has seen it
 * unchanged, never by the holder's clock.
 */
export class LeaderElection {
  readonly #options: LeaderOptions;
  readonly #timing: LeaderTiming;
  readonly #stop = new AbortController();
  readonly #path: string;
  /** When this process last knew itself to be the leader, by a clock that goes on while the process is frozen. */
  #renewedAt: number | undefined;
  #lease: Lease | undefined;
  #seen: { readonly version: string; readonly at: number } | undefined;
  #running: Promise<void> = Promise.resolve();

  constructor(options: LeaderOptions) {
    this.#options = options;
    this.#timing = options.timing;
    this.#path = `/apis/coordination.k8s.io/v1/namespaces/${options.namespace}/leases`;
  }

  /** Whether this process may write at this moment. */
  get isLeader(): boolean {
    return this.#renewedAt !== undefined && performance.now() - this.#renewedAt < this.#timing.renewWithinMs;
  }

  /** The Lease as this process last wrote it: the object that events about the operator as a whole are told of. */
  get lease(): KubernetesObject | undefined {
    return this.#lease;
  }

  /** To be called right before each write to the outside: a process that was frozen must write nothing when it wakes. @throws NotLeader */
  readonly fence = (): void => {
    if (!this.isLeader) throw new NotLeader('this process is not the leader: nothing was written');
  };

  start(): void {
    this.#running = this.#run();
  }

  /** Gives the lease back, so that another process need not wait until it is over. Call it after the last write. */
  async stop(): Promise<void> {
    this.#stop.abort();
    await this.#running;
    if (!this.isLeader) return;
    this.#renewedAt = undefined;
    await this.#release().catch((error: unknown) => {
      this.#options.logger.warn({ err: error }, 'could not release the lease; it will expire');
    });
  }

  async #run(): Promise<void> {
    const { logger, identity, onElected, onLost } = this.#options;
    let elected = false;
    while (!this.#stop.signal.aborted) {
      const asked = performance.now();
      try {
        if (await this.#acquireOrRenew()) {
          // Counted from before the request, as the server may have written it that early.
          this.#renewedAt = asked;
          if (!elected) {
            elected = true;
            logger.info({ identity }, 'elected as the leader');
            onElected();
          }
        }
      } catch (error) {
        if (!this.#stop.signal.aborted) logger.warn({ err: error }, 'could not request the lease');
      }
      if (elected && !this.isLeader && !this.#stop.signal.aborted) {
        logger.error({ identity }, 'lost the lease: ending, as another process may lead now');
        onLost();
        return;
      }
      await sleep(this.#timing.retryMs, undefined, { signal: this.#stop.signal }).catch(() => undefined);
    }
  }

  /** @returns whether this process holds the lease now. */
  async #acquireOrRenew(): Promise<boolean> {
    const lease = await this.#read();
    if (!lease) return this.#create();
    const { holderIdentity, leaseTransitions = 0, acquireTime, leaseDurationSeconds } = lease.spec;
    const ours = holderIdentity === this.#options.identity;
    const { resourceVersion } = lease.metadata;
    if (this.#seen?.version !== resourceVersion) this.#seen = { version: resourceVersion, at: performance.now() };
    // The holder's own duration: it may be set otherwise than ours, as while a release is replaced.
    const leaseMs = leaseDurationSeconds === undefined ? this.#timing.leaseMs : leaseDurationSeconds * 1000;
    const over = !holderIdentity || performance.now() - this.#seen.at > leaseMs;
    if (!ours && !over) return false;
    // Ours on the server, but too long ago: then another one may be about to take it.
    if (ours && this.#renewedAt !== undefined && !this.isLeader) return false;
    const now = microTime();
    return this.#write('PUT', `${this.#path}/${this.#options.name}`, {
      resourceVersion,
      acquireTime: ours ? acquireTime : now,
      renewTime: now,
      leaseTransitions: ours ? leaseTransitions : leaseTransitions + 1,
    });
  }

  async #read(): Promise<Lease | undefined> {
    try {
      return await this.#request<Lease>('GET', `${this.#path}/${this.#options.name}`);
    } catch (error) {
      if (error instanceof KubernetesError && error.status === 404) return undefined;
      throw error;
    }
  }

  #create(): Promise<boolean> {
    const now = microTime();
    return this.#write('POST', this.#path, { acquireTime: now, renewTime: now, leaseTransitions: 0 });
  }

  /** @returns false when another process was quicker. */
  async #write(
    method: 'POST' | 'PUT',
    path: string,
    { resourceVersion, ...spec }: Record<string, unknown>,
    holder = this.#options.identity,
  ): Promise<boolean> {
    const { name, namespace } = this.#options;
    try {
      const written = await this.#request<Lease>(method, path, {
        apiVersion: 'coordination.k8s.io/v1',
        kind: 'Lease',
        metadata: { name, namespace, resourceVersion },
        spec: { ...spec, holderIdentity: holder, leaseDurationSeconds: Math.ceil(this.#timing.leaseMs / 1000) },
      });
      this.#lease = written;
      this.#seen = { version: written.metadata.resourceVersion, at: performance.now() };
      return true;
    } catch (error) {
      if (error instanceof KubernetesError && error.status === 409) return false;
      throw error;
    }
  }

  async #release(): Promise<void> {
    const lease = await this.#read();
    if (lease?.spec.holderIdentity !== this.#options.identity) return;
    const { resourceVersion } = lease.metadata;
    const { leaseTransitions } = lease.spec;
    await this.#write(
      'PUT',
      `${this.#path}/${this.#options.name}`,
      { resourceVersion, leaseTransitions, renewTime: microTime() },
      '',
    );
  }

  #request<T>(method: 'GET' | 'POST' | 'PUT', path: string, body?: unknown): Promise<T> {
    const signal = AbortSignal.timeout(Math.floor(this.#timing.renewWithinMs / 2));
    return this.#options.client.request<T>(method, path, { signal, ...(body === undefined ? {} : { body }) });
  }
}

/** Lease times need six digits after the point. */
function microTime(): string {
  return new Date().toISOString().replace(/Z$/, '000Z');
}
