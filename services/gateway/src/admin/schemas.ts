import { randomUUID } from 'node:crypto';
import { NEVER } from '../entities/common.ts';
import { isKind, type Kind, schemas } from '../entities/index.ts';
import { pluginsByName } from '../plugins/index.ts';
import { publishSchema } from '../schema/publish.ts';
import { complete } from '../store/complete.ts';
import { AdminError } from '../store/errors.ts';
import type { Body } from './body.ts';
import type { Answer } from './call.ts';

/** `GET /schemas/{entity}`. */
export function entitySchema(name: string): Answer {
  const { fields, checks } = schemas[kindNamed(name)];
  return { status: 200, body: publishSchema(fields, checks) };
}

/** `GET /schemas/plugins/{name}`: what a plugin adds to the entity `plugins`. */
export function pluginSchema(name: string): Answer {
  const plugin = pluginsByName.get(name);
  if (!plugin) throw new AdminError(404, { message: `No plugin named '${name}'` });
  const { consumer, protocols } = schemas.plugins.fields;
  const fields = {
    ...(consumer && { consumer: plugin.noConsumer ? { ...consumer, never: NEVER } : consumer }),
    protocols: plugin.protocols ?? protocols,
    config: plugin.config,
  };
  return { status: 200, body: publishSchema(fields as typeof schemas.plugins.fields, plugin.checks ?? []) };
}

/**
 * `POST /schemas/{entity}/validate`: the errors that creating the entity would return, without checks against stored
 * entities.
 */
export function validateSchema(name: string, body: Body): Answer {
  const kind = kindNamed(name);
  complete(schemas[kind], { id: randomUUID(), ...body.for(kind) }, undefined);
  return { status: 200, body: { message: 'schema validation successful' } };
}

function kindNamed(name: string): Kind {
  if (!isKind(name)) throw new AdminError(404, { message: `No entity named '${name}'` });
  return name;
}
