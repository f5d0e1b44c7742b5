import { fields } from '@hms/service';
import { PERMISSION_NAMES, PERMISSIONS, type Permission } from '@hms/tenancy';
import { z } from 'zod';

/** Only an owner may have these, because whoever has them decides what everybody else may do. */
const OF_OWNERS = PERMISSION_NAMES.hospital.filter((name) => PERMISSIONS[name].roles.every((role) => role === 'OWNER'));
const GRANTABLE = PERMISSION_NAMES.hospital.filter((name) => !OF_OWNERS.includes(name)) as [
  Permission,
  ...Permission[],
];

const description = fields.line(200).describe('What people with the role do, such as `Keeps the files of a ward`');
const permissions = z
  .array(
    z.enum(GRANTABLE, { error: 'must be a permission that a template can have: see GET /api/console/permissions' }),
  )
  .max(GRANTABLE.length)
  .refine((given) => new Set(given).size === given.length, 'must not have a permission twice')
  .describe('What people with the role may do');

export const roleTemplate = z
  .object({
    id: z.uuid(),
    name: z.string().describe('Name of the role in each hospital'),
    appliesTo: z.enum(['hospital', 'platform']).describe('Whose people can have the role'),
    description: z.string(),
    permissions: z.array(z.string()),
    isSystem: z.boolean().describe('Whether it is a role of the interface, which nobody can change'),
    status: z.enum(['active', 'retired']).describe('A retired template gives no permissions'),
    version: z.int(),
    createdAt: fields.timestamp,
    updatedAt: fields.timestamp,
  })
  .meta({ id: 'RoleTemplate' });
export type RoleTemplate = z.output<typeof roleTemplate>;

export const newRoleTemplate = z
  .object({
    name: z
      .string()
      .max(63)
      .regex(/^[A-Z][A-Z0-9_]+$/, 'must have capitals, digits and underscores, like WARD_CLERK')
      .refine((name) => !name.startsWith('PLATFORM_'), 'must not start with PLATFORM_, which is reserved'),
    description,
    permissions,
  })
  .meta({ id: 'NewRoleTemplate' });
export type NewRoleTemplate = z.output<typeof newRoleTemplate>;

export const roleTemplateChanges = z
  .object({ description: description.optional(), permissions: permissions.optional(), version: fields.version })
  .meta({ id: 'RoleTemplateChanges' });

export const permission = z
  .object({
    name: z.string(),
    may: z.string().describe('Continues "Whoever has it may"'),
    appliesTo: z.enum(['hospital', 'platform']),
    isGrantable: z.boolean().describe('Whether a template of your own can have it'),
  })
  .meta({ id: 'Permission' });

export function listPermissions(): z.output<typeof permission>[] {
  return (['hospital', 'platform'] as const).flatMap((appliesTo) =>
    PERMISSION_NAMES[appliesTo].map((name) => ({
      name,
      may: PERMISSIONS[name].may,
      appliesTo,
      isGrantable: GRANTABLE.includes(name),
    })),
  );
}
