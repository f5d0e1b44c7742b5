/** What the pages of reports read. All reports answer alike, so that the path of one stands for those of all. */
import { queryOptions } from '@tanstack/react-query';
import { api, dataOf, envelopeOf, type Schemas } from '../../../kit/api/api.ts';
import { LIMIT } from '../../../kit/lists/list-search.ts';
import type { Period } from './period.ts';

export type Report = Schemas['Report'];
export type Dashboard = Schemas['Dashboard'];
export type Figures = Schemas['ReportFigures'];
export type Group = Figures['groups'][number];
export type Measure = Report['measures'][number];
export type Kind = Measure['kind'];
export type Listed = Schemas['ReportRecords']['records'][number];

/** Keys of groups, by the name of the group. */
export type Filters = Readonly<Record<string, string>>;

/** What is shown of a report. */
export interface Wanted extends Period {
  readonly filters: Filters;
  readonly groupBy: readonly string[];
  /** Whether it is compared with the period before. */
  readonly compare?: boolean;
}

/** What a report is about changes with a release only. */
const CATALOGUE_MS = 600_000;

export const catalogueQuery = queryOptions({
  queryKey: ['reports'],
  queryFn: ({ signal }) => dataOf(api.GET('/api/report/reports', { signal })),
  staleTime: CATALOGUE_MS,
});

export function dashboardQuery(name: string, { from, to }: Period) {
  return queryOptions({
    queryKey: ['reports', 'dashboard', name, from, to],
    queryFn: ({ signal }) => {
      const params = { path: { name }, query: { from, to } };
      return dataOf(api.GET('/api/report/dashboards/{name}', { params, signal }));
    },
  });
}

export function figuresQuery(name: string, { filters, groupBy, compare = true, from, to }: Wanted) {
  const query = { ...filters, from, to, groupBy: groupBy.join(','), compare };
  return queryOptions({
    queryKey: ['reports', 'figures', name, query],
    queryFn: ({ signal }): Promise<Figures> =>
      dataOf(api.GET(pathOf(name), { params: { query }, signal }) as Promise<Answer<{ data: Figures }>>),
  });
}

/** One page of the list behind a figure. */
export function readRecords(
  name: string,
  query: Filters & Period & { readonly measure?: string | undefined },
  page: number,
  signal: AbortSignal,
) {
  const sent = { ...query, page, limit: LIMIT } as object;
  return envelopeOf(api.GET(`${pathOf(name)}/records`, { params: { query: sent }, signal }) as Promise<Answer<Page>>);
}

interface Page {
  readonly data: Schemas['ReportRecords'];
  readonly meta: Schemas['PageMeta'];
}

/** Only JSON is asked for here. */
interface Answer<Envelope> {
  readonly data?: Envelope;
  readonly error?: unknown;
  readonly response: Response;
}

function pathOf(name: string) {
  return `/api/report/${name}` as '/api/report/revenue';
}
