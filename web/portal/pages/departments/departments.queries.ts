/** What other pages read of departments. */
import { queryOptions, useQuery } from '@tanstack/react-query';
import { api, dataOf } from '../../../kit/api/api.ts';

/** For a choice. A hospital has some dozens of them. */
export function departmentsQuery() {
  return queryOptions({
    queryKey: ['departments', 'choice'],
    queryFn: ({ signal }) => dataOf(api.GET('/api/hms/departments', { params: { query: { limit: 100 } }, signal })),
  });
}

export const useDepartments = () => useQuery(departmentsQuery()).data ?? [];
