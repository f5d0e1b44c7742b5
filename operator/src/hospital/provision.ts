import { createHash } from 'node:crypto';
import type { Logger } from 'pino';
import { BACKEND_NAMES, type Backend, type BackendName, type Tenant } from '../backends/backend.ts';
import { allEnded, type BackendError, type ErrorKind, toBackendError } from '../backends/errors.ts';
import type { Outcome, Outcomes } from './outcome.ts';

export interface ProvisionOptions {
  readonly backends: Readonly<Record<BackendName, Backend>>;
  /** Throws a BackendError while an engine lacks the shared parts of the platform. */
  readonly requirePlatform: (name: BackendName) => Promise<void>;
  readonly logger: Logger;
}

/** A backend may depend on another one: the gateway's credential is the realm's key. */
const NEEDS: Partial<Record<BackendName, BackendName>> = { gateway: 'identity' };
/** Errors of the dependency that do not stop the dependent: they do not mean that the realm has no key. */
const GOES_ON_AFTER: readonly ErrorKind[] = ['Invalid', 'NotFound', 'RealmDamaged'];

/** Reconciles all backends of a hospital, in parallel unless one depends on another. */
export class Provisioner {
  readonly #options: ProvisionOptions;

  constructor(options: ProvisionOptions) {
    this.#options = options;
  }

  /**
   * @param write false only plans: nothing is written, and the changes are those that would be made.
   * @param objections what must not be applied, known in advance. The rest of the part is applied.
   * @param settle called with each backend's outcome when it finishes. @returns the completed outcome.
   * @throws NotLeader
   */
  async run(
    tenant: Tenant,
    {
      write,
      objections,
      settle,
    }: {
      readonly write: boolean;
      readonly objections: Partial<Record<BackendName, BackendError>>;
      readonly settle: (outcome: Outcome) => Outcome;
    },
  ): Promise<Outcomes> {
    const running = new Map<BackendName, Promise<Outcome>>();
    for (const name of BACKEND_NAMES) {
      const needed = NEEDS[name] && running.get(NEEDS[name]);
      const outcome = (async () => {
        const outcome = await this.#follow(name, tenant, write, await needed);
        const objection = objections[name];
        return settle(objection ? { ...outcome, objection } : outcome);
      })();
      running.set(name, outcome);
    }
    const outcomes = await allEnded([...running.values()]);
    return Object.fromEntries(outcomes.map((outcome) => [outcome.backend, outcome]));
  }

  /** @param before the outcome of the backend that this one depends on. */
  async #follow(name: BackendName, tenant: Tenant, write: boolean, before: Outcome | undefined): Promise<Outcome> {
    if (!before) return this.#runOne(name, tenant, write);
    const waiting = { ...this.#base(name, tenant), waitsFor: before.backend };
    if (before.error && !GOES_ON_AFTER.includes(before.error.kind)) return waiting;
    const outcome = await this.#runOne(name, tenant, write);
    // It is only planned, or its creation was refused.
    return (before.error || !write) && outcome.error?.kind === 'NotFound' ? waiting : outcome;
  }

  async #runOne(name: BackendName, tenant: Tenant, write: boolean): Promise<Outcome> {
    const backend = this.#options.backends[name];
    try {
      await this.#options.requirePlatform(name);
      const changes = backend.diff(tenant, await backend.observe(tenant));
      if (write && changes.length > 0) await backend.apply(tenant, changes);
      return { ...this.#base(name, tenant), changes, hash: hashOf(backend.wanted(tenant)) };
    } catch (error) {
      const backendError = toBackendError(error, name);
      if (backendError !== error) this.#options.logger.error({ err: error, backend: name }, 'unexpected error');
      return { ...this.#base(name, tenant), error: backendError };
    }
  }

  #base(name: BackendName, tenant: Tenant): Outcome {
    return { backend: name, externalId: this.#options.backends[name].externalId(tenant), changes: [] };
  }
}

function hashOf(wanted: unknown): string {
  return createHash('sha256').update(JSON.stringify(wanted)).digest('hex').slice(0, 16);
}
