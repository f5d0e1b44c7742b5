import { setTimeout as sleep } from 'node:timers/promises';
import type { Tenant } from '../backends/backend.ts';

export interface ServedOptions {
  /**
   * Acts as a person of the hospital.
   * @returns what does not work, or is still open while the hospital is suspended. @throws BackendError if the
   * gateway's proxy can't be reached.
   */
  readonly notServed: (tenant: Tenant) => Promise<string | undefined>;
  /** The shared parts of the gateway, without which no hospital is served. */
  readonly sharedGateway: {
    /**
     * Checks it before its resync is due, and the shared parts of the other engines at most every ROUTINE_CHECK_MS.
     * @param spacingMs minimum time since the last check of the gateway.
     */
    readonly checkSoon: (spacingMs: number) => void;
    /** @returns the recent problem, if any. */
    readonly trouble: () => string | undefined;
  };
}

/** Minimum time between two checks of an engine's shared parts, for all hospitals together. */
export const ROUTINE_CHECK_MS = 10_000;
/** The same for the gateway while a hospital is not served. */
const URGENT_CHECK_MS = 1_000;
/** How long a reconcile waits until the gateway applies its changes. Kong takes up to five seconds. */
const SERVED_WITHIN_MS = 8_000;
/** A connection that is being closed during a reload is not an outage. */
const REACHED_WITHIN_MS = 2_000;
/** Pauses between two requests. They grow while the hospital is not served, because requests are rate limited. */
const POLL_MS = { first: 100, growth: 1.5, last: 1_000 } as const;
/** Kong's workers apply a change one after the other. This many good responses in a row count as all of them. */
const ANSWERS_AFTER_CHANGE = 4;

/**
 * Waits until the hospital is served: Kong applies a change some seconds after it accepted it.
 * @param changed whether the gateway was just changed.
 * @returns what is missing in the end, with recent problems of the platform's shared parts.
 * @throws BackendError if the proxy can't be reached.
 */
export async function untilServed(
  tenant: Tenant,
  changed: boolean,
  { notServed, sharedGateway }: ServedOptions,
): Promise<string | undefined> {
  const start = Date.now();
  const required = changed ? ANSWERS_AFTER_CHANGE : 1;
  let inARow = 0;
  let pause: number = POLL_MS.first;
  for (;;) {
    const missing = await notServed(tenant).catch((error: unknown) => {
      if (Date.now() - start > REACHED_WITHIN_MS) throw error;
      return String(error);
    });
    inARow = missing === undefined ? inARow + 1 : 0;
    if (inARow === required) return undefined;
    if (missing !== undefined) {
      if (Date.now() - start > SERVED_WITHIN_MS) return [missing, sharedGateway.trouble()].filter(Boolean).join('; ');
      sharedGateway.checkSoon(URGENT_CHECK_MS);
    }
    await sleep(pause);
    pause = missing === undefined ? POLL_MS.first : Math.min(pause * POLL_MS.growth, POLL_MS.last);
  }
}
