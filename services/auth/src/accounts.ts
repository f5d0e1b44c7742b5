/** People's accounts in Keycloak, through its Admin API, as the service account of `hms-auth` in their own realm. */
import { IDENTITY_UNAVAILABLE, Problem } from '@hms/service';
import { ASSERTION_PROVIDERS } from '@hms/tenancy';
import KeycloakAdminClient, { NetworkError } from '@keycloak/keycloak-admin-client';
import type UserRepresentation from '@keycloak/keycloak-admin-client/lib/defs/userRepresentation.js';
import { makeDisplayAccount, removeDisplayAccount } from './displays/account.ts';
import { type MatchedAccount, matchAccount, type WantedAccount } from './employees/match.ts';
import { type EventKind, type EventPage, type KeycloakEvent, LOGIN_TYPES } from './identity-events/events.ts';
import type { Keycloak, ServiceToken } from './keycloak.ts';

const IMPERSONATIONS = ASSERTION_PROVIDERS.impersonations.alias;

export interface Account {
  readonly id: string;
  readonly username: string;
  readonly email: string | undefined;
  readonly firstName: string;
  readonly lastName: string;
}

/** An account with its roles, whether it is enabled or not. */
export interface Person {
  readonly id: string;
  /** Empty if there is none. */
  readonly email: string;
  /** First and last name. Undefined if the account has none. */
  readonly name: string | undefined;
  readonly isEnabled: boolean;
  /** Names of the realm's roles. */
  readonly roles: readonly string[];
}

/** @throws Problem IDENTITY_UNAVAILABLE from each function if Keycloak gives no usable response. */
export interface Accounts {
  /** @returns undefined if nobody in the realm has this address, or the account is disabled. */
  byEmail(realm: string, email: string): Promise<Account | undefined>;
  byId(realm: string, id: string): Promise<Account | undefined>;
  /** Names of the realm's roles that the account has. Empty if there is no such account. */
  rolesOf(realm: string, id: string): Promise<readonly string[]>;
  /** @returns undefined if there is no such account. */
  person(realm: string, wanted: { readonly id: string } | { readonly email: string }): Promise<Person | undefined>;
  /** Ids of the enabled accounts with a role. */
  withRole(realm: string, role: string): Promise<readonly string[]>;
  /** Lets the realm issue tokens of an account for an assertion of this module. It may be repeated. */
  linkAssertions(realm: string, id: string): Promise<void>;
  /** Undoes it. It may be repeated. */
  unlinkAssertions(realm: string, id: string): Promise<void>;
  /**
   * Sets a password that lasts, which also completes an invitation: whoever sets it has read an e-mail to the account.
   * It unlocks the account. @returns a sentence if Keycloak refuses the password.
   */
  setPassword(realm: string, id: string, password: string): Promise<string | undefined>;
  hasPassword(realm: string, id: string): Promise<boolean>;
  /** Makes the account of an employee match. @param isFree whether no other employee has this account. */
  match(realm: string, wanted: WantedAccount, isFree: (id: string) => Promise<boolean>): Promise<MatchedAccount>;
  /** Makes the account of a display, or completes one. @returns its id. */
  makeDisplay(realm: string, displayId: string): Promise<string>;
  /** Removes the account of a display, if there is one. */
  removeDisplay(realm: string, displayId: string): Promise<void>;
  /** Whether an account has a session. */
  isLoggedIn(realm: string, id: string): Promise<boolean>;
  /** Ends the sessions of an account. @param except a session that stays. */
  endSessions(realm: string, id: string, except?: string): Promise<void>;
  /** What happened in the realm, oldest first. */
  events(realm: string, kind: EventKind, page: EventPage): Promise<readonly KeycloakEvent[]>;
}

type EventQuery = Parameters<KeycloakAdminClient['realms']['findEvents']>[0];
type AdminEventQuery = Parameters<KeycloakAdminClient['realms']['findAdminEvents']>[0];

const TIMEOUT_MS = 10_000;
/** Seconds before its end from which a token is no longer used. */
const LEEWAY_S = 10;
/** A hospital has few owners. */
const MOST_HOLDERS = 100;
/** What somebody does who chooses a password with a code from an e-mail. */
const COMPLETED_ACTIONS: readonly string[] = ['UPDATE_PASSWORD', 'VERIFY_EMAIL'];

export function createAccounts(keycloak: Pick<Keycloak, 'serviceToken'>, keycloakUrl: string): Accounts {
  const tokens = new Map<string, ServiceToken>();

  async function tokenOf(realm: string): Promise<string> {
    const known = tokens.get(realm);
    if (known && known.expiresAt - LEEWAY_S * 1000 > Date.now()) return known.value;
    const token = await keycloak.serviceToken(realm);
    tokens.set(realm, token);
    return token.value;
  }

  async function call<T>(realm: string, work: (admin: KeycloakAdminClient) => Promise<T>): Promise<T> {
    const admin = new KeycloakAdminClient({ baseUrl: keycloakUrl, realmName: realm, timeout: TIMEOUT_MS });
    admin.registerTokenProvider({ getAccessToken: () => tokenOf(realm) });
    try {
      return await work(admin);
    } catch (error) {
      if (error instanceof Problem) throw error;
      // Such as a token of a session that ended when Keycloak lost its memory.
      tokens.delete(realm);
      throw new Problem(IDENTITY_UNAVAILABLE, { cause: error });
    }
  }

  return {
    byEmail: (realm, email) =>
      call(realm, async ({ users }) => {
        const [found] = await users.find({ email, exact: true });
        return found?.enabled ? toAccount(found) : undefined;
      }),
    byId: (realm, id) =>
      call(realm, async ({ users }) => {
        const found = await users.findOne({ id });
        return found && toAccount(found);
      }),
    rolesOf: (realm, id) =>
      call(realm, async ({ users }) => {
        if (!(await users.findOne({ id }))) return [];
        return (await users.listRealmRoleMappings({ id })).map(({ name = '' }) => name);
      }),
    person: (realm, wanted) =>
      call(realm, async ({ users }) => {
        const found =
          'id' in wanted ? await users.findOne({ id: wanted.id }) : (await users.find({ ...wanted, exact: true }))[0];
        if (!found) return undefined;
        const { id = '', email = '', enabled = false } = found;
        const name = nameOf(toAccount(found));
        const roles = (await users.listRealmRoleMappings({ id })).map(({ name = '' }) => name);
        return { id, email, name, isEnabled: enabled, roles };
      }),
    withRole: (realm, role) =>
      call(realm, async ({ roles }) => {
        const holders = await roles.findUsersWithRole({ name: role, max: MOST_HOLDERS });
        return holders.flatMap(({ id, enabled }) => (id && enabled ? [id] : []));
      }),
    linkAssertions: (realm, id) =>
      call(realm, async ({ users }) => {
        const federatedIdentity = { identityProvider: IMPERSONATIONS, userId: id, userName: id };
        await users
          .addToFederatedIdentity({ id, federatedIdentityId: IMPERSONATIONS, federatedIdentity })
          .catch(unlessStatus(409));
      }),
    unlinkAssertions: (realm, id) =>
      call(realm, async ({ users }) => {
        await users.delFromFederatedIdentity({ id, federatedIdentityId: IMPERSONATIONS }).catch(unlessStatus(404));
      }),
    setPassword: (realm, id, password) =>
      call(realm, async ({ users, attackDetection }) => {
        try {
          await users.resetPassword({ id, credential: { type: 'password', value: password, temporary: false } });
        } catch (error) {
          const reason = refusalOf(error);
          if (reason === undefined) throw error;
          return reason;
        }
        const { requiredActions = [], emailVerified } = (await users.findOne({ id })) ?? {};
        const left = requiredActions.filter((action) => !COMPLETED_ACTIONS.includes(action));
        if (left.length < requiredActions.length || !emailVerified) {
          await users.update({ id }, { requiredActions: left, emailVerified: true });
        }
        await attackDetection.del({ id });
        return undefined;
      }),
    hasPassword: (realm, id) =>
      call(realm, async ({ users }) => (await users.getCredentials({ id })).some(({ type }) => type === 'password')),
    match: (realm, wanted, isFree) => call(realm, (admin) => matchAccount(admin, wanted, isFree)),
    makeDisplay: (realm, displayId) => call(realm, (admin) => makeDisplayAccount(admin, displayId)),
    removeDisplay: (realm, displayId) => call(realm, (admin) => removeDisplayAccount(admin, displayId)),
    events: (realm, kind, { from, first, max }) =>
      call(realm, async ({ realms }) => {
        // The library's types know neither the order nor the time in milliseconds.
        const query: object = { realm, direction: 'asc', dateFrom: String(from), first, max };
        const found: unknown =
          kind === 'login'
            ? await realms.findEvents({ ...query, type: [...LOGIN_TYPES] } as EventQuery)
            : await realms.findAdminEvents(query as AdminEventQuery);
        return found as readonly KeycloakEvent[];
      }),
    isLoggedIn: (realm, id) =>
      call(realm, async ({ users }) => {
        if (!(await users.findOne({ id }))) return false;
        return (await users.listSessions({ id })).length > 0;
      }),
    endSessions: (realm, id, except) =>
      call(realm, async ({ users, realms }) => {
        const sessions = await users.listSessions({ id });
        for (const session of sessions) {
          if (session.id !== except) await realms.deleteSession({ realm, session: session.id ?? '', isOffline: false });
        }
      }),
  };
}

function toAccount(user: UserRepresentation): Account {
  const { id = '', username = '', email, firstName = '', lastName = '' } = user;
  return { id, username, email, firstName, lastName };
}

/** First and last name. Undefined if the account has none. */
export function nameOf({ firstName, lastName }: Account): string | undefined {
  return `${firstName} ${lastName}`.trim() || undefined;
}

function unlessStatus(status: number) {
  return (error: unknown): void => {
    if (!(error instanceof NetworkError) || error.response.status !== status) throw error;
  };
}

/** Keycloak's sentence about a password that its policy refuses, such as "minimum length 10". */
function refusalOf(error: unknown): string | undefined {
  if (!(error instanceof NetworkError) || error.response.status !== 400) return undefined;
  const { error: code, error_description: sentence } = error.responseData as Partial<Record<string, string>>;
  return code?.startsWith('invalidPassword') ? (sentence ?? code) : undefined;
}
