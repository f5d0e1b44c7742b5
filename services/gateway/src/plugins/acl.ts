import { refuse } from '../proxy/replies.ts';
import { definePlugin } from './plugin.ts';

const groups = { type: 'array', elements: { type: 'string' } } as const;

/** Admits consumers by their groups. */
export const acl = definePlugin({
  name: 'acl',
  priority: 950,
  noConsumer: true,
  config: {
    type: 'record',
    required: true,
    fields: {
      allow: groups,
      deny: groups,
      hide_groups_header: { type: 'boolean', required: true, default: false },
      always_use_authenticated_groups: { type: 'boolean', required: true, default: false },
    },
  },
  checks: [{ onlyOneOf: ['config.allow', 'config.deny'] }, { atLeastOneOf: ['config.allow', 'config.deny'] }],
  prepare: (config, services) => {
    const listed = new Set(config.allow?.length ? config.allow : config.deny);
    const listedMayPass = Boolean(config.allow?.length);
    return {
      access: (exchange) => {
        if (!exchange.consumer) {
          return exchange.credential ? refuse(403, 'You cannot consume this service') : refuse(401, 'Unauthorized');
        }
        const own = services.groupsOf(exchange.consumer.id);
        if (own.some((group) => listed.has(group)) !== listedMayPass) {
          return refuse(403, 'You cannot consume this service');
        }
        if (!config.hide_groups_header) exchange.setRequestHeader('X-Consumer-Groups', own.join(', '));
        return undefined;
      },
    };
  },
});
