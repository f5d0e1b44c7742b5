import { BlockList, isIP } from 'node:net';
import { refuse } from '../proxy/replies.ts';
import { definePlugin } from './plugin.ts';

const ranges = { type: 'array', elements: { type: 'string', check: rangeError } } as const;

/** Lets clients in by their address. */
export const ipRestriction = definePlugin({
  name: 'ip-restriction',
  priority: 990,
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
    const denied = config.deny?.length ? blockList(config.deny) : undefined;
    const allowed = config.allow?.length ? blockList(config.allow) : undefined;
    return {
      access: ({ clientIp }) => {
        const family = isIP(clientIp) === 6 ? 'ipv6' : 'ipv4';
        if (!denied?.check(clientIp, family) && (!allowed || allowed.check(clientIp, family))) return undefined;
        return refuse(config.status ?? 403, config.message ?? `IP address not allowed: ${clientIp}`);
      },
    };
  },
});

function rangeError(range: string): string | undefined {
  const { address, bits } = parseRange(range);
  const family = isIP(address);
  const valid =
    family !== 0 && (bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (family === 6 ? 128 : 32)));
  return valid ? undefined : `invalid ip or cidr range: '${range}'`;
}

function blockList(entries: readonly string[]): BlockList {
  const list = new BlockList();
  for (const entry of entries) {
    const { address, bits } = parseRange(entry);
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4';
    if (bits === undefined) list.addAddress(address, family);
    else list.addSubnet(address, Number(bits), family);
  }
  return list;
}

function parseRange(range: string): { address: string; bits: string | undefined } {
  const slash = range.indexOf('/');
  return slash < 0
    ? { address: range, bits: undefined }
    : { address: range.slice(0, slash), bits: range.slice(slash + 1) };
}
