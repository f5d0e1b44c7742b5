import { setTimeout as sleep } from 'node:timers/promises';
import type { Tenant } from '../backends/backend.ts';

export interface ServedOptions {
  /**
   * Does what a person of the hospital does.
   * @returns what does not work, or is still open while the hospital is suspended. @throws BackendError when the
   * gateway's proxy can't be reached.
   */
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
/** Pauses between two requests. They grow while the hospital is not served, as each request counts against a limit. */
const POLL_MS = { first: 100, growth: 1.5, last: 1_000 } as const;
/** Kong's processes take up a change one after the other. So many answers in a row are taken for all of them. */
const ANSWERS_AFTER_CHANGE = 4;

/**
 * Kong takes up a change some seconds after it accepted it.
 * @param changed whether the gateway was changed a moment ago.
 * @returns what is still missing in the end, and what of the platform's own was.
 * @throws BackendError when the proxy can't be reached.
 */
export async function untilServed(
  tenant: Tenant,
  changed: boolean,
  { notServed, sharedGateway }: ServedOptions,
): Promise<string | undefined> {
  const start = Date.now();
  const demanded = changed ? ANSWERS_AFTER_CHANGE : 1;
  let inARow = 0;
  let pause: number = POLL_MS.first;
  for (;;) {
    const missing = await notServed(tenant).catch((error: unknown) => {
      if (Date.now() - start > REACHED_WITHIN_MS) throw error;
      return String(error);
    });
    inARow = missing === undefined ? inARow + 1 : 0;
    if (inARow === demanded) return undefined;
    if (missing !== undefined) {
      if (Date.now() - start > SERVED_WITHIN_MS) return [missing, sharedGateway.trouble()].filter(Boolean).join('; ');
      sharedGateway.look(URGENT_LOOK_MS);
    }
    await sleep(pause);
    pause = missing === undefined ? POLL_MS.first : Math.min(pause * POLL_MS.growth, POLL_MS.last);
  }
}
