import { createHash } from 'node:crypto';
import type { Logger } from 'pino';
import { BACKEND_NAMES, type Backend, type BackendName, type Tenant } from '../backends/backend.ts';
import { allEnded, toBackendError } from '../backends/errors.ts';
import type { Outcome, Outcomes } from './outcome.ts';

export interface ProvisionOptions {
  readonly backends: Readonly<Record<BackendName, Backend>>;
  /** Throws a BackendError while an engine has not what all hospitals share. */
  readonly requirePlatform: (name: BackendName) => Promise<void>;
  readonly logger: Logger;
}

/** A backend's work needs what another one makes first: the gateway's credential is the realm's key. */
const NEEDS: Partial<Record<BackendName, BackendName>> = { gateway: 'identity' };

/** Looks at all backends of a hospital and puts right what differs: side by side where nothing orders them. */
export class Provisioner {
  readonly #options: ProvisionOptions;

  constructor(options: ProvisionOptions) {
    this.#options = options;
  }

  /**
   * @param write false only plans: nothing is written, and the changes are what would be done.
   * @param refused errors that are known before a backend is asked.
   * @param settle given each backend's outcome as it comes to its end. @returns it, with what is to be added to it.
   * @throws NotLeader
   */
  async run(
    tenant: Tenant,
    {
      write,
      refused,
      settle,
    }: {
      readonly write: boolean;
      readonly refused: Partial<Record<BackendName, Error>>;
      readonly settle: (outcome: Outcome) => Outcome;
    },
  ): Promise<Outcomes> {
    const running = new Map<BackendName, Promise<Outcome>>();
    for (const name of BACKEND_NAMES) {
      const needed = NEEDS[name] && running.get(NEEDS[name]);
      const outcome = (async () => {
        const before = await needed;
        const result =
          before && !refused[name] && cannotFollow(before, write)
            ? { ...this.#base(name, tenant), waitsFor: before.backend }
            : await this.#runOne(name, tenant, write && !refused[name], refused[name]);
        return settle(result);
      })();
      running.set(name, outcome);
    }
    const outcomes = await allEnded([...running.values()]);
    return Object.fromEntries(outcomes.map((outcome) => [outcome.backend, outcome]));
  }

  async #runOne(name: BackendName, tenant: Tenant, write: boolean, refused: Error | undefined): Promise<Outcome> {
    const backend = this.#options.backends[name];
    try {
      if (refused) throw refused;
      await this.#options.requirePlatform(name);
      const changes = backend.diff(tenant, await backend.observe(tenant));
      if (write && changes.length > 0) await backend.apply(tenant, changes);
      return { ...this.#base(name, tenant), changes, hash: hashOf(backend.wanted(tenant)) };
    } catch (error) {
      const known = toBackendError(error, name);
      if (known !== error) this.#options.logger.error({ err: error, backend: name }, 'unexpected error');
      return { ...this.#base(name, tenant), error: known };
    }
  }

  #base(name: BackendName, tenant: Tenant): Outcome {
    return { backend: name, externalId: this.#options.backends[name].externalId(tenant), changes: [] };
  }
}

/** What needs the other's part can't go on without it: after a failure, and in a plan in which it is still to be made. */
function cannotFollow({ error, changes }: Outcome, write: boolean): boolean {
  return error !== undefined || (!write && changes.some(({ action }) => action === 'create'));
}

function hashOf(wanted: unknown): string {
  return createHash('sha256').update(JSON.stringify(wanted)).digest('hex').slice(0, 16);
}
