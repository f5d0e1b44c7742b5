import type { Exchange } from '../proxy/exchange.ts';
import { compile } from '../proxy/patterns.ts';

/**
 * A request as Kong's plugins see it, in the form of its echo: headers in lower case, with the changes of plugins,
 * repeated names with a list, the body as text and, if its type is known, parsed. Reads the body.
 */
export async function describeRequest(exchange: Exchange): Promise<object> {
  const { scheme, host, port, method, path, query } = exchange;
  const raw = await bodyOf(exchange);
  return {
    scheme,
    host,
    port,
    method,
    path: utf8(path),
    headers: headersOf(exchange),
    query: argumentsOf(query.slice(1)),
    raw_body: raw?.toString(),
    body: raw && (await parsed(raw, exchange.requestHeader('content-type') ?? '')),
    uri_captures: capturesOf(exchange),
  };
}

/** Empty without a body, undefined if it is too large to keep. */
async function bodyOf(exchange: Exchange): Promise<Buffer | undefined> {
  const { headers } = exchange.request;
  const length = Number(headers['content-length'] ?? 0);
  if (headers['transfer-encoding'] === undefined && length === 0) return Buffer.alloc(0);
  if (length > BODY_BYTES) return undefined;
  if (!exchange.body) await exchange.storeBody(BODY_BYTES).catch(() => undefined);
  return exchange.body && exchange.body.bytes <= BODY_BYTES ? exchange.body.memory : undefined;
}

async function parsed(raw: Buffer, contentType: string): Promise<unknown> {
  const type = contentType.split(';')[0]?.trim().toLowerCase();
  try {
    if (type === 'application/json') return table(JSON.parse(raw.toString()));
    if (type === 'application/x-www-form-urlencoded') return argumentsOf(raw.toString());
    if (type !== 'multipart/form-data') return undefined;
    const form = await new Response(new Uint8Array(raw), { headers: { 'content-type': contentType } }).formData();
    const parts = new Map<string, string[]>();
    for (const [name, value] of form) add(parts, name, typeof value === 'string' ? value : await value.text());
    return plain(parts);
  } catch {
    return undefined;
  }
}

/** For Kong, JSON that is neither an object nor a list is not a body. */
function table(value: unknown): unknown {
  return typeof value === 'object' && value !== null ? value : undefined;
}

function headersOf({ request, requestChanges }: Exchange): object {
  const headers = new Map<string, string[]>();
  // HTTP/2 has another name for it.
  if (request.headers.host !== undefined) headers.set('host', [request.headers.host]);
  for (let index = 0; index < request.rawHeaders.length; index += 2) {
    const name = String(request.rawHeaders[index]).toLowerCase();
    if (name !== 'host') add(headers, name, utf8(String(request.rawHeaders[index + 1])));
  }
  for (const [name, { value }] of requestChanges ?? []) {
    if (value === undefined) headers.delete(name);
    else headers.set(name, [value]);
  }
  return plain(headers);
}

/** As nginx's Lua module decodes them: true for a name without `=`, nothing for a value without a name. */
function argumentsOf(text: string): object {
  const values = new Map<string, (string | true)[]>();
  for (const pair of text.split('&').slice(0, MAX_ARGUMENTS)) {
    for (const [name, value] of new URLSearchParams(pair)) {
      if (name !== '') add(values, name, pair.includes('=') ? value : true);
    }
  }
  return plain(values);
}

function capturesOf({ route, path }: Exchange): object {
  for (const pattern of route?.paths ?? []) {
    const match = pattern?.startsWith('~') ? compile(pattern.slice(1), true).pattern?.exec(path) : undefined;
    if (!match) continue;
    const named = Object.entries(match.groups ?? {}).map(([name, part]) => [name, part && utf8(part)]);
    return { named: Object.fromEntries(named), unnamed: match.slice(1).map((part) => utf8(part ?? '')) };
  }
  return { named: {}, unnamed: [] };
}

function add<T>(lists: Map<string, T[]>, name: string, value: T): void {
  const list = lists.get(name);
  if (list) list.push(value);
  else lists.set(name, [value]);
}

function plain<T>(lists: ReadonlyMap<string, T[]>): object {
  return Object.fromEntries([...lists].map(([name, list]) => [name, list.length > 1 ? list : list[0]]));
}

/** Decodes text that has one character per byte. */
function utf8(latin1: string): string {
  return Buffer.from(latin1, 'latin1').toString();
}

/** nginx: client_body_buffer_size. Larger bodies go to a file, which Kong's plugins do not read. */
const BODY_BYTES = 8 * 1024;
/** nginx: lua_max_post_args, lua_max_uri_args. */
const MAX_ARGUMENTS = 100;
