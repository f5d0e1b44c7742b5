import { createHash } from 'node:crypto';
import type { Logger } from 'pino';
import type { Backend, Tenant } from '../backends/backend.ts';
import { type BackendError, toBackendError } from '../backends/errors.ts';
import { afterNeeds } from '../backends/order.ts';
import { type Outcome, type Outcomes, outcomesOf } from './outcome.ts';

export interface ProvisionOptions {
  readonly backends: readonly Backend[];
  /** Throws a BackendError while an engine lacks the shared parts of the platform. */
  readonly requirePlatform: (backend: string) => Promise<void>;
  readonly logger: Logger;
}

/** Reconciles all backends of a hospital, in parallel unless one needs another. */
export class Provisioner {
  readonly #options: ProvisionOptions;

  constructor(options: ProvisionOptions) {
    this.#options = options;
  }

  /**
   * @param write false only plans: nothing is written, and the changes are those that would be made.
   * @param objection why some hosts are not routed to the hospital. Everything else is applied.
   * @param settle called with each backend's outcome when it finishes. @returns the completed outcome.
   * @throws NotLeader
   */
  async run(
    tenant: Tenant,
    {
      write,
      objection,
      settle,
    }: {
      readonly write: boolean;
      readonly objection: BackendError | undefined;
      readonly settle: (outcome: Outcome) => Outcome;
    },
  ): Promise<Outcomes> {
    const outcomes = await afterNeeds<Outcome>(this.#options.backends, async (backend, needed) => {
      const outcome = await this.#follow(backend, tenant, write, needed);
      return settle(objection && backend.descriptor.isEntrance ? { ...outcome, objection } : outcome);
    });
    return outcomesOf(outcomes);
  }

  /** @param needed the outcomes of the backends that this one needs. */
  async #follow(backend: Backend, tenant: Tenant, write: boolean, needed: readonly Outcome[]): Promise<Outcome> {
    const waitingFor = (other: Outcome) => ({ ...base(backend, tenant), waitsFor: other.backend.name });
    const obstacle = needed.find((other) => stops(other, backend));
    if (obstacle) return waitingFor(obstacle);
    const outcome = await this.#runOne(backend, tenant, write);
    // What it needs is only planned, or its creation was refused.
    const missing = write ? needed.find(({ error }) => error) : needed[0];
    return missing && outcome.error?.kind === 'NotFound' ? waitingFor(missing) : outcome;
  }

  async #runOne(backend: Backend, tenant: Tenant, write: boolean): Promise<Outcome> {
    const { name } = backend.descriptor;
    try {
      await this.#options.requirePlatform(name);
      const changes = backend.diff(tenant, await backend.observe(tenant));
      if (write && changes.length > 0) await backend.apply(tenant, changes);
      return { ...base(backend, tenant), changes, hash: hashOf(backend.wanted(tenant)) };
    } catch (cause) {
      const error = toBackendError(cause, name);
      if (error !== cause) this.#options.logger.error({ err: cause, backend: name }, 'unexpected error');
      return { ...base(backend, tenant), error };
    }
  }
}

/** Whether a backend can't be reconciled after this outcome of another one that it needs. */
function stops({ backend, error, waitsFor }: Outcome, { descriptor }: Backend): boolean {
  if (waitsFor) return true;
  const need = descriptor.needs.find(({ name }) => name === backend.name);
  return error !== undefined && !need?.despite.includes(error.kind);
}

function base(backend: Backend, tenant: Tenant): Outcome {
  return { backend: backend.descriptor, externalId: backend.externalId(tenant), changes: [] };
}

function hashOf(wanted: unknown): string {
  return createHash('sha256').update(JSON.stringify(wanted)).digest('hex').slice(0, 16);
}
