import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { headerName } from '../entities/common.ts';
import type { Exchange } from '../proxy/exchange.ts';
import { isUuid } from '../proxy/request-id.ts';
import { definePlugin } from './plugin.ts';

/**
 * Puts the request's id into a header, or takes it from the header if the client sent a UUID. Kong keeps whatever the
 * client sent, in addition to its own id.
 */
export const correlationId = definePlugin({
  name: 'correlation-id',
  priority: 100001,
  config: {
    type: 'record',
    required: true,
    fields: {
      header_name: { ...headerName, required: true, default: 'Kong-Request-ID' },
      generator: {
        type: 'string',
        required: true,
        default: 'uuid#counter',
        oneOf: ['uuid', 'uuid#counter', 'tracker'],
      },
      echo_downstream: { type: 'boolean', required: true, default: false },
    },
  },
  prepare: (config) => {
    const process = randomUUID();
    let counter = 0;
    const connections = new Connections();
    const generate: Record<typeof config.generator, (exchange: Exchange) => string> = {
      uuid: ({ id }) => id,
      'uuid#counter': () => `${process}#${++counter}`,
      tracker: ({ request }) => {
        const { localAddress = '', localPort } = request.socket;
        const { serial, requests } = connections.count(request);
        const address = localAddress.startsWith('::ffff:') ? localAddress.slice(7) : localAddress;
        return `${address}-${localPort}-${globalThis.process.pid}-${serial}-${requests}-${(Date.now() / 1000).toFixed(3)}`;
      },
    };
    const lower = config.header_name.toLowerCase();
    return {
      access: (exchange) => {
        const [sentId, ...others] = exchange.headerValues(lower);
        const isKept = others.length === 0 && isUuid(sentId);
        exchange.id = isKept ? sentId : generate[config.generator](exchange);
        // Also if it is kept: a client can name it in Connection, and then it would not be passed on.
        exchange.setRequestHeader(config.header_name, exchange.id);
        return undefined;
      },
      headers: (exchange, head) => {
        if (config.echo_downstream) head.set(config.header_name, exchange.id);
      },
    };
  },
});

/** nginx's variables of a connection: its serial number, and how many requests it has carried. */
class Connections {
  #last = 0;
  readonly #counts = new WeakMap<object, { readonly serial: number; requests: number }>();

  count(request: IncomingMessage): { readonly serial: number; readonly requests: number } {
    const connection = connectionOf(request);
    const counts = this.#counts.get(connection) ?? { serial: ++this.#last, requests: 0 };
    if (counts.requests === 0) this.#counts.set(connection, counts);
    counts.requests += 1;
    return counts;
  }
}

/** In HTTP/2 each request has its own socket, and all share a session. */
function connectionOf(request: IncomingMessage & { readonly stream?: { readonly session?: object } }): object {
  return request.stream?.session ?? request.socket;
}
