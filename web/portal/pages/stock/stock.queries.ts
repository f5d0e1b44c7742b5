/** What the pages of the stock read. */
import { queryOptions } from '@tanstack/react-query';
import { api, dataOf, envelopeOf, type Schemas } from '../../../kit/api/api.ts';
import { type ListSearch, listQuery } from '../../../kit/lists/list-search.ts';

export type Batch = Schemas['ShownStockBatch'];
export type Count = Schemas['ShownStockCount'];
export type CountLine = Schemas['StockCountLine'];

export interface LevelSearch extends ListSearch {
  readonly below?: true | undefined;
}

export interface BatchSearch extends ListSearch {
  readonly status?: Batch['status'] | undefined;
  readonly drug?: string | undefined;
  /** Only those that expire soon. */
  readonly soon?: true | undefined;
  /** Also those without units. */
  readonly empty?: true | undefined;
}

export const stockKeys = {
  all: 'stock',
  levels: (search: LevelSearch) => ['stock', 'levels', search] as const,
  batches: (search: BatchSearch) => ['stock', 'batches', search] as const,
  batch: (id: string) => ['stock', id] as const,
  movements: (id: string, page: number) => ['stock', id, 'movements', page] as const,
  recipients: (id: string, page: number) => ['stock', id, 'recipients', page] as const,
  proposal: (prescriptionId: string, body: string) => ['stock', 'proposal', prescriptionId, body] as const,
};

export const countKeys = {
  all: 'stock-counts',
  list: (search: ListSearch) => ['stock-counts', 'list', search] as const,
  one: (id: string) => ['stock-counts', id] as const,
  lines: (id: string) => ['stock-counts', id, 'lines'] as const,
};

export function readLevels({ below, ...search }: LevelSearch, signal: AbortSignal) {
  const { sort: _, ...query } = listQuery(search);
  const wanted = { ...query, ...(below ? { belowReorderLevel: true } : {}) };
  return envelopeOf(api.GET('/api/hms/drug-levels', { params: { query: wanted }, signal }));
}

/** @param soonBefore the day before which a batch expires soon, as `YYYY-MM-DD`. */
export function readBatches(
  { status, drug, soon, empty, ...search }: BatchSearch,
  soonBefore: string,
  signal: AbortSignal,
) {
  const query = {
    ...listQuery(search),
    ...(status ? { status } : {}),
    ...(drug ? { drugId: drug } : {}),
    ...(soon ? { expiringBefore: soonBefore } : {}),
    ...(empty ? {} : { inStock: true }),
  };
  return envelopeOf(api.GET('/api/hms/stock-batches', { params: { query }, signal }));
}

export function addDays(day: string, days: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + days * 86_400_000).toISOString().slice(0, 10);
}

export function batchQuery(id: string) {
  return queryOptions({
    queryKey: stockKeys.batch(id),
    queryFn: ({ signal }) => dataOf(api.GET('/api/hms/stock-batches/{id}', { params: { path: { id } }, signal })),
  });
}

const pageOf = (page: number) => ({ page, limit: 25 });

export function readMovements(id: string, page: number, signal: AbortSignal) {
  const params = { path: { id }, query: pageOf(page) };
  return envelopeOf(api.GET('/api/hms/stock-batches/{id}/movements', { params, signal }));
}

export function readRecipients(id: string, page: number, signal: AbortSignal) {
  const params = { path: { id }, query: pageOf(page) };
  return envelopeOf(api.GET('/api/hms/stock-batches/{id}/recipients', { params, signal }));
}

export function readCounts(search: ListSearch, signal: AbortSignal) {
  return envelopeOf(api.GET('/api/hms/stock-counts', { params: { query: listQuery(search) }, signal }));
}

export function countQuery(id: string) {
  return queryOptions({
    queryKey: countKeys.one(id),
    queryFn: ({ signal }) => dataOf(api.GET('/api/hms/stock-counts/{id}', { params: { path: { id } }, signal })),
  });
}

export function countLinesQuery(id: string) {
  return queryOptions({
    queryKey: countKeys.lines(id),
    queryFn: ({ signal }) => dataOf(api.GET('/api/hms/stock-counts/{id}/lines', { params: { path: { id } }, signal })),
  });
}
