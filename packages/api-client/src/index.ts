/** A client of all modules behind one gateway, typed by their OpenAPI documents. It runs in Node and in browsers. */
import createClient, { type FetchResponse, type MaybeOptionalInit } from 'openapi-fetch';
import type { HttpMethod, PathsWithMethod, RequiredKeysOf } from 'openapi-typescript-helpers';
import type { Paths, Schemas } from './types/paths.d.ts';

export type { Paths, Schemas } from './types/paths.d.ts';

/** The tokens of a login that needs no second factor. @throws Error if a code was sent by e-mail. */
export function tokensIn(outcome: Schemas['LoginOutcome']): Schemas['Session'] {
  if ('accessToken' in outcome) return outcome;
  throw new Error(`the login waits for the code that was sent to ${outcome.sentTo}`);
}

type Options<Path extends keyof Paths, Method extends HttpMethod> = MaybeOptionalInit<
  Paths[Path],
  Method & keyof Paths[Path]
>;

/** openapi-fetch infers the type of the options from the options, so it would let unknown fields of a body pass. */
type Send<Method extends HttpMethod> = <Path extends PathsWithMethod<Paths, Method>>(
  path: Path,
  ...options: RequiredKeysOf<Options<Path, Method>> extends never
    ? [options?: Options<Path, Method>]
    : [options: Options<Path, Method>]
) => Promise<
  FetchResponse<Paths[Path][Method & keyof Paths[Path]] & Record<string, unknown>, object, `${string}/${string}`>
>;

export interface ApiClient {
  readonly GET: Send<'get'>;
  readonly POST: Send<'post'>;
  readonly PUT: Send<'put'>;
  readonly DELETE: Send<'delete'>;
}

/** How requests are sent, instead of with a fixed token. */
export type SendRequest = (request: Request) => Promise<Response>;

/**
 * For example `apiClient(url, token).GET('/api/hms/patients', { params: { query: { q: 'jane' } } })`. The answer has
 * the envelope as `data`, or as `error`, and the `response` with its status and headers.
 * @param baseUrl public address of the gateway, or of one module.
 * @param access access token, for all requests, or what sends them with one.
 */
export function apiClient(baseUrl: string, access?: string | SendRequest): ApiClient {
  return createClient<Paths>({
    baseUrl,
    ...(typeof access === 'string' ? { headers: { Authorization: `Bearer ${access}` } } : {}),
    ...(typeof access === 'function' ? { fetch: access } : {}),
  }) as ApiClient;
}

/** What a request that failed was answered. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly status: number;
  /** Code of a module's error. The gateway's own errors have none. */
  readonly code: string | undefined;
  /** The sentence of the module or of the gateway for a person, or the start of the body. */
  readonly reason: string;
  readonly details: Readonly<Record<string, unknown>>;
  /** Names the request in all logs. */
  readonly requestId: string | undefined;
  /** Seconds until a retry may succeed. */
  readonly retryAfter: number | undefined;

  /** @param body decoded from JSON, or a text. */
  constructor(response: Response, body: unknown) {
    const { error, message } = (typeof body === 'object' && body !== null ? body : {}) as {
      error?: { code?: string; message?: string; details?: Readonly<Record<string, unknown>> };
      message?: string;
    };
    const text = typeof body === 'string' ? body : (JSON.stringify(body) ?? '');
    const reason = error?.message ?? message ?? text.slice(0, 300);
    const id = response.headers.get('X-Request-ID') ?? undefined;
    super(
      `${new URL(response.url).pathname} answered ${response.status}${id ? ` (X-Request-ID ${id})` : ''}: ${reason}`,
    );
    this.status = response.status;
    this.code = error?.code;
    this.reason = reason;
    this.details = error?.details ?? {};
    this.requestId = id;
    this.retryAfter = Number(response.headers.get('Retry-After')) || undefined;
  }
}

/**
 * The `data` of a module's envelope.
 * @throws ApiError for any answer but a success. Whatever fetch throws if there is no answer.
 */
export async function dataOf<Data>(request: Promise<Outcome<{ readonly data: Data }>>): Promise<Data> {
  return (await envelopeOf(request)).data;
}

/**
 * The whole envelope, for lists: `data` and `meta`.
 * @throws ApiError for any answer but a success. Whatever fetch throws if there is no answer.
 */
export async function envelopeOf<Envelope extends { readonly data: unknown }>(
  request: Promise<Outcome<Envelope>>,
): Promise<Envelope> {
  const { data, error, response } = await request;
  // Something else than the platform may answer with a success.
  if (!response.ok || data?.data === undefined) throw new ApiError(response, error ?? data);
  return data;
}

interface Outcome<Envelope> {
  readonly data?: Envelope;
  readonly error?: unknown;
  readonly response: Response;
}
