/** A client of the platform through the gateway. */
import { demonstrationUser } from '@hms/local';
import type { ConsoleRole, HospitalRole } from '@hms/tenancy';
import { request } from 'undici';
import { platform } from '../platform.ts';

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
  /** Body decoded from JSON, or undefined if it is not JSON. */
  readonly body: Body | undefined;
  /** `data` of a success. @throws Error with the response otherwise. */
  data<T>(): T;
}

/** The modules' envelope, or the gateway's own `message`. */
interface Body {
  readonly success?: boolean;
  readonly data?: unknown;
  readonly message?: string;
  readonly error?: {
    readonly code: string;
    readonly message: string;
    readonly details?: { readonly fields?: readonly { readonly field: string }[] };
    readonly timestamp: string;
  };
}

export interface CallOptions {
  readonly token?: string;
  /** The Host header, instead of the gateway's own. */
  readonly host?: string;
  readonly body?: unknown;
  readonly raw?: Buffer | string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A request through the gateway's proxy. */
export async function call(method: string, path: string, options: CallOptions = {}): Promise<Answer> {
  const { token, host, body, raw, headers } = options;
  const sent = raw ?? (body === undefined ? undefined : JSON.stringify(body));
  const {
    statusCode,
    headers: answered,
    body: stream,
  } = await request(platform().gateway.proxy + path, {
    method,
    headers: {
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(token ? { authorization: `Bearer ${token}` } : {}),
      ...(host ? { host } : {}),
      ...headers,
    },
    ...(sent === undefined ? {} : { body: sent }),
  });
  const text = await stream.text();
  const decoded = parse(text);
  return {
    status: statusCode,
    headers: answered,
    text,
    body: decoded,
    data<T>() {
      if (!decoded?.success) throw new Error(`${method} ${path} answered ${statusCode}: ${text.slice(0, 500)}`);
      return decoded.data as T;
    },
  };
}

/** Logs in a person of the hospital or of `console`, who is created on demand. @returns the access token. */
export async function tokenOf(hospital: string, role: HospitalRole | ConsoleRole): Promise<string> {
  const login = await demonstrationUser(platform(), hospital, role);
  const session = await call('POST', '/api/auth/login', { body: login });
  return session.data<{ accessToken: string }>().accessToken;
}

function parse(text: string): Answer['body'] {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
