import type { Duplex } from 'node:stream';
import type { Logger } from 'pino';
import { addressOf } from './client.ts';
import type { Exchange } from './exchange.ts';
import type { BadRequest } from './under-way.ts';

/**
 * One line per request, including refused ones. It never contains queries, headers or bodies, because they may hold
 * tokens and patient data.
 */
export class AccessLog {
  readonly #log: Logger;

  constructor(log: Logger) {
    this.#log = log;
  }

  /** A request that has ended. */
  write(exchange: Exchange): void {
    const { route, service, status } = exchange;
    const level = levelOf(status);
    if (!this.#log.isLevelEnabled(level)) return;
    this.#log[level](
      {
        requestId: exchange.id,
        client: exchange.clientIp,
        method: exchange.method,
        host: exchange.host.slice(0, MAX_HOST),
        path: exchange.rawPath.slice(0, MAX_PATH).replaceAll(SECRET, '***'),
        status,
        route: route && (route.name ?? route.id),
        service: service && (service.name ?? service.id),
        consumer: exchange.consumer && (exchange.consumer.username ?? exchange.consumer.id),
        bytesIn: exchange.bytesIn,
        bytesOut: exchange.bytesOut,
        duration: exchange.totalMs(),
        upstreamDuration: exchange.proxied ? exchange.upstreamMs() : undefined,
      },
      'request',
    );
  }

  /** Input that was not HTTP, of which only the sender is known. */
  writeBad({ id, status, method, bytes }: BadRequest, socket: Duplex): void {
    const client = addressOf(socket);
    this.#log[levelOf(status)]({ requestId: id, client, method, status, bytesIn: 0, bytesOut: bytes }, 'request');
  }
}

function levelOf(status: number): 'warn' | 'info' {
  return status >= 500 ? 'warn' : 'info';
}

/** A part of a path that is longer than a UUID, such as the secret of a link. */
const SECRET = /[\w-]{40,}/g;

/** A head may have 32 KB, which is too long for a line of the log. */
const MAX_PATH = 1024;
const MAX_HOST = 255;
