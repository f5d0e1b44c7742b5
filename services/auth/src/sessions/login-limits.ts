/** How often a login may fail before the next one must wait. Counted in PostgreSQL, so that all processes agree. */
import { createHash } from 'node:crypto';
import { Problem } from '@hms/service';
import type { Knex } from 'knex';
import { RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible';
import type { TokenAnswer } from '../token-answer.ts';
import { networkOf } from './network.ts';
import { TOO_MANY_LOGINS } from './sessions.errors.ts';
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
}

export function loginLimits(db: Knex, limits = LIMITS): LoginLimits {
  const accounts = limiter(db, 'account', limits.account);
  const addresses = limiter(db, 'address', limits.address);
  const [addressTurns, accountTurns] = [new Turns(SIMULTANEOUS_BY_ADDRESS), new Turns(SIMULTANEOUS_BY_ACCOUNT)];
  const counted = async (accountKey: string, addressKey: string, work: () => Promise<TokenAnswer>) => {
    await consume(addresses, addressKey);
    await consume(accounts, accountKey);
    const answer = await work().catch(async (error: unknown) => {
      await Promise.all([addresses.reward(addressKey), accounts.reward(accountKey)]);
      throw error;
    });
    if (answer.kind !== 'refused') await Promise.all([addresses.reward(addressKey), accounts.delete(accountKey)]);
    return answer;
  };
  return {
    guard: ({ hospital, account, address }, work) => {
      const [accountKey, addressKey] = [hash(`${hospital}\n${account.toLowerCase()}`), hash(networkOf(address))];
      const full = () => tooMany(1);
      const inTurn = () => accountTurns.run(accountKey, () => counted(accountKey, addressKey, work), full);
      return addressTurns.run(addressKey, inTurn, full);
    },
  };
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

async function consume(limiter: RateLimiterPostgres, key: string): Promise<void> {
  try {
    await limiter.consume(key);
  } catch (reason) {
    if (!(reason instanceof RateLimiterRes)) throw reason;
    throw tooMany(Math.max(1, Math.ceil(reason.msBeforeNext / 1000)));
  }
}

function tooMany(seconds: number): Problem {
  return new Problem(TOO_MANY_LOGINS, {
    details: { retryAfter: seconds },
    headers: { 'Retry-After': String(seconds) },
  });
}

/** The table must not reveal who tried to log in, or from where. */
function hash(text: string): string {
  return createHash('sha256').update(text).digest('base64url');
}
