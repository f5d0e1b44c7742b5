/** Listens to the notices of changed records on one connection, for all streams of a process. */
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { openClient } from '@hms/database';
import type { Logger } from 'pino';
import { type ErrorKind, Problem } from '../errors.ts';
import { CHANGES_CHANNEL, type ChangedRecord } from './change.ts';

/** Notices may have been lost: whoever follows reads everything again. */
export const RESET = 'reset';
export type Notice = ChangedRecord | typeof RESET;

export const TOO_MANY_STREAMS: ErrorKind = {
  status: 429,
  code: 'TOO_MANY_STREAMS',
  message: 'Too many lists are followed at the same time: close other pages',
  retryAfter: 30,
};

export interface ChangeListenerOptions {
  readonly databaseUrl: string;
  readonly log: Logger;
}

/** Notices that a slow reader may leave waiting. */
const MOST_WAITING = 200;
/** Each open page of a list has one. */
const MOST_OF_A_PERSON = 30;
/** Each takes about 30 KB. */
const MOST_FOLLOWERS = 3_000;
/** Tables of hospitals whose last change is known. */
const MOST_KNOWN = 10_000;
const RECONNECT_PAUSE = 1_000;
const END_MS = 2_000;

export class ChangeListener {
  readonly #options: ChangeListenerOptions;
  readonly #followers = new Map<string, Set<Follower>>();
  /** When a table of a hospital last changed, in ms since 1970. */
  readonly #changedAt = new Map<string, number>();
  /** Since when no notice was lost. */
  #listeningSince = Number.POSITIVE_INFINITY;
  readonly #ending = new AbortController();
  #connected: Promise<void> | undefined;
  #loop: Promise<void> | undefined;

  constructor(options: ChangeListenerOptions) {
    this.#options = options;
  }

  /** @throws Problem TOO_MANY_STREAMS if this person, or everybody together, can't follow more. */
  requireRoom(person: string): void {
    const all = [...this.#followers.values()].flatMap((followers) => [...followers]);
    if (all.length >= MOST_FOLLOWERS || all.filter((one) => one.person === person).length >= MOST_OF_A_PERSON)
      throw new Problem(TOO_MANY_STREAMS);
  }

  /**
   * Follows the changes of a table of one hospital. Resolves when no later change can be missed.
   * @param role of the hospital in PostgreSQL
   */
  async follow(role: string, record: string, person: string): Promise<Follower> {
    const key = `${role}/${record}`;
    const followers = this.#followers.get(key) ?? new Set();
    this.#followers.set(key, followers);
    const follower = new Follower(person, () => {
      followers.delete(follower);
      if (followers.size === 0) this.#followers.delete(key);
    });
    followers.add(follower);
    if (this.#ending.signal.aborted) follower.close();
    else await this.#connect();
    return follower;
  }

  /** For how long a table of a hospital has not changed, as far as this process knows, in ms. */
  quietFor(role: string, record: string): number {
    const last = this.#changedAt.get(`${role}/${record}`) ?? 0;
    return Math.max(0, Date.now() - Math.max(last, this.#listeningSince));
  }

  /** Ends all streams, and the connection. */
  async end(): Promise<void> {
    this.#ending.abort();
    this.#each((follower) => follower.close());
    await this.#loop;
  }

  /** The connection is opened for the first follower. */
  #connect(): Promise<void> {
    if (this.#connected) return this.#connected;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#connected = promise;
    this.#loop = this.#listen(resolve);
    return promise;
  }

  async #listen(connected: () => void): Promise<void> {
    const { databaseUrl, log } = this.#options;
    const { signal } = this.#ending;
    while (!signal.aborted) {
      const client = openClient(databaseUrl, { applicationName: 'hms-changes' });
      const ended = new AbortController();
      client.on('error', () => ended.abort());
      client.on('end', () => ended.abort());
      client.on('notification', ({ payload = '' }) => this.#deliver(payload));
      try {
        await client.connect();
        await client.query(`LISTEN ${CHANGES_CHANNEL}`);
        this.#listeningSince = Date.now();
        this.#each((follower) => follower.push(RESET));
        connected();
        const stop = AbortSignal.any([signal, ended.signal]);
        if (!stop.aborted) await once(stop, 'abort');
      } catch (error) {
        log.warn({ error }, 'could not listen for changes: trying again shortly');
      }
      this.#listeningSince = Number.POSITIVE_INFINITY;
      // A server that does not answer must not hold the process.
      await Promise.race([client.end().catch(() => undefined), delay(END_MS, undefined, { ref: false })]);
      await delay(RECONNECT_PAUSE, undefined, { signal }).catch(() => undefined);
    }
    connected();
  }

  #deliver(payload: string): void {
    let notice: ChangedRecord & { readonly role: string };
    try {
      notice = JSON.parse(payload);
    } catch (error) {
      // Anybody who may log in to PostgreSQL can send one.
      this.#options.log.warn({ error }, 'a notice of a change is unreadable: every list is read again');
      this.#each((follower) => follower.push(RESET));
      return;
    }
    const { role, record, id } = notice;
    this.#note(`${role}/${record}`);
    for (const follower of this.#followers.get(`${role}/${record}`) ?? []) follower.push({ record, id });
  }

  #note(key: string): void {
    if (this.#changedAt.size >= MOST_KNOWN) {
      this.#changedAt.clear();
      this.#listeningSince = Date.now();
    }
    this.#changedAt.set(key, Date.now());
  }

  #each(act: (follower: Follower) => void): void {
    for (const followers of this.#followers.values()) for (const follower of followers) act(follower);
  }
}

/** Who follows the changes of a table. */
export class Follower {
  readonly person: string;
  readonly #onClose: () => void;
  #waiting: Notice[] = [];
  #wake = Promise.withResolvers<void>();
  isClosed = false;

  constructor(person: string, onClose: () => void) {
    this.person = person;
    this.#onClose = onClose;
  }

  push(notice: Notice): void {
    if (notice === RESET || this.#waiting.length >= MOST_WAITING) this.#waiting = [RESET];
    else this.#waiting.push(notice);
    this.#wake.resolve();
  }

  close(): void {
    if (this.isClosed) return;
    this.isClosed = true;
    this.#onClose();
    this.#wake.resolve();
  }

  /** The notices since the last call, or none after this many milliseconds or when it is closed. */
  async next(milliseconds: number): Promise<readonly Notice[]> {
    if (this.#waiting.length === 0 && !this.isClosed) {
      const timer = setTimeout(this.#wake.resolve, milliseconds);
      await this.#wake.promise;
      clearTimeout(timer);
    }
    this.#wake = Promise.withResolvers<void>();
    return this.#waiting.splice(0);
  }
}
