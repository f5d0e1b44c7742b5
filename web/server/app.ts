/** The web server: pages, their files, and the sessions of browsers. */
import { accessLog, createMetrics, type Locals, trackRequest } from '@hms/service';
import express, { type ErrorRequestHandler, type Express, type Request, type Response } from 'express';
import sirv from 'sirv';
import { COLOR_SCHEME_COOKIE } from '../kit/ui/colors.ts';
import { behalfOf } from './auth-client.ts';
import { readCookie } from './cookies.ts';
import { displaySession } from './display-session.ts';
import { refuse } from './envelope.ts';
import { nonceOf, pageHeaders } from './headers.ts';
import { hospitals as hospitalsOf, UNKNOWN } from './hospitals.ts';
import { takeOver } from './impersonation.ts';
import { type LandingDependencies, landingRoutes, lostRoute } from './landing/routes.ts';
import type { Pages } from './pages.ts';
import { entryOf } from './places.ts';
import { type SessionDependencies, sessionRoutes } from './session.ts';
import { startData } from './start-data.ts';

export interface WebApp {
  readonly handler: Express;
  /** Makes the process report that it is not ready, so that it gets no new requests. */
  stopping(): void;
}

export interface WebDependencies extends Omit<SessionDependencies, 'hospitals'> {
  readonly settings: LandingDependencies['settings'] & { readonly S3_PUBLIC_ENDPOINT: string };
  readonly pages: Pages;
}

export function webApp(dependencies: WebDependencies): WebApp {
  const { settings, pages, auth, log } = dependencies;
  const metrics = createMetrics('web');
  const hospitals = hospitalsOf(auth, settings);
  const start = startData(hospitals, settings, pages.build);
  const state = { stopping: false };
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.set('query parser', 'simple');
  app.set('case sensitive routing', true);
  // The gateway hides the path /metrics, but not /metrics/.
  app.set('strict routing', true);

  app.use(trackRequest(log));
  app.get('/metrics', async (_request, response) => {
    const { contentType, text } = await metrics.render();
    response.set('Content-Type', contentType).send(text);
  });
  for (const path of ['/health', '/ready'])
    app.get(path, (_request, response) => {
      response
        .status(state.stopping ? 503 : 200)
        .json({ status: state.stopping ? 'stopping' : 'ok', build: pages.build });
    });
  app.use(accessLog(metrics));
  app.use(pageHeaders(settings));
  // The files of a build never change: their names contain a hash of their content.
  app.use(
    '/assets',
    called('/assets'),
    sirv(pages.assets, { immutable: true, maxAge: YEAR, brotli: true, gzip: true }),
  );
  app.use((_request, response, next) => {
    response.set('Cache-Control', 'no-store');
    next();
  });
  app.post('/session/impersonation', called('/session'), ...takeOver({ ...dependencies, hospitals }));
  // For pages that stay open for weeks.
  app.get('/version.json', called('/version.json'), (_request, response) => {
    response.json({ build: pages.build });
  });
  for (const [name, script] of Object.entries(pages.workers))
    app.get(`/${name}`, called(`/${name}`), (_request, response) => {
      response.type('js').send(script);
    });
  app.use('/session/display', called('/session/display'), displaySession({ ...dependencies, hospitals }));
  app.use('/session', called('/session'), sessionRoutes({ ...dependencies, hospitals }));

  // Keycloak's own redirect names the host of the request, which may be anybody's.
  app.get('/auth', called('/auth'), (_request, response) => response.redirect(303, '/auth/'));
  app.use(landingRoutes({ ...dependencies, hospitals, shell: pages.landing }));
  app.get(/.*/, async (request, response, next) => {
    if (!isPage(request.path)) return next();
    const place = await hospitals.placeOf(request.get('Host') ?? '', behalfOf(response));
    const entry = place && entryOf(place, request.path);
    if (!entry || entry.entry === 'landing') return next();
    const { locals } = response as unknown as { locals: Locals };
    locals.route = { path: entry.entry };
    const data = await start(entry, behalfOf(response));
    // Its form names its origin to a hospital's host, which it could not do without a referrer.
    if (entry.entry === 'console') response.set('Referrer-Policy', 'strict-origin');
    response
      .status(data.problem === UNKNOWN ? 404 : 200)
      .type('html')
      .send(pages.render({ ...data, entry: entry.entry }, nonceOf(response), readCookie(request, COLOR_SCHEME_COOKIE)));
  });

  app.get(
    /^(?!\/(?:api|auth|session|assets)\/)/,
    called('lost'),
    lostRoute({ settings, hospitals, shell: pages.landing }),
  );
  app.use((_request: Request, response: Response) =>
    refuse(response, 404, 'NOT_FOUND', 'There is nothing at this path'),
  );
  app.use(onError);

  return {
    handler: app,
    stopping: () => {
      state.stopping = true;
    },
  };
}

const YEAR = 365 * 24 * 3600;

/**
 * Whether a path is an address of a page. Addresses of the API and of Keycloak that nothing serves arrive here too, and
 * so do files of older builds: HTML in their place would be taken for data or a script.
 */
function isPage(path: string): boolean {
  return !/^\/(api|auth|session|assets|metrics|\.well-known)(\/|$)|\.[^/]*$/.test(path);
}

/** The name of a group of paths in the metrics. */
function called(path: string): express.RequestHandler {
  return (_request, response, next) => {
    (response.locals as Locals).route = { path };
    next();
  };
}

const onError: ErrorRequestHandler = (error: { readonly status?: number }, _request, response, next) => {
  if (response.headersSent) return next(error);
  const status = error.status !== undefined && error.status >= 400 && error.status < 500 ? error.status : 500;
  const { moduleLog, requestId } = response.locals as Locals;
  if (status === 500) moduleLog.error({ error, requestId }, 'request failed');
  if (status === 500) refuse(response, 500, 'INTERNAL_ERROR', 'Internal server error');
  else refuse(response, status, 'MALFORMED_REQUEST', 'The request could not be read');
};
