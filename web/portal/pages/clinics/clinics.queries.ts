/** What the pages of clinics read. */
import { queryOptions } from '@tanstack/react-query';
import { api, dataOf, envelopeOf, type Schemas } from '../../../kit/api/api.ts';
import { type ListSearch, listQuery } from '../../../kit/lists/list-search.ts';

export type Clinic = Schemas['Clinic'];

export const clinicKeys = {
  all: 'clinics',
  list: (search: ListSearch) => ['clinics', 'list', search] as const,
  one: (id: string) => ['clinics', id] as const,
};

export function readClinics(search: ListSearch, signal: AbortSignal) {
  return envelopeOf(api.GET('/api/hms/clinics', { params: { query: listQuery(search) }, signal }));
}

export function clinicQuery(id: string) {
  return queryOptions({
    queryKey: clinicKeys.one(id),
    queryFn: ({ signal }) => dataOf(api.GET('/api/hms/clinics/{id}', { params: { path: { id } }, signal })),
  });
}

/** For a choice. A hospital has some dozens of them. */
export function clinicsQuery() {
  return queryOptions({
    queryKey: [clinicKeys.all, 'choice'],
    queryFn: ({ signal }) => dataOf(api.GET('/api/hms/clinics', { params: { query: { limit: 100 } }, signal })),
  });
}
