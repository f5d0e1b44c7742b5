import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import type { Duplex } from 'node:stream';
import type { IpRanges } from './ip-ranges.ts';

/** Who asks, and how they reached the first proxy on their way. */
export interface Client {
  /** Of whoever opened the connection. */
  readonly peerIp: string;
  /** Of the client: the peer, or whom trusted peers speak for. */
  readonly ip: string;
  /** What a trusted peer says with X-Forwarded-*; empty from any other. */
  readonly forwarded: {
    readonly proto?: string;
    readonly host?: string;
    readonly port?: string;
    readonly path?: string;
    readonly prefix?: string;
  };
}

/**
 * What Kong makes of `trusted_ips` with `real_ip_header` X-Forwarded-For and `real_ip_recursive`: the last address that
 * is not a trusted one's. Without trusted peers nothing that a client says about itself counts.
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
  const named = {
    proto: text(headers['x-forwarded-proto']),
    host: text(headers['x-forwarded-host']),
    port: text(headers['x-forwarded-port']),
    path: text(headers['x-forwarded-path']),
    prefix: text(headers['x-forwarded-prefix']),
  };
  return { peerIp, ip, forwarded: Object.fromEntries(Object.entries(named).filter(([, value]) => value)) };
}

/** Of whoever is at the other end of a connection; IPv4 as IPv4. */
export function addressOf(socket: Duplex & { readonly remoteAddress?: string | undefined }): string {
  const remote = socket.remoteAddress ?? '';
  return remote.startsWith('::ffff:') ? remote.slice(7) : remote;
}

function text(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value.join(', ') : value;
}

const NOTHING: Client['forwarded'] = {};
