/** The roles of the hospital. */
import { queryOptions, useQuery } from '@tanstack/react-query';
import { api, dataOf, type Schemas } from '../../../kit/api/api.ts';
import { useMay } from '../../../kit/roles/can.tsx';
import { ROLES } from '../employees/employees.queries.ts';

export type HospitalRole = Schemas['HospitalRole'];

export const rolesQuery = queryOptions({
  queryKey: ['roles'],
  queryFn: ({ signal }) => dataOf(api.GET('/api/hms/roles', { signal })),
});

/** The roles that people of the hospital can have. Those of every platform, while the hospital's own ones are unknown. */
export function useStaffRoles(): readonly string[] {
  const mayList = useMay()('listRoles');
  const { data } = useQuery({ ...rolesQuery, enabled: mayList });
  if (!data) return ROLES;
  const names = data.flatMap(({ name }) => (name === 'DISPLAY' ? [] : [name]));
  // In the order in which administrators think of them.
  return [...ROLES.filter((role) => names.includes(role)), ...names.filter((name) => !ROLES.includes(name))];
}
