/** Logs in at the auth module behind a gateway, with messages for a person at a terminal. */
import { type ApiClient, ApiError, apiClient, dataOf, type Schemas } from '@hms/api-client';
import { demonstrationSession, type PlatformState, Problem, sentence } from '@hms/local';
import type { ConsoleRole, HospitalRole } from '@hms/tenancy';
import { EXIT, Exit } from './exit.ts';

export type Tokens = Schemas['Session'];

const TIMEOUT_MS = 30_000;

/** @param server public address of the gateway. */
export function login(server: string, credentials: Schemas['Credentials']): Promise<Schemas['LoginOutcome']> {
  return ask(server, (api, signal) => dataOf(api.POST('/api/auth/login', { body: credentials, signal })));
}

/** Codes of errors after which another code may be typed. */
const RETRIED = ['INVALID_CODE', 'VALIDATION_FAILED'];

/** Why another code may be typed. */
interface Wrong {
  readonly wrong: string;
}

/** Completes a login with the code from the e-mail. */
export function verify(server: string, body: Schemas['EnteredCode']): Promise<Tokens | Wrong> {
  return ask(server, (api, signal) => dataOf(api.POST('/api/auth/verify', { body, signal })).catch(wrongCode));
}

/** Requests a code for a new password. */
export function forget(server: string, body: Schemas['ForgottenPassword']): Promise<Schemas['Challenge']> {
  return ask(server, (api, signal) => dataOf(api.POST('/api/auth/password/forgotten', { body, signal })));
}

/** Sets a new password with the code from the e-mail. @returns `weak` with the rule that the password breaks. */
export function reset(
  server: string,
  body: Schemas['PasswordReset'],
): Promise<{ readonly changed: true } | { readonly weak: string } | Wrong> {
  return ask(server, (api, signal) =>
    dataOf(api.POST('/api/auth/password/reset', { body, signal })).catch((error: unknown) => {
      if (error instanceof ApiError && error.code === 'WEAK_PASSWORD') return { weak: error.reason };
      return wrongCode(error);
    }),
  );
}

function wrongCode(error: unknown): Wrong {
  if (error instanceof ApiError && RETRIED.includes(error.code ?? '')) return { wrong: error.reason };
  throw error;
}

export function refresh(server: string, refreshToken: string): Promise<Tokens> {
  return ask(server, (api, signal) => dataOf(api.POST('/api/auth/refresh', { body: { refreshToken }, signal })));
}

/** Ends the session of a refresh token. @returns why it may go on, or undefined if it has ended, also earlier. */
export async function logout(server: string, refreshToken: string): Promise<string | undefined> {
  try {
    await ask(server, (api, signal) => dataOf(api.POST('/api/auth/logout', { body: { refreshToken }, signal })));
    return undefined;
  } catch (error) {
    if (!(error instanceof Exit)) throw error;
    return error.code === EXIT.notLoggedIn ? undefined : error.message;
  }
}

/** Who an access token is for. @returns undefined if the platform does not accept it any more. */
export async function whoIs(server: string, accessToken: string): Promise<Schemas['Me'] | undefined> {
  try {
    return await ask(server, (_api, signal) => dataOf(apiClient(server, accessToken).GET('/api/auth/me', { signal })));
  } catch (error) {
    if (error instanceof Exit && error.code === EXIT.notLoggedIn) return undefined;
    throw error;
  }
}

/** Logs in a demonstration user of the platform on this machine, created on demand. */
export function demonstrate(state: PlatformState, hospital: string, role: HospitalRole | ConsoleRole): Promise<Tokens> {
  return ask(state.gateway.proxy, () => demonstrationSession(state, hospital, role));
}

/** Sends another code for the same login. @returns why not, if one can be sent later. */
export async function resend(server: string, challenge: string): Promise<string | undefined> {
  return ask(server, async (api, signal) => {
    try {
      await dataOf(api.POST('/api/auth/resend', { body: { challenge }, signal }));
    } catch (error) {
      // People at a terminal see no headers.
      if (error instanceof ApiError && error.code === 'CODE_SENT_RECENTLY')
        return `A code was sent a moment ago: ask for another one in ${error.retryAfter ?? 30} s`;
      throw error;
    }
    return undefined;
  });
}

async function ask<T>(server: string, request: (api: ApiClient, signal: AbortSignal) => Promise<T>): Promise<T> {
  try {
    return await request(apiClient(server), AbortSignal.timeout(TIMEOUT_MS));
  } catch (error) {
    if (error instanceof Problem) throw error;
    if (!(error instanceof ApiError))
      throw new Exit(
        EXIT.failure,
        `${server} can't be reached (${sentence(error)}): is the platform up? hmsctl status shows it; --server names another one.`,
      );
    if (error.status === 401)
      throw new Exit(
        EXIT.notLoggedIn,
        `${error.reason || 'the login is refused'}: check hospital, e-mail and password, and log in with hmsctl login.`,
      );
    throw new Exit(EXIT.failure, failure(server, error));
  }
}

/** One sentence for a failure, which says what does not answer. */
function failure(server: string, error: ApiError): string {
  // The gateway's own answer, without a code of a module.
  if ([502, 503, 504].includes(error.status) && error.code === undefined)
    return `the gateway ${server} is up, but the module auth behind it does not answer (${error.status}): hmsctl status shows it. Try again in a moment.`;
  if (error.status === 503)
    return `${server} can't log anybody in at the moment: ${error.reason}${/[.!]$/.test(error.reason) ? '' : '.'} Try again in a moment.`;
  return `${server}${error.message}`;
}
