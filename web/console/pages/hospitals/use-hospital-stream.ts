/** One hospital while one looks at it: its conditions and events as they come. */
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { followForEver } from '../../../kit/live/changes.ts';
import { clusterQuery, type HospitalEvent, hospitalQuery } from './hospitals.queries.ts';

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
    const path = `/api/console/hospitals/${encodeURIComponent(prefix)}/stream`;
    void followForEver(path, stop.signal, ({ event, data }) => take(event, JSON.parse(data)));
    return () => stop.abort();
  }, [queries, prefix]);
  return followed;
}

function withEvent(events: readonly HospitalEvent[], event: HospitalEvent): readonly HospitalEvent[] {
  const others = events.filter(({ id }) => id !== event.id);
  return [event, ...others].sort((one, other) => (other.at ?? '').localeCompare(one.at ?? ''));
}
