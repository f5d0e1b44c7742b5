/** What the pages of visitors read. */
import { queryOptions } from '@tanstack/react-query';
import { api, dataOf, envelopeOf, type Schemas } from '../../../kit/api/api.ts';
import { openPdf } from '../../../kit/api/pdf.ts';
import { type ListSearch, listQuery } from '../../../kit/lists/list-search.ts';

export type Visitor = Schemas['ShownVisitor'];
export type VisitingHour = Schemas['VisitingHour'];

export const visitorKeys = { all: 'visitors', hours: 'visiting-hours' };

/** Everybody who is in the hospital now, the first one first. */
export function insideQuery() {
  return queryOptions({
    queryKey: [visitorKeys.all, 'inside'],
    queryFn: async ({ signal }) => {
      const data = await dataOf(api.GET('/api/crm/visitors/inside', { signal }));
      return { data, meta: { total: data.length } };
    },
  });
}

/** Who may come now, and has not come yet. */
export function expectedQuery() {
  return queryOptions({
    queryKey: [visitorKeys.all, 'expected'],
    queryFn: ({ signal }) => {
      const query = { status: 'expected', validAt: new Date().toISOString(), limit: 100 } as const;
      return envelopeOf(api.GET('/api/crm/visitors', { params: { query }, signal }));
    },
  });
}

export function readPasses(search: ListSearch, signal: AbortSignal) {
  return envelopeOf(api.GET('/api/crm/visitors', { params: { query: listQuery(search) }, signal }));
}

export function hoursQuery() {
  return queryOptions({
    queryKey: [visitorKeys.hours],
    queryFn: ({ signal }) => dataOf(api.GET('/api/crm/visiting-hours', { params: { query: { limit: 100 } }, signal })),
  });
}

/** Opens the pass in another tab, to print it. @param issue does what comes before. @throws ApiError */
export function printPass(issue: () => Promise<Pick<Visitor, 'id'>>): Promise<void> {
  return openPdf(async () => `/api/crm/visitors/${(await issue()).id}/label`);
}

/** Opens the list of everybody inside in another tab, to print it. @throws ApiError */
export function printInside(): Promise<void> {
  return openPdf(async () => '/api/crm/visitors/inside/pdf');
}
