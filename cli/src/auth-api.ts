/** A client of the auth module behind a gateway: POST /api/auth/{login,refresh}. */
import { sentence } from '@hms/local';
import { fetch } from 'undici';
import { EXIT, Exit } from './exit.ts';

export interface Tokens {
  readonly accessToken: string;
  readonly refreshToken: string;
  /** Seconds. */
  readonly expiresIn: number;
  readonly refreshExpiresIn: number;
}

export interface Credentials {
  readonly hospital: string;
  readonly email: string;
  readonly password: string;
}

/** @param server public address of the gateway. */
export function login(server: string, credentials: Credentials): Promise<Tokens> {
  return post(server, '/api/auth/login', credentials);
}

export function refresh(server: string, refreshToken: string): Promise<Tokens> {
  return post(server, '/api/auth/refresh', { refreshToken });
}

async function post(server: string, path: string, body: object): Promise<Tokens> {
  let status: number;
  let text: string;
  try {
    const answer = await fetch(`${server}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(30_000),
    });
    status = answer.status;
    text = await answer.text();
  } catch (error) {
    throw new Exit(
      EXIT.failure,
      `${server} can't be reached (${sentence(error)}): is the platform up? hmsctl status shows it; --server names another one.`,
    );
  }
  const answer = parse(text);
  if (status === 401)
    throw new Exit(
      EXIT.notLoggedIn,
      `${answer.error?.message ?? 'the login is refused'}: check hospital, e-mail and password, and log in with hmsctl login.`,
    );
  if (status >= 300 || !answer.data)
    throw new Exit(
      EXIT.failure,
      `${server}${path} answered ${status}: ${answer.error?.message ?? answer.message ?? text.slice(0, 200)}`,
    );
  return answer.data;
}

function parse(text: string): { data?: Tokens; error?: { message?: string }; message?: string } {
  try {
    return JSON.parse(text) as ReturnType<typeof parse>;
  } catch {
    return {};
  }
}
