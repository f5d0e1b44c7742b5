/** What the pages of shifts read. */
import { queryOptions } from '@tanstack/react-query';
import { api, dataOf, envelopeOf, type Schemas } from '../../../kit/api/api.ts';
import { type ListSearch, listQuery } from '../../../kit/lists/list-search.ts';

export type Shift = Schemas['ShownShift'];
export type Count = Shift['counts'][number];
export type Transfer = Shift['transfers'][number];

export const shiftKeys = {
  all: 'shifts',
  current: ['shifts', 'current'] as const,
  one: (id: string) => ['shifts', id] as const,
  entries: (id: string) => ['shifts', id, 'entries'] as const,
  list: (search: ShiftSearch) => ['shifts', 'list', search] as const,
  others: ['shifts', 'open'] as const,
};

export type ShiftSearch = Partial<ListSearch> & { readonly closed?: true | undefined };

export function readShifts({ closed, ...search }: ShiftSearch, signal: AbortSignal) {
  const query = { ...listQuery(search), ...(closed ? { status: 'closed' as const } : {}) };
  return envelopeOf(api.GET('/api/payment/reconciliation', { params: { query }, signal }));
}

/** The open shift of this person, or null. */
export const currentShiftQuery = queryOptions({
  queryKey: shiftKeys.current,
  queryFn: ({ signal }) => dataOf(api.GET('/api/payment/reconciliation/current', { signal })),
});

/** Open shifts, to which cash can be handed over. */
export const openShiftsQuery = queryOptions({
  queryKey: shiftKeys.others,
  queryFn: ({ signal }) =>
    dataOf(api.GET('/api/payment/reconciliation', { params: { query: { status: 'open', limit: 100 } }, signal })),
});

export function shiftQuery(id: string) {
  return queryOptions({
    queryKey: shiftKeys.one(id),
    queryFn: ({ signal }) => dataOf(api.GET('/api/payment/reconciliation/{id}', { params: { path: { id } }, signal })),
  });
}

/** Everything that was paid in or out, the latest first. */
export function readEntries(id: string, page: number, signal: AbortSignal) {
  return envelopeOf(api.GET('/api/payment/receipts', { params: { query: { shiftId: id, page, limit: 25 } }, signal }));
}
