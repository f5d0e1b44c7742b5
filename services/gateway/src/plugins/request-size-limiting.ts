import { refuse } from '../proxy/replies.ts';
import { definePlugin } from './plugin.ts';

const UNITS = { megabytes: 1024 * 1024, kilobytes: 1024, bytes: 1 } as const;

/** Refuses bodies above a size, by their declared length or while they come in. */
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
        if (length !== undefined && Number(length) > limit) {
          const expects = exchange.requestHeader('expect')?.toLowerCase() === '100-continue';
          return refuse(expects ? 417 : 413, 'Request size limit exceeded');
        }
        if (length === undefined && !chunked && config.require_content_length) {
          return refuse(411, 'A valid Content-Length header is required');
        }
        // A chunked body has no length yet: it is counted while it passes.
        exchange.bodyLimit = limit;
        return undefined;
      },
    };
  },
});
