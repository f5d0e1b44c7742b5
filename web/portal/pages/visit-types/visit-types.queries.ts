/** What other pages read of types of visits. */
import { queryOptions, useQuery } from '@tanstack/react-query';
import { api, dataOf } from '../../../kit/api/api.ts';

/** Those in use, for a choice. A hospital has some dozens of them. */
export function visitTypesQuery() {
  const query = { status: 'active', limit: 100 } as const;
  return queryOptions({
    queryKey: ['visit-types', 'choice'],
    queryFn: ({ signal }) => dataOf(api.GET('/api/queue/visit-types', { params: { query }, signal })),
  });
}

export const useVisitTypes = () => useQuery(visitTypesQuery()).data ?? [];
