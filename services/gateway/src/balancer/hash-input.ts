import { randomUUID } from 'node:crypto';
import type { Upstream } from '../entities/upstreams.ts';

/** What of a request may decide over its target. */
export interface Asker {
  readonly consumer: { readonly id: string } | undefined;
  readonly credential: { readonly id: string } | undefined;
  readonly clientIp: string;
  readonly path: string;
  readonly captures: Readonly<Record<string, string | undefined>> | undefined;
  readonly requestHeader: (lowerName: string) => string | undefined;
  readonly queryValues: (name: string) => string[];
  readonly cookie: (name: string) => string | undefined;
  /** A cookie that the answer gives the client. */
  newCookie: string | undefined;
}

/** The text that a request is told apart by: `hash_on`, else `hash_fallback`; undefined where neither is there. */
export function hashInput(upstream: Upstream, asker: Asker): string | undefined {
  return (
    textOf(asker, upstream.hash_on, {
      header: upstream.hash_on_header,
      argument: upstream.hash_on_query_arg,
      capture: upstream.hash_on_uri_capture,
      upstream,
    }) ??
    textOf(asker, upstream.hash_fallback, {
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

function textOf(asker: Asker, on: Upstream['hash_on'], names: Names): string | undefined {
  switch (on) {
    case 'none':
      return undefined;
    case 'consumer':
      return asker.consumer?.id ?? asker.credential?.id;
    case 'ip':
      return asker.clientIp;
    case 'header':
      return asker.requestHeader((names.header ?? '').toLowerCase()) || undefined;
    case 'cookie':
      return cookieOf(asker, names.upstream);
    case 'path':
      return asker.path;
    case 'query_arg':
      return asker.queryValues(names.argument ?? '').join(', ') || undefined;
    case 'uri_capture':
      return asker.captures?.[names.capture ?? ''];
  }
}

/** A client without the cookie is given one, so that it comes back to the same target. */
function cookieOf(asker: Asker, { hash_on_cookie: name, hash_on_cookie_path: path }: Upstream): string | undefined {
  if (name === null) return undefined;
  const present = asker.cookie(name);
  if (present !== undefined) return present;
  const made = randomUUID();
  // The spelling is Kong's.
  asker.newCookie = `${name}=${made}; Path=${path}; Same-Site=Lax; HttpOnly`;
  return made;
}
