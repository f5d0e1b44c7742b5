import { setTimeout as sleep } from 'node:timers/promises';
import type { Tenant } from '../backends/backend.ts';

export interface ServedOptions {
  /** Asks the gateway. @returns what is not served yet. @throws BackendError when its proxy can't be reached. */
  readonly notServed: (tenant: Tenant) => Promise<string | undefined>;
  /** What all hospitals share in the gateway, and without which none is served. */
  readonly sharedGateway: {
    /** Has it looked at before its time. @param spacingMs least time since the last look. */
    readonly look: (spacingMs: number) => void;
    /** @returns what was wrong with it a moment ago. */
    readonly trouble: () => string | undefined;
  };
}

/** Least time between two looks at what hospitals share in the gateway, for all of them together. */
export const ROUTINE_LOOK_MS = 10_000;
/** The same while a hospital is not served. */
const URGENT_LOOK_MS = 1_000;
/** How long a reconcile waits for the gateway to serve what it was told; Kong takes up to five seconds. */
const SERVED_WITHIN_MS = 8_000;
/** A connection that was just being closed says nothing. */
const REACHED_WITHIN_MS = 2_000;
const POLL_MS = 100;

/**
 * Kong takes up a change some seconds after it accepted it.
 * @returns what is still missing in the end, and what of the platform's own was.
 * @throws BackendError when the proxy can't be reached.
 */
export async function untilServed(
  tenant: Tenant,
  { notServed, sharedGateway }: ServedOptions,
): Promise<string | undefined> {
  const start = Date.now();
  for (;;) {
    const missing = await notServed(tenant).catch((error: unknown) => {
      if (Date.now() - start > REACHED_WITHIN_MS) throw error;
      return String(error);
    });
    if (missing === undefined) return undefined;
    if (Date.now() - start > SERVED_WITHIN_MS) return [missing, sharedGateway.trouble()].filter(Boolean).join('; ');
    sharedGateway.look(URGENT_LOOK_MS);
    await sleep(POLL_MS);
  }
}
