/** Requests with which pages use the cookies of their host. */
import express, { type Request, type RequestHandler, type Response, type Router } from 'express';
import type { Logger } from 'pino';
import { type AuthClient, behalfOf } from './auth-client.ts';
import { refuse } from './envelope.ts';
import type { Hospitals } from './hospitals.ts';

/** Bytes. Enough for the longest password with every character as an escape sequence. */
const BODY_LIMIT = 8 * 1024;

export interface RouterDependencies {
  readonly auth: AuthClient;
  readonly hospitals: Pick<Hospitals, 'placeOf'>;
  readonly log: Logger;
}

/** A request of a page, and whose host it was sent to. */
export interface Visit {
  readonly realm: string;
  readonly entry: 'portal' | 'console';
  readonly request: Request;
  readonly response: Response;
}

/** A router for POST requests of the pages of the same host. */
export function sessionRouter({ hospitals, log }: RouterDependencies) {
  const router: Router = express.Router();
  router.use(refuseOtherSites, express.json({ limit: BODY_LIMIT }));
  const post = (path: string, run: (visit: Visit) => Promise<void>) =>
    router.post(path, async (request, response) => {
      try {
        const place = await hospitals.placeOf(request.get('Host') ?? '', behalfOf(response));
        if (!place || place.entry === 'landing')
          return refuse(response, 404, 'NOT_FOUND', 'There is nothing at this path');
        await run({ ...place, request, response });
      } catch (error) {
        log.error({ error, requestId: behalfOf(response).requestId }, 'the module auth can not be used');
        if (!response.headersSent) {
          response.set('Retry-After', '5');
          refuse(response, 503, 'AUTH_UNAVAILABLE', 'Logins are not possible at the moment: retry shortly');
        }
      }
    });
  return { router, post };
}

/**
 * Only pages of the same host may use the session. JSON from elsewhere needs a preflight, which this server answers with
 * no permission. Browsers name the page's origin on each POST, and its relation to this host.
 */
const refuseOtherSites: RequestHandler = (request, response, next) => {
  const host = request.get('Host')?.toLowerCase();
  const origin = request.get('Origin');
  const site = request.get('Sec-Fetch-Site');
  const isOwn = origin !== undefined && URL.canParse(origin) && new URL(origin).host === host;
  if (request.method !== 'POST') {
    response.set('Allow', 'POST');
    return refuse(response, 405, 'METHOD_NOT_ALLOWED', 'This path does not have that method');
  }
  if (!isOwn || (site !== undefined && site !== 'same-origin') || !request.is('application/json'))
    return refuse(response, 403, 'CROSS_SITE', 'Only pages of this host may use its session');
  next();
};
