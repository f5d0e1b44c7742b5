/** From a declared route to Express handlers: token, roles, body, transaction, answer. */
import { inTenant } from '@hms/database';
import type { RequestHandler, Response } from 'express';
import type { Knex } from 'knex';
import { answer } from './answer.ts';
import { DEFAULT_BODY_LIMIT, jsonBody } from './body.ts';
import { hasRole } from './caller.ts';
import { fromDatabase, isRoleRefused } from './database-errors.ts';
import { FORBIDDEN, HOSPITAL_SUSPENDED, Problem, UNAUTHENTICATED } from './errors.ts';
import type { ModuleDefinition, Platform } from './module.ts';
import { clientAddress, type Locals } from './requests.ts';
import type { RequestContext, Route } from './route.ts';
import { createTokenCheck, tokenOf } from './token-check.ts';

/** @returns a function that creates the handlers of a route. */
export function createRunner(module: ModuleDefinition, platform: Platform) {
  const check = createTokenCheck(platform);

  return (route: Route): readonly RequestHandler[] => {
    const authorize: RequestHandler = async (request, response, next) => {
      const locals = response.locals as Locals;
      locals.route = route.path;
      if (route.roles === 'public') return next();
      const caller = await check(tokenOf(request.get('Authorization'), request.query.jwt));
      locals.caller = caller;
      locals.log = locals.log.child({ hospital: caller.hospital?.prefix, sub: caller.sub });
      if (route.roles !== 'authenticated' && !hasRole(caller, route.roles)) {
        throw new Problem(FORBIDDEN, {
          message: `This needs one of the roles ${route.roles.join(', ')}`,
          details: { requiredRoles: route.roles },
        });
      }
      next();
    };

    const handle: RequestHandler = async (request, response) => {
      const context = createContext(module, platform, response, clientAddress(request));
      const input = { params: request.params, query: request.query, body: request.body as unknown };
      answer(response, route, await route.run(context, input));
    };

    // The token is checked before the body: a client without one can't send ten megabytes.
    return route.body ? [authorize, ...jsonBody(route.bodyLimit ?? DEFAULT_BODY_LIMIT), handle] : [authorize, handle];
  };
}

function createContext(
  module: ModuleDefinition,
  { db, registry }: Platform,
  response: Response,
  address: string,
): RequestContext {
  const locals = response.locals as Locals;
  let began = false;

  const context: RequestContext = {
    requestId: locals.requestId,
    log: locals.log,
    clientAddress: address,
    get caller() {
      if (!locals.caller) throw new Problem(UNAUTHENTICATED);
      return locals.caller;
    },
    get hospital() {
      const { hospital } = context.caller;
      if (!hospital) throw new Problem(FORBIDDEN, { message: 'Only people of a hospital may use this' });
      return hospital;
    },
    async transaction<T>(work: (trx: Knex.Transaction) => Promise<T>): Promise<T> {
      if (began) throw new Error(`${module.name}: a request has one transaction; do all its work in there`);
      began = true;
      const { hospital } = context;
      try {
        return await inTenant(db, hospital, work);
      } catch (error) {
        if (!isRoleRefused(error)) throw fromDatabase(error, module.constraints);
        registry.forget(hospital);
        const now = await registry.byIssuer(hospital.issuer);
        throw now?.state === 'Active' ? error : new Problem(HOSPITAL_SUSPENDED, { cause: error });
      }
    },
  };
  return context;
}
