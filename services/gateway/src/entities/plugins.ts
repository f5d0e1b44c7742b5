import { pluginsByName } from '../plugins/index.ts';
import type { EntityCheck, Fields, Row } from '../schema/field.ts';
import { createdAt, type EntitySchema, httpProtocols, id, NEVER, tags } from './common.ts';

const scope = (reference: string) => ({ type: 'foreign', reference, onDelete: 'cascade' }) as const;

const fields = {
  id,
  created_at: createdAt,
  updated_at: createdAt,
  name: { type: 'string', required: true },
  instance_name: { type: 'string', unique: true },
  route: scope('routes'),
  service: scope('services'),
  consumer: scope('consumers'),
  config: { type: 'record', required: true, fields: {} },
  protocols: httpProtocols,
  enabled: { type: 'boolean', required: true, default: true },
  tags,
} as const;

export type PluginRow = Row<Omit<typeof fields, 'config'>> & { config: Readonly<Record<string, unknown>> };

/** A plugin's configuration, attached to a route, a service, a consumer, several of them, or globally. */
export const plugins: EntitySchema = {
  name: 'plugins',
  path: 'plugins',
  key: 'instance_name',
  nested: [
    { under: 'routes', path: 'plugins', field: 'route' },
    { under: 'services', path: 'plugins', field: 'service' },
    { under: 'consumers', path: 'plugins', field: 'consumer' },
  ],
  fields,
  checks: [],
  uniqueTogether: ['consumer', 'name', 'route', 'service'],
  stamps: { created: 'created_at', updated: 'updated_at', unit: 's' },
  variant: ({ name }) => pluginVariant(name),
};

/** The schema of one plugin's rows, or the error of its name. */
function pluginVariant(
  name: unknown,
): { fields: Fields; checks: readonly EntityCheck[] } | { errors: Record<string, string> } {
  if (typeof name !== 'string') return { errors: { name: 'required field missing' } };
  const plugin = pluginsByName.get(name);
  if (!plugin)
    return { errors: { name: `plugin '${name}' not enabled; add it to the 'plugins' configuration property` } };
  const consumer = plugin.noConsumer ? { ...fields.consumer, never: NEVER } : fields.consumer;
  const protocols = plugin.protocols ?? fields.protocols;
  return { fields: { ...fields, consumer, protocols, config: plugin.config }, checks: plugin.checks ?? [] };
}
