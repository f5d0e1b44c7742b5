import { setTimeout } from 'node:timers/promises';

/** How many refusals by Keycloak are remembered. */
const REMEMBERED = 64;
/** A hanging Keycloak must not make local refusals hang. Milliseconds. */
const MOST_MS = 2_000;
/** A timer of Node fires about this much late. Milliseconds. */
const LATE_MS = 0.6;

/**
 * Delays a local refusal by the time of one of Keycloak's recent refusals, chosen at random, so that response times do
 * not reveal whether a hospital exists: both have the same distribution, not only the same average.
 */
export function createRefusalTime(random: () => number = Math.random) {
  /** Milliseconds. The first value is about the time of a refusal on an idle machine. */
  const recent = [60];
  let next = 0;
  return {
    /** Learns from a refusal by Keycloak. */
    took: (milliseconds: number): void => {
      recent[next] = Math.min(milliseconds, MOST_MS);
      next = (next + 1) % REMEMBERED;
    },
    /** How long to wait now, in milliseconds. */
    next: (): number => recent[Math.floor(random() * recent.length)] ?? 0,
    async wait(): Promise<void> {
      await setTimeout(Math.max(0, Math.round(this.next() - LATE_MS)));
    },
  };
}
