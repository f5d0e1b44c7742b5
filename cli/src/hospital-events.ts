/** Events about hospitals, which the API server keeps for an hour. */

import type { HospitalObject } from '@hms/hospitals';
import type { Cluster } from './cluster.ts';

export interface HospitalEvent {
  readonly metadata: { readonly name: string; readonly uid: string; readonly resourceVersion: string };
  readonly type?: string;
  readonly reason?: string;
  readonly message?: string;
  readonly count?: number;
  readonly firstTimestamp?: string;
  readonly lastTimestamp?: string;
  readonly involvedObject: { readonly kind: string; readonly name: string; readonly uid?: string };
}

export interface EventFilter {
  /** Prefix of the hospital. Events of earlier hospitals of the same name are included. */
  readonly hospital?: string;
  /** Such as `Warning`. */
  readonly types?: readonly string[];
}

/** Objects without a namespace have their events there. */
const PATH = '/api/v1/namespaces/default/events';

/** @returns them in the order of their last occurrence, and the version from which a watch continues. */
export async function listEvents(
  cluster: Cluster,
  filter: EventFilter = {},
): Promise<{ events: HospitalEvent[]; resourceVersion: string }> {
  const { items, metadata } = await cluster.ask((client) =>
    client.request<{ items: HospitalEvent[]; metadata: { resourceVersion: string } }>('GET', PATH, {
      query: { fieldSelector: selector(filter) },
    }),
  );
  const events = items.filter((event) => matches(event, filter)).sort((a, b) => timeOf(a).localeCompare(timeOf(b)));
  return { events, resourceVersion: metadata.resourceVersion };
}

/** The events about this object, and not about an earlier one of the same name. */
export async function eventsOf(cluster: Cluster, { metadata }: HospitalObject): Promise<HospitalEvent[]> {
  const { events } = await listEvents(cluster, { hospital: metadata.name });
  return events.filter(({ involvedObject }) => involvedObject.uid === undefined || involvedObject.uid === metadata.uid);
}

/** Yields events from a version on, until hmsctl ends. @throws Exit if the API server can't be reached. */
export async function* watchEvents(
  cluster: Cluster,
  filter: EventFilter,
  from: string,
): AsyncGenerator<HospitalEvent, never, undefined> {
  let resourceVersion = from;
  for (;;) {
    // The server ends a watch from time to time.
    for await (const change of changes(cluster, filter, resourceVersion)) {
      const { type, object } = change;
      if (type === 'ERROR') {
        // The version is too old: what happened meanwhile is in the list.
        const latest = await listEvents(cluster, filter);
        for (const event of latest.events)
          if (Number(event.metadata.resourceVersion) > Number(resourceVersion)) yield event;
        resourceVersion = latest.resourceVersion;
        break;
      }
      resourceVersion = object.metadata.resourceVersion;
      if (type !== 'DELETED' && matches(object, filter)) yield object;
    }
  }
}

interface Change {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED' | 'ERROR';
  readonly object: HospitalEvent;
}

async function* changes(cluster: Cluster, filter: EventFilter, resourceVersion: string): AsyncGenerator<Change> {
  const lines = await cluster.ask(async (client) => {
    const watch = client.watch(PATH, {
      query: { fieldSelector: selector(filter), resourceVersion, timeoutSeconds: 300 },
    });
    return watch as AsyncGenerator<Change>;
  });
  for (;;) {
    const next = await cluster.ask(() => lines.next());
    if (next.done) return;
    yield next.value;
  }
}

function selector({ hospital }: EventFilter): string {
  return `involvedObject.kind=Hospital${hospital === undefined ? '' : `,involvedObject.name=${hospital}`}`;
}

function matches(event: HospitalEvent, { types }: EventFilter): boolean {
  return types === undefined || types.some((type) => type.toLowerCase() === event.type?.toLowerCase());
}

/** ISO time of the last occurrence. */
export function timeOf({ lastTimestamp, firstTimestamp }: HospitalEvent): string {
  return lastTimestamp ?? firstTimestamp ?? '';
}
