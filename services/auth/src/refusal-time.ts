import { setTimeout } from 'node:timers/promises';

/**
 * Delays a local refusal to about the time of a refusal by Keycloak, so that the response time
 * does not reveal whether a hospital exists.
 */
export function createRefusalTime(random: () => number = Math.random) {
  /** Milliseconds. The initial value is about the time of a refusal on an idle machine. */
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
