/** What the pages of visitors read. */
import { queryOptions } from '@tanstack/react-query';
import { api, dataOf, envelopeOf, type Schemas } from '../../../kit/api/api.ts';
import { openPdf } from '../../../kit/api/pdf.ts';
import { type ListSearch, listQuery } from '../../../kit/lists/list-search.ts';
import { clockIn, showDay, showMoment } from '../../../kit/time/time.ts';

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

/** Who is outside, and may come in now. The first hundred: whoever is not there is found by a scan or a search. */
export function mayEnterQuery() {
  return queryOptions({
    queryKey: [visitorKeys.all, 'outside'],
    queryFn: ({ signal }) => {
      const query = { mayEnterAt: new Date().toISOString(), limit: 100 };
      return envelopeOf(api.GET('/api/crm/visitors', { params: { query }, signal }));
    },
  });
}

/** The last day of a pass that ends with a day, or the moment at which it ends. */
export function showEnd(validTo: string, zone: string | undefined): string {
  const lastMoment = new Date(Date.parse(validTo) - 1).toISOString();
  return clockIn(zone, validTo).endsWith('T00:00')
    ? showDay(`${clockIn(zone, lastMoment).slice(0, 10)}T00:00Z`)
    : showMoment(validTo, zone);
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
