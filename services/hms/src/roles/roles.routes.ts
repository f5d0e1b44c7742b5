import {
  hospitalRole,
  listRoles,
  PERMISSION_NOT_IN_ROLE,
  ROLE_IS_FIXED,
  ROLE_NOT_FOUND,
  withheld,
  withhold,
} from '@hms/domain/roles';
import { type Route, route } from '@hms/service';
import { z } from 'zod';

export const roleRoutes: readonly Route[] = [
  route({
    method: 'GET',
    path: '/api/hms/roles',
    operationId: 'listRoles',
    summary: 'List the roles of the hospital and what they may do',
    access: 'roles.read',
    response: z.array(hospitalRole),
    handler: async (context) => ({ data: (await listRoles(context)).map((role) => hospitalRole.parse(role)) }),
  }),
  route({
    method: 'PUT',
    path: '/api/hms/roles/:name',
    operationId: 'changeRole',
    summary: 'Withhold permissions from a role',
    description:
      'A hospital can only take away what the role gives at every hospital. People with the role are refused within 3 seconds, without a new login.',
    access: 'roles.write',
    params: z.object({ name: z.string().max(63).describe('Such as NURSE') }),
    body: withheld,
    response: hospitalRole,
    errors: [ROLE_NOT_FOUND, ROLE_IS_FIXED, PERMISSION_NOT_IN_ROLE],
    handler: async (context) => ({
      data: hospitalRole.parse(await withhold(context, context.params.name, context.body.withheld)),
    }),
  }),
];
