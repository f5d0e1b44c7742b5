/** The registry of hospitals for requests: the row of an open hospital is read at most once every few seconds. */
import {
  findHospitalByHost,
  findHospitalByIssuer,
  findHospitalByPrefix,
  findImpersonation,
  type Hospital,
  type LiveImpersonation,
  readRevokedTokens,
} from '@hms/database';
import { prefixProblem } from '@hms/tenancy';
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
  /** Removes a hospital from the cache, so that the next request reads PostgreSQL. */
  forget(hospital: Hospital): void;
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
  return {
    byIssuer: byIssuer.get,
    byPrefix: async (prefix) => (prefixProblem(prefix) ? undefined : byPrefix.get(prefix)),
    byHost: byHost.get,
    revokedBefore: async ({ id }, subject) => (await revoked.get('')).get(`${id} ${subject}`) ?? 0,
    impersonationOf: async (jti) => {
      const found = await impersonations.get(jti);
      return found && found.endsAt.getTime() > Date.now() ? found : undefined;
    },
    forget: ({ issuer, prefix }) => {
      byIssuer.delete(issuer);
      byPrefix.delete(prefix);
    },
  };
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
        throw fromDatabase(error, {});
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
