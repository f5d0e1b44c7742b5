/**
 * Request paths as Kong 3.9 handles them. Paths are byte strings: one character per byte (latin1), as in HTTP.
 */

/** Decodes what needs no escape, merges slashes and removes dot segments (RFC 3986, 6.2.2). */
export function normalizePath(path: string): string {
  if (!UNUSUAL.test(path)) return path;
  const decoded = path.replace(/%([0-9A-Fa-f]{2})/g, (escaped, hex: string) => {
    const byte = Number.parseInt(hex, 16);
    return RESERVED.has(byte) ? escaped.toUpperCase() : String.fromCharCode(byte);
  });
  return removeDotSegments(decoded.replace(/\/{2,}/g, '/'));
}

/** Whether nginx answers a request path with 400: an invalid escape, a zero byte, more `..` than segments. */
export function isMalformedPath(path: string): boolean {
  if (!path.includes('%') && !path.includes('/..')) return false;
  if (BROKEN_ESCAPE.test(path)) return true;
  let depth = 0;
  for (const segment of path.split('/')) {
    const decoded = segment.replace(/%2e/gi, '.');
    if (decoded === '..') depth -= 1;
    else if (decoded !== '' && decoded !== '.') depth += 1;
    if (depth < 0) return true;
  }
  return false;
}

/** Escapes invalid characters of a path, and keeps existing escapes. */
export function escapePath(path: string): string {
  if (PLAIN.test(path)) return path;
  return path.replace(/[^!#$&'()*+,/:;=?@[\]A-Za-z0-9\-_.~%]/g, (character) => {
    return `%${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`;
  });
}

/**
 * The path that is sent upstream. `path_handling` of a route changes nothing, as in Kong with its default router.
 * @param base the service's path, `/` without one
 * @param path the normalised request path
 * @param matched how many characters of it the route's path matched. 0 keeps the whole path (strip_path false).
 */
export function joinPath(base: string, path: string, matched: number): string {
  if (matched === 0) {
    if (base.endsWith('/')) return base + path.slice(1);
    return path === '/' ? base : base + path;
  }
  const rest = withoutDots(path.slice(matched));
  const bare = base.endsWith('/') ? base.slice(0, -1) : base;
  if (rest === '') {
    const keepsSlash = path.endsWith('/') && (path.length > 1 || base.endsWith('/'));
    if (bare === '') return '/';
    return keepsSlash ? `${bare}/` : bare;
  }
  return rest.startsWith('/') ? bare + rest : `${bare}/${rest}`;
}

/**
 * The rest of a path without its stripped prefix. `/route../x` has no dot segment, but `../x` behind `/route`
 * would become one behind the service's path, and escape from it.
 */
function withoutDots(rest: string): string {
  return rest.replace(/^\.{1,2}(\/|$)/, '');
}

/**
 * The path and query that go upstream.
 * @param request the normalised path, how many of its characters the route's path matched, and the query
 * @param servicePath the service's path, if it has one
 */
export function upstreamPath(
  request: { readonly path: string; readonly matched: number; readonly query: string },
  { strip_path: isStripped }: { readonly strip_path: boolean },
  servicePath: string | null | undefined,
): string {
  const base = Buffer.from(servicePath ?? '/').toString('latin1');
  return escapePath(joinPath(base, request.path, isStripped ? request.matched : 0)) + request.query;
}

function removeDotSegments(path: string): string {
  if (!path.includes('/.')) return path;
  const normalized: string[] = [];
  const segments = path.split('/').slice(1);
  segments.forEach((segment, index) => {
    const last = index === segments.length - 1;
    if (segment === '..') normalized.pop();
    else if (segment !== '.') normalized.push(segment);
    if (last && (segment === '.' || segment === '..')) normalized.push('');
  });
  return `/${normalized.join('/')}`;
}

const BROKEN_ESCAPE = /%(?![0-9a-f]{2})|%00/i;

/** Matches if escaping would change nothing. */
const PLAIN = /^[\w/.-]*$/;

/** Matches if normalising could change something. */
const UNUSUAL = /%|\/\/|\/\./;

/** Decoding the escapes of these would change the meaning of a path. */
const RESERVED = new Set(Array.from("!#$&'()*+,/:;=?@[]%", (character) => character.charCodeAt(0)));
