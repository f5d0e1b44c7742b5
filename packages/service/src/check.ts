import { servesHospitals } from '@hms/tenancy';
import { z } from 'zod';
import { STORAGE_UNAVAILABLE } from './errors.ts';
import type { ModuleDefinition, Platform } from './module.ts';
import { type Route, route } from './route.ts';

/**
 * The module with the route that every module for hospitals has, as it is served.
 * @param platform undefined if only the routes are read.
 */
export function withCheck(definition: ModuleDefinition, platform?: Pick<Platform, 'storage'>): ModuleDefinition {
  if (!servesHospitals(definition.name)) return definition;
  return { ...definition, routes: [checkRoute(definition.name, platform), ...definition.routes] };
}

/** Path of that route. */
export function checkPath(module: string): string {
  return `/api/${module}/check`;
}

/**
 * The route with which the holder of a token checks the complete path of a request: gateway, token, hospital, PostgreSQL
 * as the hospital's own role, and the S3 server with the module's own key. It needs no role, because it returns only the
 * hospital's id.
 */
function checkRoute(module: string, platform?: Pick<Platform, 'storage'>): Route {
  return route({
    method: 'GET',
    path: checkPath(module),
    operationId: 'check',
    summary: 'Whether requests with this token are served',
    access: 'authenticated',
    response: z.object({ hospitalId: z.uuid() }),
    errors: [STORAGE_UNAVAILABLE],
    database: 'none',
    handler: async ({ inTransaction, hospital }) => {
      const [[row]] = await Promise.all([
        inTransaction(({ trx }) => trx.query<{ schema: string | null }>('SELECT current_schema() AS schema')),
        platform?.storage.prove(hospital),
      ]);
      // PostgreSQL omits schemas from the search path that the role may not use.
      if (row?.schema == null) throw new Error("the hospital's role may not use the hospital's schema");
      return { data: { hospitalId: hospital.id } };
    },
  });
}
