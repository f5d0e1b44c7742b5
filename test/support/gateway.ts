/** A client of the platform through the gateway. */
import { type ApiClient, apiClient } from '@hms/api-client';
import { demonstrationSession } from '@hms/local';
import type { ConsoleRole, HospitalRole } from '@hms/tenancy';
import { request } from 'undici';
import { platform } from '../platform.ts';

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
  /** Body decoded from JSON, or undefined if it is not JSON. */
  readonly body: Body | undefined;
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

/** The typed client of the modules, through the gateway. */
export function api(token?: string): ApiClient {
  return apiClient(platform().gateway.proxy, token);
}

/** Any request through the gateway's proxy, also one that no typed client would send. */
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
  return { status: statusCode, headers: answered, text, body: parse(text) };
}

/** Logs in a person of the hospital or of `console`, who is created on demand. @returns the access token. */
export async function tokenOf(hospital: string, role: HospitalRole | ConsoleRole): Promise<string> {
  return (await demonstrationSession(platform(), hospital, role)).accessToken;
}

function parse(text: string): Answer['body'] {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
