import type { Logger } from 'pino';
import type { Registry } from 'prom-client';
import type { ConnectedBackend } from '../backends/all.ts';
import type { Config } from '../config.ts';
import type { Engines } from '../engines.ts';
import type { EventRecorder, EventType } from '../runtime/events.ts';
import type { LeaderElection } from '../runtime/leader.ts';
import { ForeignReport } from './foreign-report.ts';
import { type Ensure, Platform, platformNews } from './platform.ts';

export interface SharedPartsOptions {
  readonly config: Config;
  readonly engines: Engines;
  readonly connected: readonly ConnectedBackend[];
  readonly registry: Registry;
  readonly logger: Logger;
  /** Whether the operator may change this hospital's entities. */
  readonly mayChange: (prefix: string) => boolean;
  /** Called when an engine is ready after hospitals may have failed because of it. */
  readonly onReady: () => void;
  /** Called for each corrected difference. */
  readonly onDrift: (backend: string) => void;
  readonly events: EventRecorder;
  readonly leader: LeaderElection;
}

/** The shared parts of all engines, with their metrics and events. */
export function sharedParts(options: SharedPartsOptions): Platform {
  const { config, engines, connected, registry, logger, mayChange, onReady, onDrift, events, leader } = options;
  const record = (type: EventType, reason: string, message: string) => {
    if (!leader.lease) return;
    const recorded = events.record(leader.lease, type, reason, message);
    recorded.catch((error: unknown) => logger.warn({ err: error }, 'could not write an event about the platform'));
  };
  const report = new ForeignReport({
    registry,
    logger,
    record: (reason, message) => record('Warning', reason, message),
  });
  const pieces = connected.flatMap(({ backend, piece }): [string, Ensure][] => {
    const { name } = backend.descriptor;
    const onForeign = report.update.bind(report, name);
    return piece ? [[name, piece(config, engines, { mayChange, onForeign })]] : [];
  });
  return new Platform({
    pieces: new Map(pieces),
    resyncMs: config.RESYNC_INTERVAL * 1000,
    logger,
    onReady,
    onChanged: (name, changes, drift) => {
      if (drift) for (const _ of changes) onDrift(name);
      record('Normal', ...platformNews(name, changes, drift));
    },
  });
}
