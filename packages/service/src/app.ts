import { servesHospitals } from '@hms/tenancy';
import express, { type ErrorRequestHandler, type Express, type RequestHandler } from 'express';
import helmet from 'helmet';
import { outcomeOfProblem, send, toProblem } from './answer.ts';
import { checkPath, withCheck } from './check.ts';
import { DATABASE_BUSY, METHOD_NOT_ALLOWED, NOT_FOUND, Problem } from './errors.ts';
import { createRunner } from './handler.ts';
import { createMetrics, type Metrics } from './metrics.ts';
import type { ModuleDefinition, Platform } from './module.ts';
import { openApiDocument } from './openapi/document.ts';
import { createReadiness } from './probes.ts';
import { countRequests } from './request-counter.ts';
import { accessLog, type Locals, logOf, trackRequest } from './requests.ts';
import type { Route } from './route.ts';

export interface App {
  readonly handler: Express;
  readonly metrics: Metrics;
  /** Makes the module report that it is not ready, so that it gets no new requests. */
  stopping(): void;
}

/** Builds the Express app that serves a module. */
export function createApp(definition: ModuleDefinition, platform: Platform): App {
  const module = withCheck(definition, platform);
  const app = express();
  const metrics = createMetrics(module.name, module.measures);
  const state = { stopping: false };

  app.disable('x-powered-by');
  // Records change and are private: no ETags and no caching.
  app.disable('etag');
  app.set('query parser', 'simple');
  app.set('case sensitive routing', true);
  app.use(trackRequest(platform.log));
  app.use(operations(module, platform, metrics, state));
  app.use(accessLog(metrics));
  if (servesHospitals(module.name)) app.use(countRequests(platform.requestCounter, checkPath(module.name)));
  app.use(
    helmet({ contentSecurityPolicy: NO_CONTENT, strictTransportSecurity: platform.baseUrl.startsWith('https:') }),
  );
  app.use((_request, response, next) => {
    response.setHeader('Cache-Control', 'no-store');
    next();
  });
  addRoutes(app, module, platform);
  app.use(() => {
    throw new Problem(NOT_FOUND);
  });
  app.use(onError(module));

  return {
    handler: app,
    metrics,
    stopping: () => {
      state.stopping = true;
    },
  };
}

/** Responses are data: a browser that renders one as a page may load nothing for it and show it in no frame. */
const NO_CONTENT = { useDefaults: false, directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] } };

/** Endpoints for machines, at the root and without a token. Nothing here is about a hospital. */
function operations(
  module: ModuleDefinition,
  { db }: Platform,
  metrics: Metrics,
  state: { readonly stopping: boolean },
): express.Router {
  const router = express.Router();
  const started = Date.now();
  const document = JSON.stringify(openApiDocument(module));
  const readiness = createReadiness([
    {
      name: 'database',
      run: async () => {
        await db.raw('SELECT 1');
      },
    },
    {
      name: 'registry',
      run: async () => {
        await db.withSchema('platform').from('hospitals').limit(1).select('id');
      },
    },
  ]);

  // Stays 200 while an engine is unavailable: taking the module out of the gateway would replace errors that say what
  // is wrong and when to retry with the gateway's own.
  router.get('/health', (_request, response) => {
    response.status(state.stopping ? 503 : 200).json({
      status: state.stopping ? 'stopping' : 'ok',
      module: module.name,
      version: module.version,
      uptime: Math.floor((Date.now() - started) / 1000),
    });
  });
  router.get('/ready', async (_request, response) => {
    const checks = await readiness();
    const ready = !state.stopping && checks.every(({ ok }) => ok);
    response.status(ready ? 200 : 503).json({ ready, stopping: state.stopping, checks });
  });
  router.get('/metrics', async (_request, response) => {
    const { contentType, text } = await metrics.render();
    response.set('Content-Type', contentType).send(text);
  });
  router.get(['/openapi.json', `/api/${module.name}/openapi.json`], (_request, response) => {
    response.type('json').send(document);
  });
  return router;
}

function addRoutes(app: Express, module: ModuleDefinition, platform: Platform): void {
  const run = createRunner(platform);
  for (const [path, routes] of Map.groupBy(module.routes, ({ path }) => path)) {
    const entry = app.route(path);
    for (const route of routes) add(entry, route, run(route));
    entry.all(refuseMethod(routes));
  }
}

function add(entry: express.IRoute, route: Route, handler: readonly RequestHandler[]): void {
  switch (route.method) {
    case 'GET':
      entry.get(...handler);
      break;
    case 'POST':
      entry.post(...handler);
      break;
    case 'PUT':
      entry.put(...handler);
      break;
    case 'DELETE':
      entry.delete(...handler);
      break;
  }
}

function refuseMethod(routes: readonly Route[]): RequestHandler {
  const methods = routes.map(({ method }) => method);
  const allow = [...methods, ...(methods.includes('GET') ? ['HEAD'] : []), 'OPTIONS'].join(', ');
  return (request, response) => {
    if (request.method !== 'OPTIONS') throw new Problem(METHOD_NOT_ALLOWED, { headers: { Allow: allow } });
    response.set('Allow', allow).status(204).end();
  };
}

const onError =
  ({ errorFormats = [] }: ModuleDefinition): ErrorRequestHandler =>
  (error: unknown, request, response, next) => {
    const locals = response.locals as Locals;
    const problem = toProblem(error);
    // The access log says 499. A read that nobody waits for is cancelled.
    const isAbandoned = response.closed && problem.kind === DATABASE_BUSY;
    if (problem.kind.status >= 500 && !isAbandoned)
      logOf(locals).error({ error, code: problem.kind.code }, 'request failed');
    if (response.headersSent) return next(error);
    const ofFolder = errorFormats.find(({ below }) => `${request.path}/`.startsWith(`${below}/`));
    void send(response, outcomeOfProblem(problem, locals.route ?? ofFolder));
  };
