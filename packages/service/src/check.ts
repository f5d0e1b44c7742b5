import { servesHospitals } from '@hms/tenancy';
import { z } from 'zod';
import type { ModuleDefinition } from './module.ts';
import { type Route, route } from './route.ts';

/** The module with the route that every module for hospitals has, as it is served. */
export function withCheck(definition: ModuleDefinition): ModuleDefinition {
  if (!servesHospitals(definition.name)) return definition;
  return { ...definition, routes: [checkRoute(definition.name), ...definition.routes] };
}

/** Path of that route. */
export function checkPath(module: string): string {
  return `/api/${module}/check`;
}

/**
 * The route with which the holder of a token checks the complete path of a request: gateway, token, hospital, and
 * PostgreSQL as the hospital's own role. It needs no role, because it returns only the hospital's id.
 */
function checkRoute(module: string): Route {
  return route({
    method: 'GET',
    path: checkPath(module),
    operationId: 'check',
    summary: 'Whether requests with this token are served',
    access: 'authenticated',
    response: z.object({ hospitalId: z.uuid() }),
    handler: async ({ trx, hospital }) => {
      const [row] = await trx.query<{ schema: string | null }>('SELECT current_schema() AS schema');
      // PostgreSQL omits schemas from the search path that the role may not use.
      if (row?.schema == null) throw new Error("the hospital's role may not use the hospital's schema");
      return { data: { hospitalId: hospital.id } };
    },
  });
}
