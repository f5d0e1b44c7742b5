/** Rules for every record. */
import { ADMINS } from '@hms/tenancy';
import { type Caller, hasRole } from './caller.ts';
import { FORBIDDEN, Problem, STALE_VERSION } from './errors.ts';

/**
 * The optimistic lock. The transaction must already have locked the record.
 * @param version what the client has read, or undefined to skip the check.
 * @throws Problem STALE_VERSION with the current version.
 */
export function demandVersion(record: { readonly version: number }, version: number | undefined): void {
  if (version !== undefined && version !== record.version) {
    throw new Problem(STALE_VERSION, { details: { version: record.version } });
  }
}

/** @throws Problem FORBIDDEN if anybody but an administrator of the hospital requests deleted records. */
export function demandRoleForDeleted(caller: Caller, { includeDeleted }: { readonly includeDeleted: boolean }): void {
  if (!includeDeleted || hasRole(caller, ADMINS)) return;
  throw new Problem(FORBIDDEN, {
    message: `includeDeleted needs one of the roles ${ADMINS.join(', ')}`,
    details: { requiredRoles: ADMINS },
  });
}
