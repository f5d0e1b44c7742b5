/**
 * The name in a Host header as nginx parses it for Kong: in lower case, without port and without the dot that ends a
 * full name, so that `st-mary.localhost.` does not bypass the routes of `st-mary.localhost`.
 * @returns undefined for what nginx answers with 400: no name, two dots in a row, a slash, a space, a control character
 */
export function hostName(authority: string): string | undefined {
  if (USUAL.test(authority)) return authority.toLowerCase();
  const name = /^(\[[^\]]*\]|[^:]*)/.exec(authority)?.[0] ?? '';
  return MALFORMED.test(name) ? undefined : name.replace(/\.$/, '').toLowerCase() || undefined;
}

/** Neither port nor dot to cut off. */
const USUAL = /^[\w-]+(\.[\w-]+)*$/;
const MALFORMED = /\.\.|[\p{Cc} /]/u;
