/** Rules that hold for every record. */
import { ADMINS } from '@hms/tenancy';
import { type Caller, hasRole } from './caller.ts';
import { FORBIDDEN, Problem, STALE_VERSION } from './errors.ts';

/**
 * The optimistic lock. The record must be held by the transaction already.
 * @param version what the client has read; undefined where it does not mind.
 * @throws Problem STALE_VERSION with the version there is now.
 */
export function demandVersion(record: { readonly version: number }, version: number | undefined): void {
  if (version !== undefined && version !== record.version) {
    throw new Problem(STALE_VERSION, { details: { version: record.version } });
  }
}

/** @throws Problem FORBIDDEN when others than those who run the hospital ask for deleted records. */
export function demandRoleForDeleted(caller: Caller, { includeDeleted }: { readonly includeDeleted: boolean }): void {
  if (!includeDeleted || hasRole(caller, ADMINS)) return;
  throw new Problem(FORBIDDEN, {
    message: `includeDeleted needs one of the roles ${ADMINS.join(', ')}`,
    details: { requiredRoles: ADMINS },
  });
}
