import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import type { Duplex } from 'node:stream';
import type { IpRanges } from './ip-ranges.ts';

/** The client, and how it reached the first proxy. */
export interface Client {
  /** The address of the connection's peer. */
  readonly peerIp: string;
  /** The address of the client: the peer, or the client that trusted peers forward for. */
  readonly ip: string;
  /** The X-Forwarded-* headers of a trusted peer. Empty for any other. */
  readonly forwarded: {
    readonly proto?: string;
    readonly host?: string;
    readonly port?: string;
    readonly path?: string;
    readonly prefix?: string;
  };
}

/**
 * As Kong with `trusted_ips`, `real_ip_header` X-Forwarded-For and `real_ip_recursive`: the last address that
 * is not trusted. Without trusted peers, the client's own headers are ignored.
 */
export function clientOf({ socket, headers }: IncomingMessage, trusted: IpRanges | undefined): Client {
  const peerIp = addressOf(socket);
  if (!trusted || isIP(peerIp) === 0 || !trusted.has(peerIp)) return { peerIp, ip: peerIp, forwarded: NOTHING };
  let ip = peerIp;
  const hops = text(headers['x-forwarded-for'])?.split(',') ?? [];
  for (const hop of hops.reverse()) {
    const address = hop.trim();
    if (isIP(address) === 0) break;
    ip = address;
    if (!trusted.has(address)) break;
  }
  const forwarded = {
    proto: text(headers['x-forwarded-proto']),
    host: text(headers['x-forwarded-host']),
    port: text(headers['x-forwarded-port']),
    path: text(headers['x-forwarded-path']),
    prefix: text(headers['x-forwarded-prefix']),
  };
  return { peerIp, ip, forwarded: Object.fromEntries(Object.entries(forwarded).filter(([, value]) => value)) };
}

/** The remote address of a connection. A mapped IPv4 address is returned as IPv4. */
export function addressOf(socket: Duplex & { readonly remoteAddress?: string | undefined }): string {
  const remote = socket.remoteAddress ?? '';
  return remote.startsWith('::ffff:') ? remote.slice(7) : remote;
}

function text(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value.join(', ') : value;
}

const NOTHING: Client['forwarded'] = {};
