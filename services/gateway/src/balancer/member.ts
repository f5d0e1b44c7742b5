import type { Health } from './health.ts';
import type { Latency } from './latency.ts';

/** One address of a target. */
export interface Member {
  /** As the target is written: `host:port`. */
  readonly target: string;
  readonly host: string;
  /** An IP address, or the host itself while it is not known what it stands for. */
  readonly ip: string;
  readonly port: number;
  readonly health: Health;
  readonly latency: Latency;
  readonly stop: AbortController;
  weight: number;
  /** Smooth weighted round robin: the highest is next. */
  turn: number;
  /** Requests under way. */
  connections: number;
}

export function isAvailable({ weight, health }: Member): boolean {
  return weight > 0 && health.healthy;
}
