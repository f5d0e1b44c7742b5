/** Hospitals, and the state of the cluster that they are read from. */
import { queryOptions } from '@tanstack/react-query';
import { api, dataOf, type Schemas } from '../../../kit/api/api.ts';

export type ManagedHospital = Schemas['ManagedHospital'];
export type HospitalSummary = Schemas['HospitalSummary'];
export type HospitalEvent = Schemas['HospitalEvent'];

/** Key of the queries of lists. */
export const HOSPITALS = 'hospitals';

/** The page of a hospital. */
export function hospitalPath(prefix: string): string {
  return `/hospitals/${prefix}`;
}

export function hospitalQuery(hospital: string) {
  return queryOptions({
    queryKey: ['hospital', hospital],
    queryFn: ({ signal }) =>
      dataOf(api.GET('/api/console/hospitals/{hospital}', { params: { path: { hospital } }, signal })),
  });
}

export function logoQuery(hospital: string, key: string | null) {
  return queryOptions({
    queryKey: ['logo', hospital, key],
    queryFn: ({ signal }) =>
      dataOf(api.GET('/api/console/hospitals/{hospital}/logo', { params: { path: { hospital } }, signal })),
    enabled: key !== null,
    // Its address works for an hour.
    staleTime: 30 * 60_000,
  });
}

export const clusterQuery = queryOptions({
  queryKey: ['cluster'],
  queryFn: ({ signal }) => dataOf(api.GET('/api/console/cluster', { signal })),
  refetchInterval: 15_000,
});
