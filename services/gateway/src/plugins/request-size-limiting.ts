import type { Exchange } from '../proxy/exchange.ts';
import { tooLarge } from '../proxy/failures.ts';
import { refuse } from '../proxy/replies.ts';
import { definePlugin } from './plugin.ts';

const UNITS = { megabytes: 1024 * 1024, kilobytes: 1024, bytes: 1 } as const;

/** Refuses bodies above a size: by their declared length, otherwise once they are received. */
export const requestSizeLimiting = definePlugin({
  name: 'request-size-limiting',
  priority: 951,
  config: {
    type: 'record',
    required: true,
    fields: {
      allowed_payload_size: { type: 'integer', required: true, default: 128 },
      size_unit: { type: 'string', required: true, default: 'megabytes', oneOf: ['megabytes', 'kilobytes', 'bytes'] },
      require_content_length: { type: 'boolean', required: true, default: false },
    },
  },
  prepare: (config) => {
    const limit = config.allowed_payload_size * UNITS[config.size_unit];
    return {
      access: (exchange) => {
        const length = exchange.requestHeader('content-length');
        const chunked = exchange.requestHeader('transfer-encoding') !== undefined;
        if (length !== undefined) return Number(length) > limit ? tooLarge(exchange) : undefined;
        if (chunked) return measure(exchange, limit);
        return config.require_content_length ? refuse(411, 'A valid Content-Length header is required') : undefined;
      },
    };
  },
});

/** A chunked body is forwarded with its length, which is known once it is received. */
async function measure(exchange: Exchange, limit: number): Promise<undefined> {
  const { bytes } = await exchange.storeBody(limit);
  exchange.setRequestHeader('Content-Length', String(bytes));
}
