import { type ClientRequest, request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { type Duplex, pipeline } from 'node:stream';
import type { Peer, Ready } from '../runtime/route-runtime.ts';
import type { Exchange } from './exchange.ts';
import { failureOf, failureReply } from './failures.ts';
import { upstreamPath } from './forward.ts';
import { type Reply, refuse } from './replies.ts';
import { relayedHead } from './respond.ts';
import { upstreamHeaders } from './upstream-headers.ts';

/** Asks the upstream for the same protocol switch, and joins both connections when it agrees. */
export function tunnel(
  exchange: Exchange,
  client: Duplex,
  early: Buffer,
  runtime: Ready,
  reply: (reply: Reply) => void,
): void {
  attempt(exchange, client, early, runtime, reply, runtime.service.retries);
}

function attempt(
  exchange: Exchange,
  client: Duplex,
  early: Buffer,
  runtime: Ready,
  reply: (reply: Reply) => void,
  retriesLeft: number,
  tried: Set<object> = new Set(),
): void {
  const { service, destination } = runtime;
  const peer = destination.next(exchange, tried);
  if (!peer) {
    reply(refuse(503, 'failure to get a peer from the ring-balancer'));
    return;
  }
  exchange.markDispatched();
  const upstream = open(exchange, runtime, peer);
  const abandon = () => upstream.destroy();
  client.once('close', abandon);
  client.once('close', peer.release);
  upstream.setTimeout(service.read_timeout, () => {
    upstream.destroy(Object.assign(new Error('The upstream did not answer in time'), { code: 'ETIMEDOUT' }));
  });
  upstream.once('upgrade', (response, socket, head) => {
    client.off('close', abandon);
    exchange.status = 101;
    writeHead(client, exchange, runtime, response);
    join(client, early, socket, head, Math.max(service.read_timeout, service.write_timeout));
  });
  upstream.once('response', (response) => {
    exchange.status = response.statusCode ?? 502;
    writeHead(client, exchange, runtime, response);
    pipeline(response, client, () => undefined);
  });
  upstream.once('error', (error) => {
    client.off('close', abandon);
    if (client.destroyed || exchange.status !== 0) return;
    const failure = failureOf(error);
    peer.report(failure === 'timeout' ? 'timeout' : 'tcp_failure');
    peer.release();
    tried.add(peer.id);
    if (retriesLeft > 0 && failure === 'connection') {
      setImmediate(() => attempt(exchange, client, early, runtime, reply, retriesLeft - 1, tried));
      return;
    }
    const own = failureReply(exchange, failure);
    if (own) reply(own);
    else client.destroy();
  });
  upstream.end();
}

function open(exchange: Exchange, runtime: Ready, peer: Peer): ClientRequest {
  const hostHeader = runtime.route.preserve_host ? exchange.authority : peer.hostHeader;
  const headers = [
    ...upstreamHeaders(exchange, hostHeader),
    'Connection',
    'keep-alive, Upgrade',
    'Upgrade',
    'websocket',
  ];
  const { hostname, port, protocol } = new URL(peer.origin);
  const options = {
    host: hostname.replace(/^\[|\]$/g, ''),
    port: port || (protocol === 'https:' ? 443 : 80),
    method: exchange.method,
    path: upstreamPath(exchange, runtime),
    headers,
    agent: false,
  } as const;
  return protocol === 'https:'
    ? httpsRequest({ ...options, rejectUnauthorized: runtime.service.tls_verify === true })
    : httpRequest(options);
}

function writeHead(client: Duplex, exchange: Exchange, { chain }: Ready, response: IncomingMessage): void {
  const { flat } = relayedHead(exchange, chain, response.rawHeaders);
  const connection =
    response.statusCode === 101 ? ['Connection: Upgrade', 'Upgrade: websocket'] : ['Connection: close'];
  const lines = [`HTTP/1.1 ${response.statusCode} ${response.statusMessage ?? ''}`, ...connection];
  for (let index = 0; index < flat.length; index += 2) lines.push(`${flat[index]}: ${flat[index + 1]}`);
  client.write(Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'));
}

/** Passes bytes both ways until one side ends, or nothing comes for a while; what was on its way still arrives. */
function join(client: Duplex, early: Buffer, upstream: Duplex, head: Buffer, idleMs: number): void {
  if (head.length > 0) client.write(head);
  if (early.length > 0) upstream.write(early);
  const end = () => {
    clearTimeout(timer);
    client.destroy();
    upstream.destroy();
  };
  const timer = setTimeout(end, idleMs).unref();
  const alive = () => timer.refresh();
  client
    .on('data', alive)
    .on('error', end)
    .on('close', end)
    .once('end', () => upstream.end(end));
  upstream
    .on('data', alive)
    .on('error', end)
    .on('close', end)
    .once('end', () => client.end(end));
  client.pipe(upstream, { end: false });
  upstream.pipe(client, { end: false });
}
