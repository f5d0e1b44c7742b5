import type { IncomingMessage, RequestListener } from 'node:http';
import type { Logger } from 'pino';
import { SERVER } from '../identity.ts';
import { addressOf } from '../proxy/client.ts';
import { hostName } from '../proxy/host.ts';
import { discardRest } from '../proxy/upload.ts';

/** The parts of a request that identify its caller. */
export interface Caller {
  /** The Host header. HTTP/1.0 may have none. */
  readonly host: string | undefined;
  readonly origin: string | undefined;
  /** Sec-Fetch-Site, which only browsers set. */
  readonly site: string | undefined;
  /** The local address of the connection. */
  readonly localAddress: string;
}

/**
 * Accepts calls of programs and refuses those of web pages. The listener requires no credentials, so a page in a
 * browser on this machine, or on a machine that reaches it, must not be able to use it.
 * @param names further hostnames of the listener
 */
export function refuseWebPages(names: readonly string[], log: Logger, handle: RequestListener): RequestListener {
  const allowed = new Set(names.map((name) => name.toLowerCase()));
  return (request, response) => {
    const message = refusalOf(callerOf(request), allowed);
    if (message === undefined) {
      handle(request, response);
      return;
    }
    const body = JSON.stringify({ message });
    log.warn({ client: addressOf(request.socket), method: request.method, status: 403 }, message);
    request.on('error', () => undefined);
    response.on('error', () => undefined);
    response.writeHead(403, {
      'Content-Type': 'application/json; charset=utf-8',
      'Content-Length': Buffer.byteLength(body),
      Server: SERVER,
    });
    response.end(request.method === 'HEAD' ? undefined : body);
    discardRest(request);
  };
}

/** Why a request is refused, or undefined if it may pass. */
export function refusalOf(
  { host, origin, site, localAddress }: Caller,
  names: ReadonlySet<string>,
): string | undefined {
  if (host !== undefined && !isOwnName(hostName(host), localAddress, names)) return FOREIGN_HOST;
  const isOwnPage =
    origin === undefined || (host !== undefined && origin.toLowerCase() === `http://${host}`.toLowerCase());
  const isOwnSite = site === undefined || site === 'same-origin' || site === 'none';
  return isOwnPage && isOwnSite ? undefined : FOREIGN_PAGE;
}

/** A foreign name that resolves to this listener would bypass the same-origin policy (DNS rebinding). */
function isOwnName(name: string | undefined, localAddress: string, names: ReadonlySet<string>): boolean {
  if (name === undefined) return false;
  const address = name.replace(/^\[(.*)\]$/, '$1');
  return LOOPBACK.test(address) || address === localAddress.replace(/^::ffff:/, '') || names.has(address);
}

/** Reads the caller from a request. */
export function callerOf({ headers, headersDistinct, socket }: IncomingMessage): Caller {
  const site = headers['sec-fetch-site'];
  return {
    // Two of them are no name of the listener.
    host: headersDistinct.host?.join(', '),
    origin: headers.origin,
    site: Array.isArray(site) ? site.join() : site,
    localAddress: socket.localAddress ?? '',
  };
}

const LOOPBACK = /^(localhost|.+\.localhost|127(\.\d{1,3}){3}|::1)$/;
const FOREIGN_HOST =
  'Host is not a name of the Admin API; write localhost or the address that it listens on, or add the name to GATEWAY_ADMIN_HOSTS';
const FOREIGN_PAGE =
  'Origin or Sec-Fetch-Site names another site: web pages may not call the Admin API; call it with a program such as curl or decK';
