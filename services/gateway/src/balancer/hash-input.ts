import { randomUUID } from 'node:crypto';
import type { Upstream } from '../entities/upstreams.ts';

/** The parts of a request that can select its target. */
export interface HashedRequest {
  readonly consumer: { readonly id: string } | undefined;
  readonly credential: { readonly id: string } | undefined;
  readonly clientIp: string;
  readonly path: string;
  readonly captures: Readonly<Record<string, string | undefined>> | undefined;
  readonly requestHeader: (lowerName: string) => string | undefined;
  readonly queryValues: (name: string) => string[];
  readonly cookie: (name: string) => string | undefined;
  /** A cookie that the response sets. */
  newCookie: string | undefined;
}

/** The text to hash: of `hash_on`, otherwise of `hash_fallback`. Undefined if the request has neither. */
export function hashInput(upstream: Upstream, request: HashedRequest): string | undefined {
  return (
    textOf(request, upstream.hash_on, {
      header: upstream.hash_on_header,
      argument: upstream.hash_on_query_arg,
      capture: upstream.hash_on_uri_capture,
      upstream,
    }) ??
    textOf(request, upstream.hash_fallback, {
      header: upstream.hash_fallback_header,
      argument: upstream.hash_fallback_query_arg,
      capture: upstream.hash_fallback_uri_capture,
      upstream,
    })
  );
}

interface Names {
  readonly header: string | null;
  readonly argument: string | null;
  readonly capture: string | null;
  readonly upstream: Upstream;
}

function textOf(request: HashedRequest, on: Upstream['hash_on'], names: Names): string | undefined {
  switch (on) {
    case 'none':
      return undefined;
    case 'consumer':
      return request.consumer?.id ?? request.credential?.id;
    case 'ip':
      return request.clientIp;
    case 'header':
      return request.requestHeader((names.header ?? '').toLowerCase()) || undefined;
    case 'cookie':
      return cookieOf(request, names.upstream);
    case 'path':
      return request.path;
    case 'query_arg':
      return request.queryValues(names.argument ?? '').join(', ') || undefined;
    case 'uri_capture':
      return request.captures?.[names.capture ?? ''];
  }
}

/** A client without the cookie gets one, so that its next requests go to the same target. */
function cookieOf(
  request: HashedRequest,
  { hash_on_cookie: name, hash_on_cookie_path: path }: Upstream,
): string | undefined {
  if (name === null) return undefined;
  const present = request.cookie(name);
  if (present !== undefined) return present;
  const value = randomUUID();
  // The spelling is Kong's.
  request.newCookie = `${name}=${value}; Path=${path}; Same-Site=Lax; HttpOnly`;
  return value;
}
