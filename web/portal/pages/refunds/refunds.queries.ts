/** What the page of refunds reads. */
import { api, envelopeOf, type Schemas } from '../../../kit/api/api.ts';
import { type ListSearch, listQuery } from '../../../kit/lists/list-search.ts';

export type Refund = Schemas['ShownRefund'];

export type RefundSearch = Partial<ListSearch> & { readonly all?: true | undefined };

export const refundKeys = {
  all: 'refunds',
  list: (search: RefundSearch) => ['refunds', 'list', search] as const,
};

/** Those that wait for somebody, unless all are asked for. */
export function readRefunds({ all, ...search }: RefundSearch, signal: AbortSignal) {
  const query = { ...listQuery(search), ...(all ? {} : { open: 'true' as const }) };
  return envelopeOf(api.GET('/api/payment/refunds', { params: { query }, signal }));
}
