import { randomUUID } from 'node:crypto';
import { headerName } from '../entities/common.ts';
import type { Exchange } from '../proxy/exchange.ts';
import { definePlugin } from './plugin.ts';

/** Gives each request an id of its own, or keeps the one that the client sent. */
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
    const generate: Record<typeof config.generator, (exchange: Exchange) => string> = {
      uuid: () => randomUUID(),
      'uuid#counter': () => `${process}#${++counter}`,
      tracker: ({ clientIp, port }) =>
        `${clientIp}-${port}-${globalThis.process.pid}-${++counter}-1-${Date.now() / 1000}`,
    };
    const lower = config.header_name.toLowerCase();
    return {
      access: (exchange) => {
        const given = exchange.requestHeader(lower);
        exchange.correlationId = given || generate[config.generator](exchange);
        if (!given) exchange.setRequestHeader(config.header_name, exchange.correlationId);
        return undefined;
      },
      headers: (exchange, head) => {
        if (config.echo_downstream && exchange.correlationId) head.set(config.header_name, exchange.correlationId);
      },
    };
  },
});
