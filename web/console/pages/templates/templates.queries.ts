/** Role templates, and the permissions that they can have. */
import { queryOptions } from '@tanstack/react-query';
import { api, dataOf, type Schemas } from '../../../kit/api/api.ts';

export type RoleTemplate = Schemas['RoleTemplate'];

export const templatesQuery = queryOptions({
  queryKey: ['templates'],
  queryFn: ({ signal }) => dataOf(api.GET('/api/console/role-templates', { signal })),
});

export const permissionsQuery = queryOptions({
  queryKey: ['permissions'],
  queryFn: ({ signal }) => dataOf(api.GET('/api/console/permissions', { signal })),
  staleTime: Number.POSITIVE_INFINITY,
});

export function templateQuery(id: string) {
  return queryOptions({
    queryKey: ['templates', id],
    queryFn: ({ signal }) => dataOf(api.GET('/api/console/role-templates/{id}', { params: { path: { id } }, signal })),
  });
}
