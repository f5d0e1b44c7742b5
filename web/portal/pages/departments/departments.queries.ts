/** What the pages of departments read. */
import { queryOptions } from '@tanstack/react-query';
import { api, dataOf, envelopeOf, type Schemas } from '../../../kit/api/api.ts';
import { type ListSearch, listQuery } from '../../../kit/lists/list-search.ts';

export type Department = Schemas['Department'];

export const departmentKeys = {
  all: 'departments',
  list: (search: ListSearch) => ['departments', 'list', search] as const,
  one: (id: string) => ['departments', id] as const,
};

export function readDepartments(search: ListSearch, signal: AbortSignal) {
  return envelopeOf(api.GET('/api/hms/departments', { params: { query: listQuery(search) }, signal }));
}

export function departmentQuery(id: string) {
  return queryOptions({
    queryKey: departmentKeys.one(id),
    queryFn: ({ signal }) => dataOf(api.GET('/api/hms/departments/{id}', { params: { path: { id } }, signal })),
  });
}

/** For a choice. A hospital has some dozens of them. */
export function departmentsQuery() {
  return queryOptions({
    queryKey: [departmentKeys.all, 'choice'],
    queryFn: ({ signal }) => dataOf(api.GET('/api/hms/departments', { params: { query: { limit: 100 } }, signal })),
  });
}
