/** What other pages read of the price list. */
import { queryOptions, useQuery } from '@tanstack/react-query';
import { api, dataOf } from '../../../kit/api/api.ts';

function priceItemsQuery() {
  return queryOptions({
    queryKey: ['price-items', 'choice'],
    queryFn: ({ signal }) => dataOf(api.GET('/api/payment/price-items', { params: { query: { limit: 100 } }, signal })),
  });
}

/** For a choice. */
export const usePriceItems = () => useQuery(priceItemsQuery()).data ?? [];
