import type { KubernetesClient } from '@hms/kubernetes';
import type { Logger } from 'pino';
import type { Config } from './config.ts';
import type { Engines } from './engines.ts';
import type { EventRecorder } from './runtime/events.ts';
import type { LeaderElection } from './runtime/leader.ts';
import type { Metrics } from './runtime/metrics.ts';
import type { Tracing } from './runtime/tracing.ts';
import type { Workqueue } from './runtime/workqueue.ts';

/** What all parts of the operator share. */
export interface Context {
  readonly config: Config;
  readonly client: KubernetesClient;
  readonly engines: Engines;
  /** Names of hospitals. */
  readonly queue: Workqueue;
  readonly leader: LeaderElection;
  readonly events: EventRecorder;
  readonly metrics: Metrics;
  readonly tracing: Tracing;
  readonly logger: Logger;
}
