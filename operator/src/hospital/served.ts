import { setTimeout as sleep } from 'node:timers/promises';
import type { Backend, Tenant } from '../backends/backend.ts';
import { toBackendError } from '../backends/errors.ts';
import type { Platform } from '../platform/platform.ts';
import { entranceOf, isApplied, type Outcome, type Outcomes } from './outcome.ts';
import type { Proof } from './proof.ts';
import type { Provisioned } from './status.ts';

export interface ServedOptions {
  readonly proof: Pick<Proof, 'prepare' | 'missing'>;
  readonly backends: readonly Backend[];
  /** The shared parts of the engines, without which no hospital is served. */
  readonly platform: Pick<Platform, 'hasten' | 'trouble'>;
}

/** Minimum time between two checks of an engine's shared parts, for all hospitals together. */
export const ROUTINE_CHECK_MS = 10_000;
/** The same for the entrance while a hospital is not served. */
const URGENT_CHECK_MS = 1_000;
/** How long a reconcile waits until the gateway applies its changes. Kong takes up to five seconds. */
const SERVED_WITHIN_MS = 8_000;
/** A connection that is being closed during a reload is not an outage. */
const REACHED_WITHIN_MS = 2_000;
/** Pauses between two requests. They grow while the hospital is not served, because requests are rate limited. */
const POLL_MS = { first: 100, growth: 1.5, last: 1_000 } as const;
/** Kong's workers apply a change one after the other. This many good responses in a row count as all of them. */
const ANSWERS_AFTER_CHANGE = 4;

/** The entrance may have accepted everything while its proxy is unavailable, which only the proof shows. */
export function isUnproved(outcome: Outcome): boolean {
  return outcome.backend.isEntrance === true && isApplied(outcome);
}

/**
 * Proves that the hospital is served, unless a backend that serves people has failed.
 * @param note called with the outcome of the entrance. @returns the completed outcome.
 */
export async function prove(
  tenant: Tenant,
  outcomes: Outcomes,
  options: ServedOptions,
  note: (outcome: Outcome) => Outcome,
): Promise<Pick<Provisioned, 'outcomes' | 'missing' | 'verified'>> {
  // What it refers to is a shared part that somebody has deleted.
  for (const { backend, error } of Object.values(outcomes))
    if (error?.kind === 'NotFound') options.platform.hasten(backend.name, URGENT_CHECK_MS);
  const entrance = entranceOf(outcomes);
  if (!entrance || !isUnproved(entrance)) return { outcomes, missing: undefined, verified: false };
  const { name } = entrance.backend;
  try {
    const canBe = Object.values(outcomes).every(({ backend, error }) => !error || !backend.servesPeople);
    if (canBe && !tenant.suspended) await options.proof.prepare(tenant);
    const missing = canBe ? await untilServed(tenant, entrance.changes.length > 0, options) : undefined;
    note(entrance);
    return { outcomes, missing, verified: canBe && !missing && !tenant.suspended };
  } catch (cause) {
    const failed = note({ ...entrance, error: toBackendError(cause, name) });
    return { outcomes: { ...outcomes, [name]: failed }, missing: undefined, verified: false };
  }
}

/**
 * Waits until the hospital is served: Kong applies a change some seconds after it accepted it.
 * @param changed whether the gateway was just changed.
 * @returns what is missing in the end, with recent problems of the platform's shared parts.
 * @throws BackendError if the proxy can't be reached.
 */
async function untilServed(tenant: Tenant, changed: boolean, options: ServedOptions): Promise<string | undefined> {
  const start = Date.now();
  const required = changed ? ANSWERS_AFTER_CHANGE : 1;
  let inARow = 0;
  let pause: number = POLL_MS.first;
  for (;;) {
    const missing = await options.proof.missing(tenant).catch((error: unknown) => {
      if (Date.now() - start > REACHED_WITHIN_MS) throw error;
      return String(error);
    });
    inARow = missing === undefined ? inARow + 1 : 0;
    if (inARow === required) return undefined;
    if (missing !== undefined) {
      if (Date.now() - start > SERVED_WITHIN_MS) return [missing, troubleOf(options)].filter(Boolean).join('; ');
      checkSoon(options, URGENT_CHECK_MS);
    }
    await sleep(pause);
    pause = missing === undefined ? POLL_MS.first : Math.min(pause * POLL_MS.growth, POLL_MS.last);
  }
}

/**
 * Checks the shared parts of the entrance before their resync is due, and the others at most every ROUTINE_CHECK_MS.
 * @param spacingMs minimum time since the last check of the entrance.
 */
export function checkSoon({ backends, platform }: ServedOptions, spacingMs: number): void {
  for (const { descriptor } of backends)
    platform.hasten(descriptor.name, descriptor.isEntrance ? spacingMs : ROUTINE_CHECK_MS);
}

/** The recent problem of the entrance's shared parts, if any. */
function troubleOf({ backends, platform }: ServedOptions): string | undefined {
  const entrance = backends.find(({ descriptor }) => descriptor.isEntrance);
  return entrance && platform.trouble(entrance.descriptor.name);
}
