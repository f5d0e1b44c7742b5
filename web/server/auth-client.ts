/** Calls of the module auth on behalf of a browser. */
import type { Locals } from '@hms/service';
import type { Response } from 'express';
import { request } from 'undici';

export interface AuthAnswer {
  readonly status: number;
  /** The envelope. */
  readonly body: Envelope;
  readonly retryAfter: string | undefined;
}

interface Envelope {
  readonly success: boolean;
  readonly data?: unknown;
  readonly error?: { readonly code: string; readonly message: string };
}

/** The browser's request, for the limits and the log of auth. */
export interface Behalf {
  readonly client: string;
  readonly requestId: string;
}

export function behalfOf(response: Response): Behalf {
  const { client, requestId } = response.locals as Locals;
  return { client, requestId };
}

export interface AuthClient {
  /** @param timeout in milliseconds. @throws Error if auth does not answer in time with an envelope. */
  send(method: 'GET' | 'POST', path: string, behalf: Behalf, body?: object, timeout?: number): Promise<AuthAnswer>;
}

/** How long auth may take. Keycloak hashes passwords slowly on purpose. */
const TIMEOUT_MS = 30_000;

export function authClient(url: string): AuthClient {
  return {
    send: async (method, path, { client, requestId }, body, timeout = TIMEOUT_MS) => {
      const answer = await request(`${url}/api/auth/${path}`, {
        method,
        headers: {
          'X-Forwarded-For': client,
          'X-Request-ID': requestId,
          ...(body ? { 'Content-Type': 'application/json' } : {}),
        },
        ...(body ? { body: JSON.stringify(body) } : {}),
        signal: AbortSignal.timeout(timeout),
      });
      const envelope = (await answer.body.json()) as Envelope;
      if (typeof envelope?.success !== 'boolean')
        throw new Error(`auth answered ${answer.statusCode} with no envelope`);
      const retryAfter = answer.headers['retry-after'];
      return {
        status: answer.statusCode,
        body: envelope,
        retryAfter: typeof retryAfter === 'string' ? retryAfter : undefined,
      };
    },
  };
}
