/**
 * A browser takes over an impersonation that somebody of the platform has begun in the console. The console's page sends
 * the code in a form, so it is in no address. The key for further tokens stays in a cookie of its own: sessions of this
 * host are not touched.
 */
import express, { type Request, type RequestHandler, type Response } from 'express';
import type { Logger } from 'pino';
import { z } from 'zod';
import { type AuthClient, behalfOf } from './auth-client.ts';
import type { CookieKeys } from './cookie-keys.ts';
import { forgetCookie, readCookie, setCookie } from './cookies.ts';
import { refuse } from './envelope.ts';
import type { Hospitals } from './hospitals.ts';

export const IMPERSONATION_COOKIE = '__Host-hms-impersonation';
/** Where the page then begins. It carries nothing: without the cookie, it only says that there is no impersonation. */
const IMPERSONATION_PATH = '/impersonation';
const BODY_LIMIT = 1024;

const handedOver = z.object({ id: z.uuid(), code: z.string().max(100) });
const kept = z.object({ id: z.uuid(), key: z.string() });
const granted = z.object({
  impersonation: z.looseObject({ id: z.string(), endsAt: z.iso.datetime() }),
  accessToken: z.string(),
  expiresIn: z.number(),
  key: z.string(),
});

interface Dependencies {
  readonly auth: AuthClient;
  readonly keys: CookieKeys;
  readonly hospitals: Pick<Hospitals, 'placeOf'>;
  readonly log: Logger;
  readonly settings: { readonly CONSOLE_ORIGIN: string };
}

/** `POST /session/impersonation`, which only a page of the console may send. */
export function takeOver({ auth, keys, hospitals, settings, log }: Dependencies): readonly RequestHandler[] {
  return [
    refuseOthers(settings.CONSOLE_ORIGIN),
    express.urlencoded({ limit: BODY_LIMIT, extended: false }),
    async (request, response) => {
      const host = request.get('Host') ?? '';
      try {
        const place = await hospitals.placeOf(host, behalfOf(response));
        if (place?.entry !== 'portal') return refuse(response, 404, 'NOT_FOUND', 'There is nothing at this path');
        const { id, code } = handedOver.safeParse(request.body).data ?? {};
        const body = { hospital: place.realm, code };
        const answer = id && (await auth.send('POST', `impersonations/${id}/token`, behalfOf(response), body));
        const grant = answer ? granted.safeParse(answer.body.data).data : undefined;
        if (grant) {
          const sealed = await keys.encrypt(JSON.stringify({ id, key: grant.key }), host);
          setCookie(response, IMPERSONATION_COOKIE, sealed, secondsUntil(grant.impersonation.endsAt));
        }
        // The page itself says if there is no impersonation. The address bar never has the code.
        response.redirect(303, IMPERSONATION_PATH);
      } catch (error) {
        log.error({ error, requestId: behalfOf(response).requestId }, 'an impersonation could not be taken over');
        response.set('Retry-After', '5');
        refuse(response, 503, 'AUTH_UNAVAILABLE', 'Logins are not possible at the moment: retry shortly');
      }
    },
  ];
}

interface Call {
  readonly realm: string;
  readonly request: Request;
  readonly response: Response;
}

/** Gives the page another token while the impersonation lasts. */
export async function renewImpersonation(
  { auth, keys }: Pick<Dependencies, 'auth' | 'keys'>,
  { realm, request, response }: Call,
): Promise<void> {
  const sealed = readCookie(request, IMPERSONATION_COOKIE);
  const text = sealed && (await keys.decrypt(sealed, request.get('Host') ?? ''));
  if (!text) return void response.json({ success: true, data: { accessToken: null } });
  const { id, key } = kept.parse(JSON.parse(text));
  const answer = await auth.send('POST', `impersonations/${id}/token`, behalfOf(response), { hospital: realm, key });
  const grant = granted.safeParse(answer.body.data).data;
  if (!grant) {
    if (answer.status < 500 && answer.status !== 429) forgetCookie(response, IMPERSONATION_COOKIE);
    if (answer.retryAfter) response.set('Retry-After', answer.retryAfter);
    return void response.status(answer.status).json(answer.body);
  }
  const { accessToken, expiresIn, impersonation } = grant;
  // The clock of the browser may be wrong.
  const endsIn = secondsUntil(impersonation.endsAt);
  response.json({ success: true, data: { accessToken, expiresIn, impersonation, endsIn } });
}

function secondsUntil(moment: string): number {
  return Math.max(0, Math.round((Date.parse(moment) - Date.now()) / 1000));
}

/**
 * Another site must not put anybody into an impersonation, in which they would act as somebody else without noticing.
 * Browsers name the page's origin on each POST, and no page can change it.
 */
function refuseOthers(consoleOrigin: string): RequestHandler {
  return (request, response, next) => {
    const mode = request.get('Sec-Fetch-Mode');
    const isForm = mode === undefined || mode === 'navigate';
    if (request.get('Origin') !== consoleOrigin || !isForm)
      return refuse(response, 403, 'CROSS_SITE', 'Only a page of the console may hand an impersonation over');
    next();
  };
}
