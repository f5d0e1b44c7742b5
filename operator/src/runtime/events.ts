import { createHash } from 'node:crypto';
import { type KubernetesClient, type KubernetesObject, PATCH } from '@hms/kubernetes';
import type { Logger } from 'pino';

export type EventType = 'Normal' | 'Warning';

export interface EventRecorderOptions {
  readonly client: KubernetesClient;
  readonly logger: Logger;
  /** Name of the controller, which is the event's source. */
  readonly component: string;
  /** Throws if this process may no longer write. */
  readonly fence: () => void;
  readonly now?: () => Date;
}

/**
 * Events of cluster-scoped objects live in this namespace, where `kubectl describe` looks for them. Others are in the
 * namespace of their object.
 */
const NAMESPACE = 'default';
/** Repetitions within this time increment the count of one event. The API server expires events after an hour. */
const WINDOW_MS = 3_600_000;

/**
 * Records events about objects, which `kubectl describe` shows at its end.
 * The same event about the same object is one object with a count, not one object each time.
 * An event never fails a reconcile: write errors are logged.
 */
export class EventRecorder {
  readonly #options: EventRecorderOptions;
  readonly #counts = new Map<string, { count: number; first: string; last: number }>();

  constructor(options: EventRecorderOptions) {
    this.#options = options;
  }

  async record(object: KubernetesObject, type: EventType, reason: string, message: string): Promise<void> {
    const { client, logger, component, fence } = this.#options;
    fence();
    const now = this.#options.now?.() ?? new Date();
    const { namespace } = object.metadata;
    const name = `${object.metadata.name}.${digest(object.metadata.uid, type, reason, message)}`;
    const occurrences = this.#count(name, now);
    logger.info({ [object.kind?.toLowerCase() ?? 'object']: object.metadata.name, event: reason, type }, message);
    try {
      await client.request('PATCH', `/api/v1/namespaces/${namespace ?? NAMESPACE}/events/${name}`, {
        query: { fieldManager: component, force: true },
        contentType: PATCH.apply,
        body: {
          apiVersion: 'v1',
          kind: 'Event',
          metadata: { name, namespace: namespace ?? NAMESPACE },
          involvedObject: {
            apiVersion: object.apiVersion,
            kind: object.kind,
            name: object.metadata.name,
            ...(namespace === undefined ? {} : { namespace }),
            uid: object.metadata.uid,
          },
          type,
          reason,
          message: message.slice(0, 1024),
          source: { component },
          count: occurrences.count,
          firstTimestamp: occurrences.first,
          lastTimestamp: now.toISOString().replace(/\.\d+Z$/, 'Z'),
        },
      });
    } catch (error) {
      logger.warn({ err: error, event: reason }, 'could not write an event');
    }
  }

  #count(name: string, now: Date): { count: number; first: string } {
    for (const [key, { last }] of this.#counts) if (now.getTime() - last > WINDOW_MS) this.#counts.delete(key);
    const before = this.#counts.get(name);
    const entry = {
      count: (before?.count ?? 0) + 1,
      first: before?.first ?? now.toISOString().replace(/\.\d+Z$/, 'Z'),
      last: now.getTime(),
    };
    this.#counts.set(name, entry);
    return entry;
  }
}

function digest(...parts: string[]): string {
  return createHash('sha256').update(parts.join('\0')).digest('hex').slice(0, 16);
}
