/** The registry of hospitals as requests need it: the row of one that is open is read once every few seconds at most. */
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
  const byIssuer = cached((issuer) => findHospitalByIssuer(db, issuer), isOpen, options);
  const byPrefix = cached((prefix) => findHospitalByPrefix(db, prefix), isOpen, options);
  return {
    byIssuer: byIssuer.get,
    byPrefix: async (prefix) => (prefixProblem(prefix) ? undefined : byPrefix.get(prefix)),
    forget: ({ issuer, prefix }) => {
      byIssuer.delete(issuer);
      byPrefix.delete(prefix);
    },
  };
}

/** Others are looked up each time: as soon as a hospital is Ready its people get in, who were refused a moment ago. */
function isOpen(hospital: Hospital | undefined): boolean {
  return hospital?.state === 'Active';
}

const TTL = 3_000;
/** Also while they are looked up: unknown names come from outside and in any number. The oldest goes first. */
const MOST_ENTRIES = 5_000;

interface Entry<T> {
  readonly value: Promise<T>;
  readonly expires: number;
}

/**
 * Looks up each key once at a time, and remembers the answer for the ttl.
 * @param keep whether an answer is to be remembered; a failure never is.
 */
export function cached<T>(
  lookUp: (key: string) => Promise<T>,
  keep: (value: T) => boolean,
  { ttl = TTL, now = Date.now }: RegistryOptions = {},
): { get(key: string): Promise<T>; delete(key: string): void; readonly size: number } {
  const entries = new Map<string, Entry<T>>();

  function get(key: string): Promise<T> {
    const known = entries.get(key);
    if (known && known.expires > now()) return known.value;
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
