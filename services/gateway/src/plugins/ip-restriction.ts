import { IpRanges, rangeError } from '../proxy/ip-ranges.ts';
import { refuse } from '../proxy/replies.ts';
import { definePlugin } from './plugin.ts';

const ranges = { type: 'array', elements: { type: 'string', check: rangeError } } as const;

/** Admits clients by their address. */
export const ipRestriction = definePlugin({
  name: 'ip-restriction',
  priority: 990,
  protocols: {
    type: 'set',
    required: true,
    default: ['http', 'https', 'tcp', 'tls', 'grpc', 'grpcs'],
    elements: { type: 'string', oneOf: ['grpc', 'grpcs', 'http', 'https', 'tcp', 'tls', 'tls_passthrough', 'udp'] },
  },
  config: {
    type: 'record',
    required: true,
    fields: {
      allow: ranges,
      deny: ranges,
      status: { type: 'number' },
      message: { type: 'string' },
    },
  },
  checks: [{ atLeastOneOf: ['config.allow', 'config.deny'] }],
  prepare: (config) => {
    const denied = config.deny?.length ? new IpRanges(config.deny) : undefined;
    const allowed = config.allow?.length ? new IpRanges(config.allow) : undefined;
    return {
      access: ({ clientIp }) => {
        if (!denied?.has(clientIp) && (!allowed || allowed.has(clientIp))) return undefined;
        return refuse(config.status ?? 403, config.message ?? `IP address not allowed: ${clientIp}`);
      },
    };
  },
});
