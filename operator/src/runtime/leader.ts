import { setTimeout as sleep } from 'node:timers/promises';
import { type KubernetesClient, KubernetesError, type KubernetesObject } from '@hms/kubernetes';
import type { Logger } from 'pino';

export interface LeaderOptions {
  readonly client: KubernetesClient;
  readonly namespace: string;
  /** Name of the Lease object. */
  readonly name: string;
  /** Name of this process, unique for each start. */
  readonly identity: string;
  readonly logger: Logger;
  /** Called once, when this process becomes the leader. */
  readonly onElected: () => void;
  /** Called whenever the leader has renewed the Lease, on which people may have written annotations. */
  readonly onRenewed?: () => void;
  /** Called once, when the leader could not renew in time. The process must end, because another one may lead now. */
  readonly onLost: () => void;
  readonly timing: LeaderTiming;
}

export interface LeaderTiming {
  /** A lease that was not renewed for this long has expired. */
  readonly leaseMs: number;
  /**
   * The leader gives up if it could not renew for this long. Less than the lease, so that it stops before another one
   * starts.
   */
  readonly renewWithinMs: number;
  /** The time between two attempts. */
  readonly retryMs: number;
}

/** Consistent times. With 15 s, they are those of controller-runtime. */
export function leaderTiming(leaseSeconds: number): LeaderTiming {
  const leaseMs = leaseSeconds * 1000;
  return { leaseMs, renewWithinMs: Math.floor((leaseMs * 2) / 3), retryMs: Math.floor((leaseMs * 2) / 15) };
}

/** This process tried to write without being the leader. */
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
 * Leader election on a Lease. Whether another process's lease has expired is decided by how long this process has seen
 * it unchanged, never by the holder's clock.
 */
export class LeaderElection {
  readonly #options: LeaderOptions;
  readonly #timing: LeaderTiming;
  readonly #stop = new AbortController();
  readonly #path: string;
  /** When this process was last confirmed as the leader, by a clock that advances while the process is frozen. */
  #renewedAt: number | undefined;
  #lease: Lease | undefined;
  #observed: { readonly version: string; readonly at: number } | undefined;
  #running: Promise<void> = Promise.resolve();

  constructor(options: LeaderOptions) {
    this.#options = options;
    this.#timing = options.timing;
    this.#path = `/apis/coordination.k8s.io/v1/namespaces/${options.namespace}/leases`;
  }

  /** Whether this process may write now. */
  get isLeader(): boolean {
    return this.#renewedAt !== undefined && performance.now() - this.#renewedAt < this.#timing.renewWithinMs;
  }

  /** The Lease as this process last wrote it, to which events about the whole operator refer. */
  get lease(): KubernetesObject | undefined {
    return this.#lease;
  }

  /**
   * Call it right before each external write: a process that was frozen must not write when it resumes. @throws
   * NotLeader
   */
  readonly fence = (): void => {
    if (!this.isLeader) throw new NotLeader('this process is not the leader: nothing was written');
  };

  start(): void {
    this.#running = this.#run();
  }

  /** Releases the lease, so that another process need not wait until it expires. Call it after the last write. */
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
    const { logger, identity, onElected, onRenewed, onLost } = this.#options;
    let elected = false;
    while (!this.#stop.signal.aborted) {
      const requestedAt = performance.now();
      try {
        if (await this.#acquireOrRenew()) {
          // Counted from before the request, because the server may have written it that early.
          this.#renewedAt = requestedAt;
          if (!elected) {
            elected = true;
            logger.info({ identity }, 'elected as the leader');
            onElected();
          } else onRenewed?.();
        }
      } catch (error) {
        if (!this.#stop.signal.aborted) logger.warn({ err: error }, 'could not request the lease');
      }
      if (elected && !this.isLeader && !this.#stop.signal.aborted) {
        logger.error({ identity }, 'lost the lease: stopping, because another process may lead now');
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
    if (this.#observed?.version !== resourceVersion)
      this.#observed = { version: resourceVersion, at: performance.now() };
    // The holder's own duration may differ from ours, for example during an upgrade.
    const leaseMs = leaseDurationSeconds === undefined ? this.#timing.leaseMs : leaseDurationSeconds * 1000;
    const isExpired = !holderIdentity || performance.now() - this.#observed.at > leaseMs;
    if (!ours && !isExpired) return false;
    // Ours on the server, but renewed too long ago: another process may be about to acquire it.
    if (ours && this.#renewedAt !== undefined && !this.isLeader) return false;
    const now = microTime();
    return this.#write('PUT', lease.metadata, {
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
    const { name, namespace } = this.#options;
    return this.#write('POST', { name, namespace }, { acquireTime: now, renewTime: now, leaseTransitions: 0 });
  }

  /** @param metadata as read, because it has what others wrote. @returns false if another process was faster. */
  async #write(
    method: 'POST' | 'PUT',
    metadata: Partial<Lease['metadata']>,
    spec: Record<string, unknown>,
    holder = this.#options.identity,
  ): Promise<boolean> {
    const path = method === 'PUT' ? `${this.#path}/${this.#options.name}` : this.#path;
    try {
      const written = await this.#request<Lease>(method, path, {
        apiVersion: 'coordination.k8s.io/v1',
        kind: 'Lease',
        metadata,
        spec: { ...spec, holderIdentity: holder, leaseDurationSeconds: Math.ceil(this.#timing.leaseMs / 1000) },
      });
      this.#lease = written;
      this.#observed = { version: written.metadata.resourceVersion, at: performance.now() };
      return true;
    } catch (error) {
      if (error instanceof KubernetesError && error.status === 409) return false;
      throw error;
    }
  }

  async #release(): Promise<void> {
    const lease = await this.#read();
    if (lease?.spec.holderIdentity !== this.#options.identity) return;
    const { leaseTransitions } = lease.spec;
    await this.#write('PUT', lease.metadata, { leaseTransitions, renewTime: microTime() }, '');
  }

  #request<T>(method: 'GET' | 'POST' | 'PUT', path: string, body?: unknown): Promise<T> {
    const signal = AbortSignal.timeout(Math.floor(this.#timing.renewWithinMs / 2));
    return this.#options.client.request<T>(method, path, { signal, ...(body === undefined ? {} : { body }) });
  }
}

/** Lease times need six decimal places. */
function microTime(): string {
  return new Date().toISOString().replace(/Z$/, '000Z');
}
