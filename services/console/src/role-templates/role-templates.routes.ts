import { fields, type Platform, type Route, route, STALE_VERSION, single } from '@hms/service';
import { z } from 'zod';
import { ROLE_TEMPLATE_NAME_TAKEN, ROLE_TEMPLATE_NOT_FOUND, SYSTEM_TEMPLATE } from './role-templates.errors.ts';
import {
  listPermissions,
  newRoleTemplate,
  permission,
  roleTemplate,
  roleTemplateChanges,
} from './role-templates.schema.ts';
import { changeTemplate, createTemplate, listTemplates, readTemplate } from './role-templates.store.ts';

const PATH = '/api/console/role-templates';

/** They belong to no hospital, so each route has its own transaction. */
export function roleTemplateRoutes({ db }: Pick<Platform, 'db'>): readonly Route[] {
  const step = (name: 'retire' | 'restore', status: 'retired' | 'active', summary: string, description: string) =>
    route({
      method: 'POST',
      path: `${PATH}/:id/${name}`,
      operationId: `${name}RoleTemplate`,
      summary,
      description,
      access: 'templates.write',
      database: 'none',
      params: fields.idParams,
      body: z.object({ version: fields.version }),
      response: roleTemplate,
      errors: [ROLE_TEMPLATE_NOT_FOUND, SYSTEM_TEMPLATE, STALE_VERSION],
      handler: async (context) => {
        const { id } = context.params;
        return single(await changeTemplate(db, context, { id, version: context.version, changes: { status } }));
      },
    });
  return [
    route({
      method: 'GET',
      path: '/api/console/permissions',
      operationId: 'listPermissions',
      summary: 'List what a role can allow',
      access: 'templates.read',
      database: 'none',
      response: z.array(permission),
      handler: async () => ({ data: listPermissions() }),
    }),
    route({
      method: 'GET',
      path: PATH,
      operationId: 'listRoleTemplates',
      summary: 'List role templates, those of the interface first',
      access: 'templates.read',
      database: 'none',
      response: z.array(roleTemplate),
      handler: async () => ({ data: await listTemplates(db) }),
    }),
    route({
      method: 'POST',
      path: PATH,
      operationId: 'createRoleTemplate',
      summary: 'Create a role for every hospital',
      description:
        'The operator creates the role in the realm of each hospital, usually within seconds. Hospitals can then give it to employees.',
      access: 'templates.write',
      database: 'none',
      body: newRoleTemplate,
      response: roleTemplate,
      status: 201,
      errors: [ROLE_TEMPLATE_NAME_TAKEN],
      handler: async (context) => single(await createTemplate(db, context, context.body)),
    }),
    route({
      method: 'GET',
      path: `${PATH}/:id`,
      operationId: 'readRoleTemplate',
      summary: 'Read a role template',
      access: 'templates.read',
      database: 'none',
      params: fields.idParams,
      response: roleTemplate,
      errors: [ROLE_TEMPLATE_NOT_FOUND],
      handler: async (context) => single(await readTemplate(db, context.params.id)),
    }),
    route({
      method: 'PUT',
      path: `${PATH}/:id`,
      operationId: 'changeRoleTemplate',
      summary: 'Change what a role allows at every hospital',
      description: 'It holds within 3 seconds for people who are logged in. What a hospital withholds stays withheld.',
      access: 'templates.write',
      database: 'none',
      params: fields.idParams,
      body: roleTemplateChanges,
      response: roleTemplate,
      errors: [ROLE_TEMPLATE_NOT_FOUND, SYSTEM_TEMPLATE, STALE_VERSION],
      handler: async (context) => {
        const { description, permissions } = context.body;
        const changes = {
          ...(description === undefined ? {} : { description }),
          ...(permissions === undefined ? {} : { permissions }),
        };
        return single(await changeTemplate(db, context, { id: context.params.id, version: context.version, changes }));
      },
    }),
    step(
      'retire',
      'retired',
      'Retire a role template',
      'The role gives no permissions any more, and nobody else can get it. People who have it keep its name.',
    ),
    step(
      'restore',
      'active',
      'Restore a retired role template',
      'People who have kept the role have its permissions again.',
    ),
  ];
}
