import type { Health } from './health.ts';
import type { Latency } from './latency.ts';

/** One address of a target. */
export interface Member {
  /** The target as configured: `host:port`. */
  readonly target: string;
  readonly host: string;
  /** An IP address, or the host itself while its addresses are unknown. */
  readonly ip: string;
  readonly port: number;
  readonly health: Health;
  readonly latency: Latency;
  readonly stop: AbortController;
  weight: number;
  /** Smooth weighted round robin: the highest is next. */
  turn: number;
  /** Requests in progress. */
  connections: number;
}

export function isAvailable({ weight, health }: Member): boolean {
  return weight > 0 && health.healthy;
}
