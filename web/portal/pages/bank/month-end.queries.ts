/** What is left to settle in a month. */
import { queryOptions } from '@tanstack/react-query';
import { api, dataOf, envelopeOf } from '../../../kit/api/api.ts';

export type Todo = 'shiftsOpen' | 'shiftsClosed' | 'shiftsDisputed' | 'refunds' | 'drafts' | 'parts' | 'rules';

/** @param from, to when records were created. */
export function monthEndQuery(from: string, to: string) {
  return queryOptions({
    queryKey: ['bank', 'month-end', from, to],
    queryFn: async ({ signal }) => {
      const within = { from, to, limit: 1 } as const;
      const shifts = (status: 'open' | 'closed' | 'disputed') =>
        envelopeOf(api.GET('/api/payment/reconciliation', { params: { query: { ...within, status } }, signal }));
      const [open, closed, disputed, refunds, drafts, parts, rules] = await Promise.all([
        ...([shifts('open'), shifts('closed'), shifts('disputed')] as const),
        envelopeOf(api.GET('/api/payment/refunds', { params: { query: { ...within, open: 'true' } }, signal })),
        envelopeOf(api.GET('/api/payment/invoices', { params: { query: { ...within, status: 'draft' } }, signal })),
        envelopeOf(api.GET('/api/payment/bank-parts', { params: { query: { ...within, status: 'open' } }, signal })),
        dataOf(api.GET('/api/payment/reconciliation/invariants', { signal })),
      ]);
      const broken = rules.filter((rule) => rule.broken.length > 0);
      const many = (list: { readonly meta?: { readonly total?: number } } | undefined) => list?.meta?.total ?? 0;
      const counts: Readonly<Record<Todo, number>> = {
        ...{ shiftsOpen: many(open), shiftsClosed: many(closed), shiftsDisputed: many(disputed) },
        ...{ refunds: many(refunds), drafts: many(drafts), parts: many(parts), rules: broken.length },
      };
      return { counts, broken };
    },
  });
}
