/**
 * The sessions of television displays. The browser keeps the display's secret in a cookie, which its scripts can't read.
 * It is not encrypted like a person's: it lasts for months, and must outlive the keys of cookies.
 */
import { qrCode } from '@hms/documents/codes';
import type { Response, Router } from 'express';
import { z } from 'zod';
import { behalfOf } from './auth-client.ts';
import { readCookie, setCookie } from './cookies.ts';
import { refuse } from './envelope.ts';
import { type RouterDependencies, sessionRouter } from './session-router.ts';

const COOKIE = '__Host-hms-display';
/** In seconds. Each answer renews it, also while the hospital is suspended. The module auth forgets a display that is off for as long. */
const MAX_AGE = 90 * 24 * 3600;

const started = z.object({
  deviceCode: z.string(),
  userCode: z.string(),
  verificationUri: z.string(),
  verificationUriComplete: z.string(),
  expiresIn: z.number(),
  interval: z.number(),
});
const token = z.object({ accessToken: z.string(), expiresIn: z.number(), deviceCode: z.string().nullable() });

/** `POST /session/display/start` and `token`. */
export function displaySession(dependencies: RouterDependencies): Router {
  const { auth } = dependencies;
  const { router, post } = sessionRouter(dependencies);

  post('/start', async ({ realm, entry, response }) => {
    if (entry !== 'portal') return refuse(response, 404, 'NOT_FOUND', 'There is nothing at this path');
    const answer = await auth.send('POST', 'displays/start', behalfOf(response), { hospital: realm });
    const pairing = started.safeParse(answer.body.data).data;
    if (!pairing) return passOn(response, answer);
    const { deviceCode, userCode, verificationUri, verificationUriComplete, expiresIn, interval } = pairing;
    keep(response, deviceCode);
    const qr = qrCode(verificationUriComplete);
    response.json({ success: true, data: { userCode, verificationUri, qr, expiresIn, interval } });
  });

  post('/token', async ({ realm, request, response }) => {
    const deviceCode = readCookie(request, COOKIE);
    // A first visit is no error.
    if (!deviceCode) return void response.json({ success: true, data: { accessToken: null } });
    const answer = await auth.send('POST', 'displays/token', behalfOf(response), { hospital: realm, deviceCode });
    const given = token.safeParse(answer.body.data).data;
    // A refused secret stays: another tab may have replaced it just now, and the next start replaces it anyway.
    if (!given) {
      if (answer.body.error?.code !== 'EXPIRED_TOKEN') keep(response, deviceCode);
      return passOn(response, answer);
    }
    keep(response, given.deviceCode ?? deviceCode);
    const { accessToken, expiresIn } = given;
    response.json({ success: true, data: { accessToken, expiresIn } });
  });

  return router;
}

function keep(response: Response, deviceCode: string): void {
  setCookie(response, COOKIE, deviceCode, MAX_AGE);
}

function passOn(
  response: Response,
  { status, body, retryAfter }: Awaited<ReturnType<RouterDependencies['auth']['send']>>,
) {
  if (retryAfter) response.set('Retry-After', retryAfter);
  response.status(status).json(body);
}
