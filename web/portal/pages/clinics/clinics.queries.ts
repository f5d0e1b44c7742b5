/** What other pages read of clinics. */
import { queryOptions, useQuery } from '@tanstack/react-query';
import { api, dataOf } from '../../../kit/api/api.ts';

/** For a choice. A hospital has some dozens of them. */
export function clinicsQuery() {
  return queryOptions({
    queryKey: ['clinics', 'choice'],
    queryFn: ({ signal }) => dataOf(api.GET('/api/hms/clinics', { params: { query: { limit: 100 } }, signal })),
  });
}

export const useClinics = () => useQuery(clinicsQuery()).data ?? [];
