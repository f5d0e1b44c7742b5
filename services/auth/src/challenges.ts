/**
 * What waits for the code in an e-mail: logins with the right password, and people who forgot theirs. Kept in
 * PostgreSQL, so that one process or three give the same answers.
 */
import { randomBytes } from 'node:crypto';
import type { Knex } from 'knex';
import { z } from 'zod';
import { isSame, randomCode, type Secrets, sha256 } from './secrets.ts';

/** How long a code is valid, in seconds. */
export const CODE_SECONDS = 300;
/** How many codes may be tried. A new code does not add any. */
const ATTEMPTS = 5;
/** How many seconds pass before another code is sent. */
export const RESEND_SECONDS = 30;
/** How many codes are sent. Together, they must end before Keycloak's session does, after 30 minutes. */
const MAILS = 5;
/** How long the work for a right code can take, in seconds. Only a process that has ended holds a challenge for longer. */
const CLAIM_SECONDS = 60;
/** Expired challenges that a sweep ends at a time. */
const SWEEP_BATCH = 100;

/** What waits for the code. Encrypted at rest. */
const waiting = z.discriminatedUnion('purpose', [
  z.object({ purpose: z.literal('login'), refreshToken: z.string(), email: z.string() }),
  /** Exists for every address that somebody asked for, whether it has an account or not. */
  z.object({ purpose: z.literal('password'), email: z.string() }),
]);
export type Waiting = z.output<typeof waiting>;
export type Purpose = Waiting['purpose'];
export type WaitingFor<P extends Purpose> = Extract<Waiting, { purpose: P }>;

interface Opened {
  /** The client's token. Only its hash is stored. */
  readonly challenge: string;
  readonly code: string;
}

/** A challenge whose code was right. Exactly one caller gets it. */
interface Claim<P extends Purpose> {
  readonly realm: string;
  readonly accountKey: string;
  readonly waiting: WaitingFor<P>;
  /** Removes the challenge for good. */
  finish(): Promise<void>;
  /** Makes it available again, as if the code had not been tried. */
  release(): Promise<void>;
}

export type Attempt<P extends Purpose> =
  /** No such challenge: expired, used, or never created. */
  | { readonly kind: 'gone' }
  | { readonly kind: 'limited'; readonly error: unknown }
  | { readonly kind: 'wrong'; readonly attemptsLeft: number; readonly ended: Ended<P> | undefined }
  | { readonly kind: 'right'; readonly claim: Claim<P> };

export type Resend =
  | { readonly kind: 'gone' }
  /** `seconds`: when another code may be sent. Undefined if no more are sent. */
  | { readonly kind: 'refused'; readonly seconds: number | undefined }
  | { readonly kind: 'renewed'; readonly realm: string; readonly code: string; readonly waiting: Waiting };

/** A challenge that has failed or expired. A login has a session in Keycloak, which must end. */
export interface Ended<P extends Purpose = Purpose> {
  readonly realm: string;
  readonly waiting: WaitingFor<P>;
}

export type Challenges = ReturnType<typeof challengeStore>;

export function challengeStore(db: Knex, secrets: Secrets) {
  const table = () => db.withSchema('platform').table<Row>('login_challenges');
  const expiry = () => db.raw(`now() + make_interval(secs => ${CODE_SECONDS})`);

  async function waitingOf(row: Row): Promise<Waiting | undefined> {
    const text = await secrets.decrypt(row.waiting, contextOf(row.realm, row.token_hash));
    return text === undefined ? undefined : waiting.parse(JSON.parse(text));
  }

  const remove = (hash: Buffer) => table().where({ token_hash: hash }).delete();

  return {
    /** Stores a challenge and creates its first code. @param accountKey for limits. */
    async open(realm: string, accountKey: string, content: Waiting): Promise<Opened> {
      const challenge = randomBytes(32).toString('base64url');
      const hash = sha256(challenge);
      const code = randomCode();
      await table().insert({
        token_hash: hash,
        realm,
        purpose: content.purpose,
        account_key: accountKey,
        code_mac: secrets.mac(code, challenge),
        waiting: await secrets.encrypt(JSON.stringify(content), contextOf(realm, hash)),
        expires_at: expiry(),
      });
      return { challenge, code };
    },

    /**
     * Tries a code. The attempt is counted before the code is compared, so that parallel attempts get no advantage.
     * @param allow throws if the account has used up its attempts in other challenges.
     */
    async attempt<P extends Purpose>(
      purpose: P,
      challenge: string,
      code: string,
      allow: (accountKey: string) => Promise<void>,
    ): Promise<Attempt<P>> {
      const hash = sha256(challenge);
      const [row] = await table()
        .where({ token_hash: hash, claimed_at: null, purpose })
        .where('attempts', '<', ATTEMPTS)
        .where('expires_at', '>', db.fn.now())
        .update({ attempts: db.raw('attempts + 1') })
        .returning('*');
      const content = row && ((await waitingOf(row)) as WaitingFor<P> | undefined);
      if (!row || !content) return { kind: 'gone' };
      const uncount = () =>
        table()
          .where({ token_hash: hash })
          .update({ attempts: db.raw('attempts - 1') });
      try {
        await allow(row.account_key);
      } catch (error) {
        await uncount();
        return { kind: 'limited', error };
      }
      if (!isSame(row.code_mac, secrets.mac(code, challenge))) {
        const attemptsLeft = ATTEMPTS - row.attempts;
        if (attemptsLeft === 0) await remove(hash);
        return {
          kind: 'wrong',
          attemptsLeft,
          ended: attemptsLeft === 0 ? { realm: row.realm, waiting: content } : undefined,
        };
      }
      const claimed = await table().where({ token_hash: hash, claimed_at: null }).update({ claimed_at: db.fn.now() });
      if (claimed === 0) return { kind: 'gone' };
      const claim: Claim<P> = {
        realm: row.realm,
        accountKey: row.account_key,
        waiting: content,
        finish: async () => {
          await remove(hash);
        },
        release: async () => {
          await table()
            .where({ token_hash: hash })
            .update({ claimed_at: null, attempts: db.raw('attempts - 1') });
        },
      };
      return { kind: 'right', claim };
    },

    /**
     * Replaces the code by a new one. Attempts at the former code count for the new one.
     * @param allow throws if the account has got too many e-mails.
     */
    async renew(challenge: string, allow: (accountKey: string) => Promise<void>): Promise<Resend> {
      const hash = sha256(challenge);
      const open = () =>
        table()
          .where({ token_hash: hash, claimed_at: null })
          .where('attempts', '<', ATTEMPTS)
          .where('expires_at', '>', db.fn.now());
      const found: Renewable | undefined = await open().first(
        'mails',
        'account_key',
        db.raw(`ceil(extract(epoch FROM mailed_at - now()) + ${RESEND_SECONDS})::integer AS seconds`),
      );
      if (!found) return { kind: 'gone' };
      if (found.mails >= MAILS) return { kind: 'refused', seconds: undefined };
      if (found.seconds > 0) return { kind: 'refused', seconds: found.seconds };
      await allow(found.account_key);
      const code = randomCode();
      const [row] = await open()
        .where({ mails: found.mails })
        .update({
          mails: found.mails + 1,
          mailed_at: db.fn.now(),
          expires_at: expiry(),
          code_mac: secrets.mac(code, challenge),
        })
        .returning('*');
      // Another request has just sent one.
      if (!row) return { kind: 'refused', seconds: RESEND_SECONDS };
      const content = await waitingOf(row);
      return content ? { kind: 'renewed', realm: row.realm, code, waiting: content } : { kind: 'gone' };
    },

    /** Deletes expired challenges, except those whose code was right a moment ago. @returns those that could be decrypted. */
    async sweep(): Promise<readonly Ended[]> {
      const expired = table()
        .select('token_hash')
        .where('expires_at', '<', db.fn.now())
        .whereRaw('(claimed_at IS NULL OR claimed_at < now() - make_interval(secs => ?))', [CLAIM_SECONDS])
        .limit(SWEEP_BATCH)
        .forUpdate()
        .skipLocked();
      const rows: Row[] = await table().whereIn('token_hash', expired).delete().returning('*');
      const ended = await Promise.all(
        rows.map(async (row) => {
          const content = await waitingOf(row);
          return content && { realm: row.realm, waiting: content };
        }),
      );
      return ended.filter((challenge) => challenge !== undefined);
    },
  };
}

/** A row that is moved to another challenge or realm can't be decrypted. */
function contextOf(realm: string, hash: Buffer): string {
  return `challenge ${realm} ${hash.toString('hex')}`;
}

interface Renewable {
  readonly mails: number;
  readonly account_key: string;
  /** Until another code may be sent. */
  readonly seconds: number;
}

interface Row {
  readonly token_hash: Buffer;
  readonly realm: string;
  readonly purpose: Purpose;
  readonly account_key: string;
  readonly code_mac: Buffer;
  readonly waiting: string;
  readonly attempts: number;
  readonly mails: number;
  readonly mailed_at: Date;
  readonly expires_at: Date;
  readonly claimed_at: Date | null;
}
