/**
 * How often a login, a code or a search may fail before the next one must wait. Counted in PostgreSQL, so that all processes
 * agree.
 */
import { createHash } from 'node:crypto';
import { type ErrorKind, Problem } from '@hms/service';
import type { Knex } from 'knex';
import { RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible';
import { TOO_MANY_SEARCHES } from '../directory/directory.errors.ts';
import { TOO_MANY_DISPLAY_CODES } from '../displays/displays.errors.ts';
import type { TokenAnswer } from '../token-answer.ts';
import { networkOf } from './network.ts';
import { TOO_MANY_CODES, TOO_MANY_LOGINS } from './sessions.errors.ts';
import { Turns } from './turns.ts';

export interface Limit {
  /** Allowed failures in a window. */
  readonly failures: number;
  /** Length of the window in seconds from the first failure. */
  readonly window: number;
}

/**
 * Keycloak locks an account for a minute after ten wrong passwords in a row. Over a longer time, the limit of an
 * account is stricter. A whole hospital may share one address, so that limit is higher.
 */
export const LIMITS: { readonly account: Limit; readonly address: Limit } = {
  account: { failures: 10, window: 600 },
  address: { failures: 100, window: 600 },
};
/**
 * Somebody who knows the password could begin another login after every five wrong codes. Somebody who knows nobody's
 * password could request e-mails to everybody, from one address.
 */
export const CODE_LIMITS: { readonly tries: Limit; readonly mails: Limit; readonly requests: Limit } = {
  tries: { failures: 15, window: 3_600 },
  mails: { failures: 10, window: 600 },
  requests: { failures: 30, window: 600 },
};

/**
 * Keycloak hashes each password, which takes a tenth of a second of a processor. Without this limit, one address could
 * keep it busy, and nobody else could log in.
 */
const SIMULTANEOUS_BY_ADDRESS = { running: 4, waiting: 32 };
/** Keycloak refuses one of two simultaneous logins of an account, as after a double click. */
const SIMULTANEOUS_BY_ACCOUNT = { running: 1, waiting: 8 };

interface Attempt {
  /** The requested realm, whether it exists or not, so that the limit does not reveal which realms exist. */
  readonly hospital: string;
  readonly account: string;
  readonly address: string;
}

export interface LoginLimits {
  /**
   * Runs an attempt, when it is its turn among those of its address and its account. It counts as failed until `work` succeeds, so that parallel attempts get no advantage.
   * After a successful login, the account's earlier failures are cleared. If Keycloak did not answer,
   * the attempt is not counted.
   * @throws Problem TOO_MANY_LOGINS with Retry-After, and errors of `work` and PostgreSQL.
   */
  guard(attempt: Attempt, work: () => Promise<TokenAnswer>): Promise<TokenAnswer>;
  /** Clears the failures of an account, under each name that people log in with. */
  forgive(hospital: string, names: readonly string[]): Promise<void>;
}

export function loginLimits(db: Knex, limits = LIMITS): LoginLimits {
  const accounts = limiter(db, 'account', limits.account);
  const addresses = limiter(db, 'address', limits.address);
  const [addressTurns, accountTurns] = [new Turns(SIMULTANEOUS_BY_ADDRESS), new Turns(SIMULTANEOUS_BY_ACCOUNT)];
  const counted = async (accountKey: string, addressKey: string, work: () => Promise<TokenAnswer>) => {
    await consume(addresses, addressKey, TOO_MANY_LOGINS);
    await consume(accounts, accountKey, TOO_MANY_LOGINS);
    const answer = await work().catch(async (error: unknown) => {
      await Promise.all([addresses.reward(addressKey), accounts.reward(accountKey)]);
      throw error;
    });
    if (answer.kind !== 'refused') await Promise.all([addresses.reward(addressKey), accounts.delete(accountKey)]);
    return answer;
  };
  return {
    guard: ({ hospital, account, address }, work) => {
      const [accountKey, addressKey] = [keyOf(hospital, account), hash(networkOf(address))];
      const full = () => tooMany(TOO_MANY_LOGINS, 1);
      const inTurn = () => accountTurns.run(accountKey, () => counted(accountKey, addressKey, work), full);
      return addressTurns.run(addressKey, inTurn, full);
    },
    forgive: async (hospital, names) => {
      await Promise.all(names.map((name) => accounts.delete(keyOf(hospital, name))));
    },
  };
}

export interface CodeLimits {
  /** Counts a code that is about to be tried. @throws Problem TOO_MANY_CODES with Retry-After. */
  tried(accountKey: string): Promise<void>;
  /** Clears the count after a right code. */
  succeeded(accountKey: string): Promise<void>;
  /** Counts an e-mail that is about to be sent. @throws Problem TOO_MANY_CODES with Retry-After. */
  mailed(accountKey: string): Promise<void>;
  /** Counts a request for an e-mail without a password. @throws Problem TOO_MANY_CODES with Retry-After. */
  requested(clientAddress: string): Promise<void>;
}

/** Limits of an account over all of its challenges, and of an address. */
export function codeLimits(db: Knex, limits = CODE_LIMITS): CodeLimits {
  const tries = limiter(db, 'code', limits.tries);
  const mails = limiter(db, 'mail', limits.mails);
  const requests = limiter(db, 'request', limits.requests);
  return {
    tried: (key) => consume(tries, key, TOO_MANY_CODES),
    succeeded: async (key) => {
      await tries.delete(key);
    },
    mailed: (key) => consume(mails, key, TOO_MANY_CODES),
    requested: (address) => consume(requests, hash(networkOf(address)), TOO_MANY_CODES),
  };
}

/**
 * Anybody can make a display show a code. Somebody who guesses codes finds one among billions, of which a hospital shows
 * a thousand at most.
 */
export const DISPLAY_LIMITS: { readonly starts: Limit; readonly entries: Limit } = {
  starts: { failures: 60, window: 600 },
  entries: { failures: 10, window: 600 },
};

export interface DisplayLimits {
  /** Counts a code that a display gets. @throws Problem TOO_MANY_DISPLAY_CODES with Retry-After. */
  started(clientAddress: string): Promise<void>;
  /** Counts a code that somebody enters. @throws Problem TOO_MANY_DISPLAY_CODES with Retry-After. */
  entered(accountKey: string): Promise<void>;
  /** Clears the count after a right code. */
  succeeded(accountKey: string): Promise<void>;
}

/** Limits of an address that starts displays, and of a person who pairs them. */
export function displayLimits(db: Knex, limits = DISPLAY_LIMITS): DisplayLimits {
  const starts = limiter(db, 'display', limits.starts);
  const entries = limiter(db, 'pairing', limits.entries);
  return {
    started: (address) => consume(starts, hash(networkOf(address)), TOO_MANY_DISPLAY_CODES),
    entered: (key) => consume(entries, key, TOO_MANY_DISPLAY_CODES),
    succeeded: async (key) => {
      await entries.delete(key);
    },
  };
}

/** With more searches, one address could collect the names of all hospitals. */
const SEARCH_LIMIT: Limit = { failures: 120, window: 600 };

export interface SearchLimits {
  /** Counts a search for hospitals. @throws Problem TOO_MANY_SEARCHES with Retry-After. */
  searched(clientAddress: string): Promise<void>;
}

export function searchLimits(db: Knex, limit = SEARCH_LIMIT): SearchLimits {
  const searches = limiter(db, 'search', limit);
  return { searched: (address) => consume(searches, hash(networkOf(address)), TOO_MANY_SEARCHES) };
}

/** Identifies an account in the counts. @param account as the realm or the person writes it. */
export function keyOf(realm: string, account: string): string {
  return hash(`${realm}\n${account.toLowerCase()}`);
}

function limiter(db: Knex, keyPrefix: string, { failures, window }: Limit): RateLimiterPostgres {
  return new RateLimiterPostgres({
    storeClient: db,
    storeType: 'knex',
    schemaName: 'platform',
    tableName: 'login_attempts',
    tableCreated: true,
    keyPrefix,
    points: failures,
    duration: window,
  });
}

async function consume(limiter: RateLimiterPostgres, key: string, kind: ErrorKind): Promise<void> {
  try {
    await limiter.consume(key);
  } catch (reason) {
    if (!(reason instanceof RateLimiterRes)) throw reason;
    throw tooMany(kind, Math.max(1, Math.ceil(reason.msBeforeNext / 1000)));
  }
}

export function tooMany(kind: ErrorKind, seconds: number): Problem {
  return new Problem(kind, {
    details: { retryAfter: seconds },
    headers: { 'Retry-After': String(seconds) },
  });
}

/** The table must not reveal who tried to log in, or from where. */
function hash(text: string): string {
  return createHash('sha256').update(text).digest('base64url');
}
