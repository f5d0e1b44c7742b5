/** Makes an account in Keycloak match what an employee's row says. Each step may be repeated. */
import { NotYet } from '@hms/service';
import type KeycloakAdminClient from '@keycloak/keycloak-admin-client';
import { NetworkError } from '@keycloak/keycloak-admin-client';
import type UserRepresentation from '@keycloak/keycloak-admin-client/lib/defs/userRepresentation.js';
import { nextSecond } from './seconds.ts';

/** What an employee's account must be like. */
export interface WantedAccount {
  /** Null if it is not known yet. */
  readonly id: string | null;
  /** Of a new account. Unlike the e-mail address, it never changes. */
  readonly username: string;
  readonly email: string;
  readonly firstName: string;
  readonly lastName: string;
  readonly enabled: boolean;
  readonly roles: readonly string[];
  /** Every role that an employee's row decides about. Others of the account stay as they are. */
  readonly decided: readonly string[];
}

export type MatchedAccount =
  | {
      readonly kind: 'matches';
      readonly id: string;
      /** Whether it was created or opened just now: nobody has a token of this second or a later one with other rights. */
      readonly isFresh: boolean;
      readonly origin: 'known' | 'adopted' | 'created';
    }
  /** There is no account, and none is wanted. */
  | { readonly kind: 'none' }
  /** The account with this address still belongs to another employee, whose own change may be on its way. */
  | { readonly kind: 'taken' }
  /** Keycloak refuses these values, and would refuse them again. */
  | { readonly kind: 'refused'; readonly reason: string };

type Users = KeycloakAdminClient['users'];

/**
 * @param isFree whether no other employee has this account.
 * @throws NetworkError and others if Keycloak gives no usable response.
 */
export async function matchAccount(
  admin: KeycloakAdminClient,
  wanted: WantedAccount,
  isFree: (id: string) => Promise<boolean>,
): Promise<MatchedAccount> {
  try {
    const existing = await find(admin.users, wanted);
    const isAdopted = existing !== undefined && existing.id !== wanted.id;
    if (!existing && !wanted.enabled) return { kind: 'none' };
    if (isAdopted && !(await isFree(existing.id ?? ''))) return { kind: wanted.enabled ? 'taken' : 'none' };
    const id = existing?.id ?? (await create(admin.users, wanted));
    if (isAdopted) await close(admin.users, existing.id ?? '');
    // Roles come first: whoever logs in at the moment when the account opens gets a token that has them.
    await matchRoles(admin, id, wanted.enabled ? wanted : { decided: wanted.decided.filter(isNotOwner), roles: [] });
    if (existing) await update(admin.users, existing, wanted);
    if (!wanted.enabled) await admin.users.logout({ id });
    const origin = isAdopted ? 'adopted' : existing ? 'known' : 'created';
    const isFresh = !existing || (existing.enabled === false && wanted.enabled);
    return { kind: 'matches', id, isFresh, origin };
  } catch (error) {
    const reason = refusalOf(error);
    if (reason === undefined) throw error;
    return { kind: 'refused', reason };
  }
}

/**
 * The operator takes OWNER from an owner who is replaced. When it appoints somebody again whose account is being closed,
 * that role says so, and must still be there when the task of the appointment runs.
 */
function isNotOwner(role: string): boolean {
  return role !== 'OWNER';
}

/**
 * The employee's account: the noted one, one that was created just before a crash, or one with their address that was
 * made before.
 */
async function find(users: Users, { id, username, email }: WantedAccount): Promise<UserRepresentation | undefined> {
  const known = id === null ? undefined : await users.findOne({ id });
  if (known) return known;
  const [created] = await users.find({ username, exact: true });
  return created ?? (await users.find({ email, exact: true }))[0];
}

async function create(users: Users, { username, email, ...wanted }: WantedAccount): Promise<string> {
  const names = { firstName: nameOf(wanted.firstName), lastName: nameOf(wanted.lastName) };
  const created = await users.create({ username, email, ...names, enabled: wanted.enabled });
  return created.id;
}

/** Somebody else may have had the address before: whoever knows that password must not get in. */
async function close(users: Users, id: string): Promise<void> {
  for (const { id: credentialId = '' } of await users.getCredentials({ id }))
    await users.deleteCredential({ id, credentialId });
  await users.logout({ id });
}

async function update(users: Users, existing: UserRepresentation, wanted: WantedAccount): Promise<void> {
  const { id = '', enabled: wasEnabled = false } = existing;
  const { email, enabled } = wanted;
  const [firstName, lastName] = [nameOf(wanted.firstName), nameOf(wanted.lastName)];
  const isNewAddress = existing.email?.toLowerCase() !== email.toLowerCase();
  const changes = { email, firstName, lastName, enabled, ...(isNewAddress ? { emailVerified: false } : {}) };
  const differs =
    isNewAddress || existing.firstName !== firstName || existing.lastName !== lastName || wasEnabled !== enabled;
  // A token that was issued before the account was closed must not be from a second whose tokens are accepted again.
  if (enabled && !wasEnabled) await nextSecond();
  if (differs) await users.update({ id }, changes);
}

/** Gives an account these roles, and takes from it the others of those that are decided here. */
export async function matchRoles(
  { users, roles }: KeycloakAdminClient,
  id: string,
  { decided, roles: wanted }: Pick<WantedAccount, 'decided' | 'roles'>,
): Promise<void> {
  const held = (await users.listRealmRoleMappings({ id })).map(({ name = '' }) => name);
  const surplus = held.filter((name) => decided.includes(name) && !wanted.includes(name));
  const missing = wanted.filter((name) => !held.includes(name));
  if (surplus.length === 0 && missing.length === 0) return;
  const all = await roles.find();
  const absent = missing.filter((name) => all.every((role) => role.name !== name));
  if (absent.length > 0) throw new NotYet(`the operator has not created the role ${absent.join(', ')} yet`);
  const mappingsOf = (names: readonly string[]) =>
    all.flatMap(({ id: roleId, name }) => (roleId && name && names.includes(name) ? [{ id: roleId, name }] : []));
  // First, so that a crash in between leaves too few rights.
  if (surplus.length > 0) await users.delRealmRoleMappings({ id, roles: mappingsOf(surplus) });
  if (missing.length > 0) await users.addRealmRoleMappings({ id, roles: mappingsOf(missing) });
}

/** Keycloak refuses these characters in names. It shows the names only in its own console. */
function nameOf(name: string): string {
  return name.replaceAll(/[<>&"$%!#?§;*~/\\|^=[\]{}()\p{Cc}]+/gu, ' ').trim() || '-';
}

/** A sentence if Keycloak refuses the values themselves. */
function refusalOf(error: unknown): string | undefined {
  if (!(error instanceof NetworkError) || error.response.status !== 400) return undefined;
  const { errorMessage, error: code } = error.responseData as Partial<Record<string, string>>;
  return errorMessage ?? code ?? 'Keycloak refuses it';
}
