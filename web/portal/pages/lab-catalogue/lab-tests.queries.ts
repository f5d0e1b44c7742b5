/** What the pages of the laboratory's catalogue read. */
import { queryOptions } from '@tanstack/react-query';
import { api, dataOf, envelopeOf, type Schemas } from '../../../kit/api/api.ts';
import { type ListSearch, listQuery } from '../../../kit/lists/list-search.ts';

export type LabTest = Schemas['LabTestWithRanges'];
export const TEST_STATUSES = ['draft', 'active', 'retired'] as const;
export type TestStatus = (typeof TEST_STATUSES)[number];
export type TestSearch = ListSearch & { readonly status?: TestStatus | undefined };

export const labTestChanges = '/api/hms/lab-tests/changes';
export const testKeys = {
  all: 'labTests',
  list: (search: TestSearch) => ['labTests', 'list', search] as const,
  one: (id: string) => ['labTests', id] as const,
  ofPanel: (id: string) => ['labTests', 'panel', id] as const,
};

export function readTests({ status, ...search }: TestSearch, signal: AbortSignal) {
  const query = { ...listQuery(search), ...(status ? { status } : {}) };
  return envelopeOf(api.GET('/api/hms/lab-tests', { params: { query }, signal }));
}

export function testQuery(id: string) {
  return queryOptions({
    queryKey: testKeys.one(id),
    queryFn: ({ signal }) => dataOf(api.GET('/api/hms/lab-tests/{id}', { params: { path: { id } }, signal })),
  });
}

/** The tests of a panel, of which there are at most 100. */
export function testsOfPanelQuery(panelId: string | undefined) {
  return queryOptions({
    queryKey: testKeys.ofPanel(panelId ?? ''),
    enabled: panelId !== undefined,
    queryFn: ({ signal }) =>
      dataOf(api.GET('/api/hms/lab-tests', { params: { query: { panelId: panelId ?? '', limit: 100 } }, signal })),
  });
}
