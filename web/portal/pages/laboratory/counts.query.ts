/** How much waits in the laboratory. In a file of its own, because each page shows critical results. */
import { queryOptions } from '@tanstack/react-query';
import { api, dataOf } from '../../../kit/api/api.ts';

export function countsQuery() {
  return queryOptions({
    // Beside the lists of orders, which change with it.
    queryKey: ['lab-orders', 'counts'],
    queryFn: ({ signal }) => dataOf(api.GET('/api/hms/lab-orders/counts', { signal })),
  });
}
