/** The registry of hospitals for requests: the row of an open hospital is read at most once every few seconds. */
import {
  findHospitalByHost,
  findHospitalByIssuer,
  findHospitalByPrefix,
  findImpersonation,
  type Grants,
  type Hospital,
  type LiveImpersonation,
  readGrants,
  readRevokedTokens,
} from '@hms/database';
import { type Permission, prefixProblem, type RealmKind } from '@hms/tenancy';
import type { Knex } from 'knex';
import { fromDatabase } from './database-errors.ts';

export interface Registry {
  byIssuer(issuer: string): Promise<Hospital | undefined>;
  byPrefix(prefix: string): Promise<Hospital | undefined>;
  /** Only for the role of the module auth. */
  byHost(host: string): Promise<Hospital | undefined>;
  /**
   * Whose tokens are refused before they expire. @param subject claim `sub`.
   * @returns seconds since 1970: tokens that were issued before are refused. 0 if there are none.
   */
  revokedBefore(hospital: Hospital, subject: string): Promise<number>;
  /** The impersonation that an access token belongs to, until it ends. @param jti id of a verified token. */
  impersonationOf(jti: string): Promise<LiveImpersonation | undefined>;
  /**
   * What a person may do. @param hospital or undefined for a user of the platform.
   * @param names of the roles in their token.
   * @returns the roles that have a template, and what they give in that hospital.
   */
  rights(hospital: Hospital | undefined, names: readonly unknown[]): Promise<Rights>;
  /** The roles that give a permission in that hospital, or to users of the platform. */
  rolesWith(hospital: Hospital | undefined, permission: Permission): Promise<readonly string[]>;
  /** Removes a hospital from the cache, so that the next request reads PostgreSQL. */
  forget(hospital: Hospital): void;
}

/** What a person may do. */
export interface Rights {
  readonly roles: readonly string[];
  readonly permissions: ReadonlySet<string>;
}

export interface RegistryOptions {
  /** How long a lookup may be cached, in milliseconds. A suspended hospital is refused after this time at the latest. */
  readonly ttl?: number;
  readonly now?: () => number;
}

export function createRegistry(db: Knex, options: RegistryOptions = {}): Registry {
  const byIssuer = cached((issuer) => findHospitalByIssuer(db, issuer), isOpen, options);
  const byPrefix = cached((prefix) => findHospitalByPrefix(db, prefix), isOpen, options);
  const byHost = cached((host) => findHospitalByHost(db, host), isOpen, options);
  const revoked = cached(() => readRevoked(db), Boolean, { ...options, ttl: options.ttl ?? REVOKED_TTL });
  const impersonations = cached((jti) => findImpersonation(db, jti), Boolean, {
    ...options,
    ttl: options.ttl ?? REVOKED_TTL,
  });
  const grants = cached(async () => rolesOf(await readGrants(db)), Boolean, options);
  const rolesFor = async (hospital: Hospital | undefined) => (await grants.get(''))(hospital);
  return {
    byIssuer: byIssuer.get,
    byPrefix: async (prefix) => (prefixProblem(prefix) ? undefined : byPrefix.get(prefix)),
    byHost: byHost.get,
    revokedBefore: async ({ id }, subject) => (await revoked.get('')).get(`${id} ${subject}`) ?? 0,
    impersonationOf: async (jti) => {
      const found = await impersonations.get(jti);
      return found && found.endsAt.getTime() > Date.now() ? found : undefined;
    },
    rights: async (hospital, names) => {
      const held = (await rolesFor(hospital)).filter(({ name }) => names.includes(name));
      return {
        roles: held.map(({ name }) => name),
        permissions: new Set(held.flatMap(({ permissions }) => permissions)),
      };
    },
    rolesWith: async (hospital, permission) =>
      (await rolesFor(hospital)).flatMap(({ name, permissions }) => (permissions.includes(permission) ? [name] : [])),
    forget: ({ issuer, prefix }) => {
      byIssuer.delete(issuer);
      byPrefix.delete(prefix);
    },
  };
}

interface Role {
  readonly name: string;
  readonly permissions: readonly string[];
}

/** @returns a function with the roles of a hospital, or of users of the platform. */
function rolesOf({ templates, withheld }: Grants): (hospital: Hospital | undefined) => readonly Role[] {
  const ofKind = (kind: RealmKind) => templates.filter(({ appliesTo }) => appliesTo === kind);
  const [platform, usual] = [ofKind('platform'), ofKind('hospital')];
  const narrowed = new Map(
    [...Map.groupBy(withheld, ({ hospitalId }) => hospitalId)].map(([hospitalId, rows]) => {
      const isWithheld = new Set(rows.map(({ role, permission }) => `${role} ${permission}`));
      const roles = usual.map(({ name, permissions }) => ({
        name,
        permissions: permissions.filter((permission) => !isWithheld.has(`${name} ${permission}`)),
      }));
      return [hospitalId, roles];
    }),
  );
  return (hospital) => (hospital ? (narrowed.get(hospital.id) ?? usual) : platform);
}

async function readRevoked(db: Knex): Promise<ReadonlyMap<string, number>> {
  const all = await readRevokedTokens(db);
  return new Map(all.map(({ hospitalId, subject, issuedBefore }) => [`${hospitalId} ${subject}`, issuedBefore]));
}

/** Others are looked up each time, so that people are admitted as soon as their hospital is Ready. */
function isOpen(hospital: Hospital | undefined): boolean {
  return hospital?.state === 'Active';
}

const TTL = 3_000;
/** A suspended person, or an ended impersonation, is refused after this time at the latest. Read only while there are requests. */
const REVOKED_TTL = 1_000;
/** Includes pending lookups, because clients can send any number of unknown names. The oldest is evicted first. */
const MOST_ENTRIES = 5_000;

interface Entry<T> {
  readonly value: Promise<T>;
  readonly expires: number;
}

/**
 * Looks up each key once at a time, and caches the result for the ttl.
 * @param keep whether to cache a result. Failures are never cached.
 */
export function cached<T>(
  lookUp: (key: string) => Promise<T>,
  keep: (value: T) => boolean,
  { ttl = TTL, now = Date.now }: RegistryOptions = {},
): { get(key: string): Promise<T>; delete(key: string): void; readonly size: number } {
  const entries = new Map<string, Entry<T>>();

  function get(key: string): Promise<T> {
    const entry = entries.get(key);
    if (entry && entry.expires > now()) return entry.value;
    const drop = () => {
      if (entries.get(key)?.value === value) entries.delete(key);
    };
    const value = lookUp(key).then(
      (found) => {
        if (!keep(found)) drop();
        return found;
      },
      (error: unknown) => {
        drop();
        throw fromDatabase(error);
      },
    );
    entries.delete(key);
    entries.set(key, { value, expires: now() + ttl });
    if (entries.size > MOST_ENTRIES) {
      const [oldest] = entries.keys();
      if (oldest !== undefined) entries.delete(oldest);
    }
    return value;
  }

  return {
    get,
    delete: (key) => entries.delete(key),
    get size() {
      return entries.size;
    },
  };
}
