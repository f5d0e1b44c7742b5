/** One hospital while one looks at it: its conditions and events as they come. */
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { follow } from '../../../kit/api/api.ts';
import { clusterQuery, type HospitalEvent, hospitalQuery } from './hospitals.queries.ts';

const FIRST_RETRY = 1_000;
const LAST_RETRY = 30_000;

interface Followed {
  /** The latest first. */
  readonly events: readonly HospitalEvent[];
  /** The hospital was deleted. */
  readonly isGone: boolean;
}

/** Keeps the queries of the hospital and of the cluster as the stream says. */
export function useHospitalStream(prefix: string): Followed {
  const queries = useQueryClient();
  const [followed, setFollowed] = useState<Followed>({ events: [], isGone: false });
  useEffect(() => {
    const stop = new AbortController();
    setFollowed({ events: [], isGone: false });
    const take = (event: string | undefined, data: unknown) => {
      if (event === 'hospital') {
        queries.setQueryData(hospitalQuery(prefix).queryKey, data as never);
        setFollowed((before) => (before.isGone ? { ...before, isGone: false } : before));
      } else if (event === 'contact') queries.setQueryData(clusterQuery.queryKey, data as never);
      else if (event === 'removed') setFollowed((before) => ({ ...before, isGone: true }));
      else if (event === 'note')
        setFollowed((before) => ({ ...before, events: withEvent(before.events, data as HospitalEvent) }));
    };
    void readForEver(`/api/console/hospitals/${encodeURIComponent(prefix)}/stream`, take, stop.signal);
    return () => stop.abort();
  }, [queries, prefix]);
  return followed;
}

function withEvent(events: readonly HospitalEvent[], event: HospitalEvent): readonly HospitalEvent[] {
  const others = events.filter(({ id }) => id !== event.id);
  return [event, ...others].sort((one, other) => (other.at ?? '').localeCompare(one.at ?? ''));
}

async function readForEver(
  path: string,
  take: (event: string | undefined, data: unknown) => void,
  signal: AbortSignal,
): Promise<void> {
  let delay = FIRST_RETRY;
  while (!signal.aborted) {
    try {
      const { readEvents } = await import('../../../kit/live/event-stream.ts');
      await readEvents(
        (silent) => follow(path, silent),
        signal,
        ({ event, data }) => {
          delay = FIRST_RETRY;
          take(event, JSON.parse(data));
        },
      );
    } catch {
      // Opened again below.
    }
    await new Promise((resolve) => setTimeout(resolve, delay * (0.5 + Math.random() / 2)));
    delay = Math.min(delay * 2, LAST_RETRY);
  }
}
