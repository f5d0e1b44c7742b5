/** Keycloak's events as events of the audit log. Pure. */
import type { AuditAction } from '@hms/service';

/** Logins and what people do with their accounts, and what administrators and programs change. */
export type EventKind = 'login' | 'admin';
export const EVENT_KINDS: readonly EventKind[] = ['login', 'admin'];

export interface EventPage {
  /** Milliseconds since 1970. */
  readonly from: number;
  readonly first: number;
  readonly max: number;
}

/** An event of either kind, as Keycloak returns it. */
export interface KeycloakEvent {
  readonly id: string;
  /** Milliseconds since 1970. */
  readonly time: number;
  readonly realmId?: string;
  readonly error?: string;
  readonly type?: string;
  readonly clientId?: string;
  readonly userId?: string;
  readonly sessionId?: string;
  readonly ipAddress?: string;
  readonly details?: { readonly username?: string };
  readonly operationType?: string;
  readonly resourceType?: string;
  readonly resourcePath?: string;
  readonly authDetails?: { readonly realmId?: string; readonly userId?: string; readonly ipAddress?: string };
}

export interface IdentityEvent {
  readonly id: string;
  readonly at: Date;
  readonly actor: string;
  /** The account whose address is the actor's. */
  readonly account: string | undefined;
  /** The address, if no account has it. */
  readonly email: string | undefined;
  readonly action: AuditAction;
  readonly record: 'accounts' | 'realm';
  readonly recordId: string | undefined;
  readonly details: Readonly<Record<string, unknown>>;
  readonly address: string | undefined;
}

/** Without refreshes and logins of programs, which happen every few minutes and say nothing about people. */
const ACTIONS: Readonly<Record<string, AuditAction>> = {
  LOGIN: 'login',
  LOGIN_ERROR: 'login.failed',
  LOGOUT: 'logout',
  IMPERSONATE: 'impersonate',
  USER_DISABLED_BY_TEMPORARY_LOCKOUT: 'lock',
  USER_DISABLED_BY_PERMANENT_LOCKOUT: 'lock',
  UPDATE_CREDENTIAL: 'update',
  REMOVE_CREDENTIAL: 'update',
  UPDATE_EMAIL: 'update',
  UPDATE_PROFILE: 'update',
  VERIFY_EMAIL: 'update',
};
export const LOGIN_TYPES: readonly string[] = Object.keys(ACTIONS);
const CHANGES: Readonly<Record<string, AuditAction>> = { CREATE: 'create', DELETE: 'delete' };

/**
 * A failed login of nobody is the fault of a program, such as one that names no client of the realm. Anybody could fill
 * the audit log with them.
 */
export function isAboutPeople({ type, userId, details }: KeycloakEvent): boolean {
  return type !== 'LOGIN_ERROR' || userId !== undefined || details?.username !== undefined;
}

/**
 * Copies only what is named here: never a token, a credential, or the representation of what was changed.
 * @param recordedAt ISO 8601.
 */
export function identityEvent(event: KeycloakEvent, recordedAt: string): IdentityEvent {
  const { id, time, error } = event;
  const at = new Date(time);
  const source = { keycloakEvent: id, recordedAt };
  if (event.type !== undefined) {
    const { type, userId, clientId: client, sessionId: session, details, ipAddress: address } = event;
    const typed = details?.username;
    return {
      id,
      at,
      actor: userId ?? 'unknown',
      account: userId,
      // Somebody may have typed the password into the wrong field.
      email: typed !== undefined && EMAIL.test(typed) ? typed.toLowerCase() : undefined,
      action: ACTIONS[type] ?? 'update',
      record: 'accounts',
      recordId: uuidIn(userId),
      details: { ...source, event: type, client, session, error },
      address,
    };
  }
  const { operationType: operation = '', resourceType: resource = '', resourcePath: path = '', authDetails } = event;
  const isOwn = authDetails?.realmId === event.realmId;
  const userId = authDetails?.userId;
  const account = /^users\/([^/]+)/.exec(path)?.[1];
  return {
    id,
    at,
    // An administrator of another realm, or the operator.
    actor: userId === undefined ? 'unknown' : isOwn ? userId : `keycloak:${userId}`,
    account: isOwn ? userId : undefined,
    email: undefined,
    // Such as a role of an account: the account is changed.
    action: (account === undefined || resource === 'USER' ? CHANGES[operation] : undefined) ?? 'update',
    record: account === undefined ? 'realm' : 'accounts',
    recordId: uuidIn(account),
    details: { ...source, operation, resource, path, error },
    address: authDetails?.ipAddress,
  };
}

const EMAIL = /^[^\s@]{1,64}@[^\s@]{1,190}\.[^\s@]{2,}$/;

function uuidIn(text: string | undefined): string | undefined {
  return text !== undefined && /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(text) ? text : undefined;
}
