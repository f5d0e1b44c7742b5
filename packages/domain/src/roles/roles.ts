/**
 * The roles of a hospital, and what they may do there. Role templates say what a role gives at every hospital. A hospital
 * can only withhold some of it.
 */
import { type HospitalRoleRow, readHospitalRoles, withholdPermissions } from '@hms/database';
import { type ErrorKind, Problem, type Work } from '@hms/service';
import { z } from 'zod';

export const ROLE_NOT_FOUND: ErrorKind = {
  status: 404,
  code: 'ROLE_NOT_FOUND',
  message: 'The hospital has no role of that name',
};
export const ROLE_IS_FIXED: ErrorKind = {
  status: 409,
  code: 'ROLE_IS_FIXED',
  message: 'Nothing can be withheld from the role OWNER, because an OWNER must be able to take it back',
};
export const PERMISSION_NOT_IN_ROLE: ErrorKind = {
  status: 422,
  code: 'PERMISSION_NOT_IN_ROLE',
  message: 'The role does not have that permission, so it can not be withheld',
};

export const hospitalRole = z
  .object({
    name: z.string().describe('As in `realm_access.roles`'),
    description: z.string(),
    isSystem: z.boolean().describe('Whether every platform has it'),
    permissions: z.array(z.string()).describe('What the role gives, also if the hospital withholds it'),
    withheld: z.array(z.string()).describe('Those of the permissions that this hospital does not give'),
  })
  .meta({ id: 'HospitalRole' });

export const withheld = z
  .object({
    withheld: z
      .array(z.string().max(63))
      .max(200)
      .describe('The permissions that this hospital does not give. An empty list gives all of them'),
  })
  .meta({ id: 'WithheldPermissions' });

/** The roles of the hospital: those of every platform first. */
export function listRoles({ trx }: Work): Promise<readonly HospitalRoleRow[]> {
  return readHospitalRoles(trx);
}

/** Sets what the hospital withholds from a role. The modules follow within 3 seconds. */
export async function withhold(work: Work, name: string, permissions: readonly string[]): Promise<HospitalRoleRow> {
  const role = await find(work, name);
  if (name === 'OWNER') throw new Problem(ROLE_IS_FIXED);
  const foreign = permissions.filter((permission) => !role.permissions.includes(permission));
  if (foreign.length > 0) {
    throw new Problem(PERMISSION_NOT_IN_ROLE, {
      message: `The role ${name} does not have ${foreign.join(', ')}: withhold only ${role.permissions.join(', ')}`,
      details: { permissions: foreign, allowed: role.permissions },
    });
  }
  const before = await withholdPermissions(work.trx, name, permissions);
  const after = await find(work, name);
  const details = { role: name };
  work.audit({
    action: 'update',
    record: 'roles',
    details,
    before: { withheld: before },
    after: { withheld: after.withheld },
  });
  return after;
}

async function find({ trx }: Work, name: string): Promise<HospitalRoleRow> {
  const role = (await readHospitalRoles(trx)).find((one) => one.name === name);
  if (!role) throw new Problem(ROLE_NOT_FOUND);
  return role;
}
