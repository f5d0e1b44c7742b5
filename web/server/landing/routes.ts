/** The platform's own address: where people find their hospital, and see whether everything works. */
import { prefixProblem } from '@hms/tenancy';
import express, { type Request, type RequestHandler, type Response } from 'express';
import { type AuthClient, behalfOf } from '../auth-client.ts';
import { nonceOf } from '../headers.ts';
import type { Hospitals } from '../hospitals.ts';
import { type PlaceSettings, placeOf, portalOf } from '../places.ts';
import { type ModuleTargets, statusOf } from '../status/checks.ts';
import { statusPage } from '../status/status-page.ts';
import { directoryOf, type Listed } from './directory.ts';
import { documentOf, type OwnPage } from './document.ts';
import { findPage } from './find-page.ts';
import { lostPage } from './lost-page.ts';
import { LANGUAGE_NAMES, type Language } from './words/languages.ts';
import type { FindProblem } from './words/words.ts';

export interface LandingDependencies {
  readonly settings: PlaceSettings & { readonly MODULE_TARGETS: ModuleTargets };
  readonly auth: AuthClient;
  readonly hospitals: Pick<Hospitals, 'read'>;
  /** The built document of these pages. */
  readonly shell: string;
}

/** Longer texts are no names. */
const MOST_CHARACTERS = 100;
const MOST_PAGES = 10_000;
const STATUS: Readonly<Record<FindProblem, number>> = { none: 404, short: 400, often: 429, unavailable: 503 };

/** Answers only at the platform's own hosts. */
export function landingRoutes({ settings, auth, hospitals, shell }: LandingDependencies): express.Router {
  const router = express.Router({ caseSensitive: true, strict: true });
  const directory = directoryOf(auth, settings);
  const status = statusOf(auth, settings.MODULE_TARGETS);
  const send = async (response: Response, code: number, page: OwnPage) => {
    const text = await documentOf(shell, nonceOf(response), page);
    response.status(code).set('Content-Language', page.language).type('html').send(text);
  };
  const at = (path: string | string[], handler: RequestHandler) =>
    router.get(path, (request, response, next) => {
      if (placeOf(request.get('Host') ?? '', settings)?.entry !== 'landing') return next('route');
      response.locals.route = { path: 'landing' };
      return handler(request, response, next);
    });

  for (const path of ['/', '/tv'])
    at(path, async (request, response) => {
      const page = Math.min(Math.max(Math.trunc(Number(textOf(request, 'page'))) || 1, 1), MOST_PAGES);
      const found = await directory.list(page, behalfOf(response));
      const asked = { asked: '', isTelevision: path === '/tv' };
      await send(response, 200, findPage({ language: languageOf(request), ...asked, found, page: found && page }));
    });

  at(['/console', '/console/'], (_request, response) => response.redirect(303, `${settings.CONSOLE_ORIGIN}/`));
  at('/tv/', (_request, response) => response.redirect(308, '/tv'));

  at('/find', async (request, response) => {
    const language = languageOf(request);
    const asked = textOf(request, 'hospital');
    const prefix = asked.toLowerCase();
    const isTelevision = textOf(request, 'to') === 'tv';
    const [{ found, problem }, isShortName] = await Promise.all([
      directory.search(asked, behalfOf(response)),
      isOpen(prefix, response),
    ]);
    if (isShortName && isNoOther(found?.hospitals ?? [], prefix) && problem !== 'often') {
      // At this address and not at a host of the hospital's own, which the policy of forms could not name.
      return response.redirect(303, `${portalOf(prefix, settings)}${isTelevision ? 'tv' : ''}`);
    }
    await send(response, problem ? STATUS[problem] : 200, findPage({ language, asked, found, problem, isTelevision }));
  });

  at('/status', async (request, response) => {
    const page = statusPage(await status(behalfOf(response)), languageOf(request), request.query.repeat === 'on');
    await send(response, 200, page);
  });
  at('/status.json', async (_request, response) => {
    response.json(await status(behalfOf(response)));
  });

  async function isOpen(prefix: string, response: Response): Promise<boolean> {
    if (prefixProblem(prefix) !== undefined) return false;
    return hospitals.read(prefix, behalfOf(response)).then(
      ({ problem }) => problem === null,
      () => false,
    );
  }

  return router;
}

function isNoOther(found: readonly Listed[], prefix: string): boolean {
  return found.every((hospital) => hospital.prefix === prefix);
}

/** Answers a browser whose address leads nowhere, at any host. Other clients get an envelope. */
export function lostRoute({
  settings,
  hospitals,
  shell,
}: Pick<LandingDependencies, 'settings' | 'shell'> & {
  readonly hospitals: Pick<Hospitals, 'placeOf'>;
}): RequestHandler {
  return async (request, response, next) => {
    const isBrowser = request.method === 'GET' && request.get('Accept')?.includes('text/html');
    if (!isBrowser) return next();
    const isOfNobody = await hospitals.placeOf(request.get('Host') ?? '', behalfOf(response)).then(
      (place) => place === undefined,
      () => false,
    );
    const page = lostPage(languageOf(request), request.path, isOfNobody, new URL(settings.BASE_URL).origin);
    const text = await documentOf(shell, nonceOf(response), page);
    response.status(404).set('Content-Language', page.language).type('html').send(text);
  };
}

/** A parameter as one trimmed text of whole characters. */
function textOf(request: Request, name: string): string {
  const [value = ''] = [request.query[name]].flat();
  return [...String(value).toWellFormed()]
    .slice(0, MOST_CHARACTERS + 1)
    .join('')
    .trim();
}

/** The language in the address, or else the one that the browser prefers. */
function languageOf(request: Request): Language {
  const named = LANGUAGE_NAMES.find((name) => name === request.query.lang);
  const preferred = request.acceptsLanguages(...LANGUAGE_NAMES);
  return named ?? LANGUAGE_NAMES.find((name) => name === preferred) ?? 'en';
}
