/**
 * The session of a browser. Pages get access tokens, which they keep in memory. The refresh token stays in a cookie that
 * no script can read. There is no store: any process can serve any request, and Keycloak ends sessions.
 */
import type { Request, Response, Router } from 'express';
import { decodeJwt } from 'jose';
import { z } from 'zod';
import { type AuthAnswer, type AuthClient, type Behalf, behalfOf } from './auth-client.ts';
import type { CookieKeys } from './cookie-keys.ts';
import { forgetCookie, readCookie, setCookie } from './cookies.ts';
import { refuse } from './envelope.ts';
import { IMPERSONATION_COOKIE, renewImpersonation } from './impersonation.ts';
import { type RouterDependencies, sessionRouter } from './session-router.ts';

const COOKIE = '__Host-hms';
export interface SessionDependencies extends RouterDependencies {
  readonly keys: CookieKeys;
}

const tokens = z.object({
  accessToken: z.string(),
  refreshToken: z.string(),
  expiresIn: z.number(),
  refreshExpiresIn: z.number(),
});

/** `POST /session/login`, `verify`, `resend`, `refresh` and `logout`, and those of an impersonation. */
export function sessionRoutes(dependencies: SessionDependencies): Router {
  const { auth } = dependencies;
  const { router, post: postAt } = sessionRouter(dependencies);
  const post = (path: string, run: (call: Call) => Promise<void>) =>
    postAt(path, ({ realm, request, response }) => run(new Call(dependencies, realm, request, response)));

  post('/login', async (call) => {
    const { email, password } = call.body;
    const former = await call.refreshToken();
    const answer = await call.send('login', { hospital: call.realm, email, password });
    // Whoever sat here before is logged out, and not only forgotten.
    if (answer.body.success && former) await call.send('logout', { refreshToken: former });
    await call.answer(answer);
  });
  post('/verify', async (call) => call.answer(await call.send('verify', pick(call.body, 'challenge', 'code'))));
  post('/resend', async (call) => call.answer(await call.send('resend', pick(call.body, 'challenge'))));
  post('/refresh', async (call) => {
    const refreshToken = await call.refreshToken();
    // A first visit is no error.
    if (!refreshToken) return void call.response.json({ success: true, data: { accessToken: null } });
    const answer = await auth.send('POST', 'refresh', call.behalf, { refreshToken });
    if (answer.status === 401 || answer.status === 403) call.forget();
    await call.answer(answer);
  });
  post('/logout', async (call) => {
    const refreshToken = await call.refreshToken();
    call.forget();
    if (refreshToken) await call.send('logout', { refreshToken });
    call.response.json({ success: true, data: { loggedOut: true } });
  });
  post('/impersonation/refresh', (call) => renewImpersonation(dependencies, call));
  post('/impersonation/forget', async ({ response }) => {
    forgetCookie(response, IMPERSONATION_COOKIE);
    response.json({ success: true, data: { forgotten: true } });
  });
  return router;
}

/** One request of a browser. */
class Call {
  readonly #keys: CookieKeys;
  readonly #auth: AuthClient;
  readonly #host: string;
  readonly realm: string;
  readonly request: Request;
  readonly response: Response;

  constructor({ keys, auth }: SessionDependencies, realm: string, request: Request, response: Response) {
    this.#keys = keys;
    this.#auth = auth;
    this.#host = request.get('Host') ?? '';
    this.realm = realm;
    this.request = request;
    this.response = response;
  }

  get body(): Readonly<Record<string, unknown>> {
    return (this.request.body ?? {}) as Readonly<Record<string, unknown>>;
  }

  get behalf(): Behalf {
    return behalfOf(this.response);
  }

  send(path: string, body: object): Promise<AuthAnswer> {
    return this.#auth.send('POST', path, this.behalf, body);
  }

  async refreshToken(): Promise<string | undefined> {
    const sealed = readCookie(this.request, COOKIE);
    return sealed ? this.#keys.decrypt(sealed, this.#host) : undefined;
  }

  /** Answers with what auth has answered. Tokens are split: the refresh token goes into the cookie. */
  async answer({ status, body, retryAfter }: AuthAnswer): Promise<void> {
    if (retryAfter) this.response.set('Retry-After', retryAfter);
    const session = tokens.safeParse(body.data).data;
    if (!session) return void this.response.status(status).json(body);
    const { accessToken, refreshToken, expiresIn, refreshExpiresIn } = session;
    // The challenge of another hospital could have been entered here.
    if (!isOf(this.realm, accessToken)) {
      await this.send('logout', { refreshToken });
      return this.ended();
    }
    // An open page renews it at 80 % of a token's life. Whoever opens a closed browser later has to log in.
    const maxAge = Math.min(refreshExpiresIn, Math.max(IDLE_S, expiresIn));
    const sealed = await this.#keys.encrypt(refreshToken, this.#host);
    setCookie(this.response, COOKIE, sealed, maxAge);
    this.response.json({ success: true, data: { accessToken, expiresIn } });
  }

  forget(): void {
    forgetCookie(this.response, COOKIE);
  }

  ended(): void {
    refuse(this.response, 401, 'NO_SESSION', 'There is no session: log in');
  }
}

/** After how many seconds without an open page the session ends. */
const IDLE_S = 900;

function isOf(realm: string, accessToken: string): boolean {
  return decodeJwt(accessToken).iss?.endsWith(`/auth/realms/${realm}`) ?? false;
}

function pick(body: Readonly<Record<string, unknown>>, ...names: readonly string[]): object {
  return Object.fromEntries(names.map((name) => [name, body[name]]));
}
