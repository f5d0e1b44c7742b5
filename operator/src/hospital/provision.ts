import { createHash } from 'node:crypto';
import type { Logger } from 'pino';
import type { Backend, Tenant } from '../backends/backend.ts';
import { type BackendError, toBackendError } from '../backends/errors.ts';
import { inOrder, needs } from '../backends/order.ts';
import type { Platform } from '../platform/platform.ts';
import { type Outcome, type Outcomes, outcomeOf, outcomesOf } from './outcome.ts';

export interface ProvisionOptions {
  readonly backends: readonly Backend[];
  /** The shared parts that an engine must have. */
  readonly platform: Pick<Platform, 'require'>;
  readonly logger: Logger;
  /** False only plans: nothing is written, and the changes are those that would be made. */
  readonly write: boolean;
  /** Why some hosts are not routed to the hospital. Everything else is applied. */
  readonly objection: BackendError | undefined;
  /** Called with each backend's outcome when it finishes. @returns the completed outcome. */
  readonly settle: (outcome: Outcome) => Outcome;
}

/** Reconciles all backends of a hospital, in parallel unless one needs another. @throws NotLeader */
export async function provision(tenant: Tenant, options: ProvisionOptions): Promise<Outcomes> {
  const { backends, objection, settle } = options;
  const outcomes = await inOrder<Outcome>(backends, needs, async (backend, needed) => {
    const outcome = await follow(backend, tenant, needed, options);
    return settle(objection && backend.descriptor.isEntrance ? { ...outcome, objection } : outcome);
  });
  return outcomesOf(outcomes);
}

/** @param needed the outcomes of the backends that this one needs. */
async function follow(
  backend: Backend,
  tenant: Tenant,
  needed: readonly Outcome[],
  options: ProvisionOptions,
): Promise<Outcome> {
  const waitingFor = (other: Outcome) => ({ ...outcomeOf(backend, tenant), waitsFor: other.backend.name });
  const obstacle = needed.find((other) => stops(other, backend));
  if (obstacle) return waitingFor(obstacle);
  const outcome = await reconcile(backend, tenant, options);
  // What it needs is only planned, or its creation was refused.
  const missing = options.write ? needed.find(({ error }) => error) : needed[0];
  return missing && outcome.error?.kind === 'NotFound' ? waitingFor(missing) : outcome;
}

async function reconcile(
  backend: Backend,
  tenant: Tenant,
  { platform, write, logger }: ProvisionOptions,
): Promise<Outcome> {
  const { name } = backend.descriptor;
  try {
    await platform.require(name);
    const observed = await backend.observe(tenant);
    const changes = backend.diff(tenant, observed);
    const report = backend.report?.(tenant, observed);
    if (write && changes.length > 0) await backend.apply(tenant, changes);
    const hash = hashOf(backend.wanted(tenant));
    return { ...outcomeOf(backend, tenant), changes, hash, ...(report ? { report } : {}) };
  } catch (cause) {
    const error = toBackendError(cause, name);
    if (error !== cause) logger.error({ err: cause, backend: name }, 'unexpected error');
    return { ...outcomeOf(backend, tenant), error };
  }
}

/** Whether a backend can't be reconciled after this outcome of another one that it needs. */
function stops({ backend, error, waitsFor }: Outcome, { descriptor }: Backend): boolean {
  if (waitsFor) return true;
  const need = descriptor.needs.find(({ name }) => name === backend.name);
  return error !== undefined && !need?.despite.includes(error.kind);
}

function hashOf(wanted: unknown): string {
  return createHash('sha256').update(JSON.stringify(wanted)).digest('hex').slice(0, 16);
}
