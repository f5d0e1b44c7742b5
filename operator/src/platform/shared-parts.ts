import { CONSOLE_REALM } from '@hms/tenancy';
import type { ConnectedBackend } from '../backends/all.ts';
import { TUNED, tuningSentence } from '../backends/backend.ts';
import type { Context } from '../context.ts';
import type { EventType } from '../runtime/events.ts';
import { ForeignReport } from './foreign-report.ts';
import { type Ensure, Platform, type PlatformOptions, platformNews } from './platform.ts';

/** What it asks and tells the rest of the operator. */
interface Listener extends Pick<PlatformOptions, 'onReady'> {
  /** Whether the operator may change this hospital's entities. */
  readonly mayChange: (prefix: string) => boolean;
  /** Whether there is a hospital of that prefix, or what is left of one. */
  readonly isHospital: (prefix: string) => boolean;
  /** Origins whose pages use files of the bucket, or undefined while the hospitals are not known yet. */
  readonly fileOrigins: () => readonly string[] | undefined;
  /** The request for a new signing key of the realm `console`. */
  readonly keyRequest: () => string | undefined;
  /** Called for each corrected difference. */
  readonly onDrift: (name: string) => void;
  /** Called after each check with the foreign parts and refused settings of the engine, one sentence each. */
  readonly onFindings: (name: string, findings: readonly string[]) => void;
}

/** The shared parts of all engines, with their metrics and events. */
export function sharedParts(context: Context, connected: readonly ConnectedBackend[], listener: Listener): Platform {
  const { config, engines, metrics, leader, events, logger } = context;
  const { onReady, onDrift, onFindings, ...asked } = listener;
  const record = (type: EventType, reason: string, message: string) => {
    if (!leader.lease) return;
    const recorded = events.record(leader.lease, type, reason, message);
    recorded.catch((error: unknown) => logger.warn({ err: error }, 'could not write an event about the platform'));
  };
  const report = new ForeignReport({ registry: metrics.registry, logger, record: record.bind(undefined, 'Warning') });
  const refused = new Set<string>();
  const onRefused = (sentence: string) => {
    if (refused.has(sentence)) return;
    refused.add(sentence);
    logger.warn(sentence);
    record('Warning', 'SettingRefused', sentence);
  };
  let lastTuning = '';
  const onTuned = (tuning: readonly string[]) => {
    const sentence = tuningSentence(tuning);
    if (tuning.length > 0 && sentence !== lastTuning) record('Normal', TUNED, sentence);
    lastTuning = sentence;
  };
  const checks = new Map<string, Promise<unknown>>();
  const pieces = connected.flatMap(({ backend: { descriptor }, piece }): [string, Ensure][] => {
    if (!piece) return [];
    const needed = () => Promise.all(descriptor.needs.map(({ name }) => checks.get(name)));
    let found: string[] = [];
    const ensure = piece(config, engines, {
      ...asked,
      needed,
      onForeign: (foreign) => {
        found.push(...foreign.map(({ message }) => message));
        report.update(descriptor.name, foreign);
      },
      onTuned,
      onRefused: (sentence) => {
        found.push(sentence);
        onRefused(sentence);
      },
    });
    const noted: Ensure = (again) => {
      found = [];
      const check = ensure(again).then((changes) => {
        onFindings(descriptor.name, found);
        return changes;
      });
      checks.set(
        descriptor.name,
        check.catch(() => undefined),
      );
      return check;
    };
    return [[descriptor.name, noted]];
  });
  return new Platform({
    pieces: new Map(pieces),
    resyncMs: config.RESYNC_INTERVAL * 1000,
    logger,
    onReady,
    onChanged: (name, changes, drift) => {
      const corrected = drift ? changes.filter(({ isNews }) => !isNews) : [];
      const updated = changes.filter((change) => !change.event && !corrected.includes(change));
      for (const _ of corrected) onDrift(name);
      for (const { event } of changes)
        if (event) record('Normal', event.reason, `realm ${CONSOLE_REALM}: ${event.message}`);
      if (corrected.length > 0) record('Normal', ...platformNews(name, corrected, true));
      if (updated.length > 0) record('Normal', ...platformNews(name, updated, false));
    },
  });
}
