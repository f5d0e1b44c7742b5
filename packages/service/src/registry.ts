/** The registry of hospitals as requests need it: each row is read from PostgreSQL once every few seconds at most. */
import { findHospitalByIssuer, findHospitalByPrefix, type Hospital } from '@hms/database';
import { prefixProblem } from '@hms/tenancy';
import type { Knex } from 'knex';
import { fromDatabase } from './database-errors.ts';

export interface Registry {
  byIssuer(issuer: string): Promise<Hospital | undefined>;
  byPrefix(prefix: string): Promise<Hospital | undefined>;
  /** Forgets a hospital, so that the next look sees what PostgreSQL has now. */
  forget(hospital: Hospital): void;
}

export interface RegistryOptions {
  /** How long a row may be used, in milliseconds. A suspended hospital is out after this time. */
  readonly ttl?: number;
  readonly now?: () => number;
}

export function createRegistry(db: Knex, options: RegistryOptions = {}): Registry {
  const byIssuer = cached((issuer) => findHospitalByIssuer(db, issuer), options);
  const byPrefix = cached((prefix) => findHospitalByPrefix(db, prefix), options);
  return {
    byIssuer: byIssuer.get,
    byPrefix: async (prefix) => (prefixProblem(prefix) ? undefined : byPrefix.get(prefix)),
    forget: ({ issuer, prefix }) => {
      byIssuer.delete(issuer);
      byPrefix.delete(prefix);
    },
  };
}

const TTL = 3_000;
/** Unknown names come from outside and in any number, so what is remembered is bounded; the oldest goes first. */
const MOST_ENTRIES = 5_000;

interface Entry<T> {
  readonly value: Promise<T>;
  readonly expires: number;
}

/** Looks up each key once at a time, remembers the answer, found or not, for the ttl, and never remembers a failure. */
export function cached<T>(
  lookUp: (key: string) => Promise<T>,
  { ttl = TTL, now = Date.now }: RegistryOptions = {},
): { get(key: string): Promise<T>; delete(key: string): void; readonly size: number } {
  const entries = new Map<string, Entry<T>>();

  function get(key: string): Promise<T> {
    const known = entries.get(key);
    if (known && known.expires > now()) return known.value;
    const value = lookUp(key).catch((error: unknown) => {
      if (entries.get(key)?.value === value) entries.delete(key);
      throw fromDatabase(error, {});
    });
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
