import { setTimeout } from 'node:timers/promises';

/**
 * Makes a refusal that asked nobody take about as long as one that asked Keycloak, so that the time of an answer
 * does not tell whether a hospital exists.
 */
export function createRefusalTime(random: () => number = Math.random) {
  /** Milliseconds; the first value is about what a refusal takes on a machine at rest. */
  let usual = 60;
  return {
    /** Learns from a refusal by Keycloak. */
    took: (milliseconds: number): void => {
      usual += (Math.min(milliseconds, 2_000) - usual) / 8;
    },
    /** How long to wait now, in milliseconds. */
    next: (): number => usual * (0.75 + random() / 2),
    async wait(): Promise<void> {
      await setTimeout(this.next());
    },
  };
}
