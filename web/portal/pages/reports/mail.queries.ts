/** What the pages of reports by mail read. */
import { queryOptions } from '@tanstack/react-query';
import { api, dataOf, envelopeOf, type Schemas } from '../../../kit/api/api.ts';
import { type ListSearch, listQuery } from '../../../kit/lists/list-search.ts';

/** By which employees are told of a report regularly. */
export type Plan = Schemas['ShownReportSchedule'];

export const planKeys = {
  all: 'report-mails',
  list: (search: ListSearch) => ['report-mails', 'list', search] as const,
  one: (id: string) => ['report-mails', id] as const,
};

export function readPlans(search: ListSearch, signal: AbortSignal) {
  return envelopeOf(api.GET('/api/report/schedules', { params: { query: listQuery(search) }, signal }));
}

export function planQuery(id: string) {
  return queryOptions({
    queryKey: planKeys.one(id),
    queryFn: ({ signal }) => dataOf(api.GET('/api/report/schedules/{id}', { params: { path: { id } }, signal })),
  });
}
