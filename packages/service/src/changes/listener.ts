/** Listens to the notices of changed records on one connection, for all streams of a process. */
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { openClient } from '@hms/database';
import type { Logger } from 'pino';
import { CHANGES_CHANNEL, type ChangedRecord } from './change.ts';

/** Notices may have been lost: whoever follows reads everything again. */
export const RESET = 'reset';
export type Notice = ChangedRecord | typeof RESET;
type OnNotice = (notice: Notice) => void;

export interface ChangeListenerOptions {
  readonly databaseUrl: string;
  readonly log: Logger;
}

/** Tables of hospitals whose last change is known. */
const MOST_KNOWN = 10_000;
const RECONNECT_PAUSE = 1_000;
const END_MS = 2_000;
/** A connection whose other end is gone says nothing, so it is asked this often, and has as long to answer. */
const PROBE_MS = 10_000;

export class ChangeListener {
  readonly #options: ChangeListenerOptions;
  /** By hospital and table. */
  readonly #followers = new Map<string, Set<OnNotice>>();
  /** When a table of a hospital last changed, in ms since 1970. */
  readonly #changedAt = new Map<string, number>();
  /** Since when no notice was lost. */
  #listeningSince = Number.POSITIVE_INFINITY;
  /** Since when no notice can arrive, in ms since 1970. */
  #deafSince: number | undefined;
  readonly #ending = new AbortController();
  #connected: PromiseWithResolvers<void> | undefined;
  #loop: Promise<void> | undefined;

  constructor(options: ChangeListenerOptions) {
    this.#options = options;
  }

  /**
   * Tells of each change of a table of one hospital. None is missed after `ready` has resolved.
   * @param role of the hospital in PostgreSQL
   * @returns ends it.
   */
  subscribe(role: string, record: string, onNotice: OnNotice): () => void {
    const key = `${role}/${record}`;
    const followers = this.#followers.get(key) ?? new Set();
    this.#followers.set(key, followers.add(onNotice));
    return () => {
      followers.delete(onNotice);
      if (followers.size === 0 && this.#followers.get(key) === followers) this.#followers.delete(key);
    };
  }

  /** Resolves when the connection listens. The first call opens it. */
  ready(): Promise<void> {
    if (!this.#connected) {
      this.#connected = Promise.withResolvers();
      this.#deafSince = Date.now();
      this.#loop = this.#listen();
    }
    return this.#connected.promise;
  }

  /** For how long no notice could arrive, in ms. 0 while it listens. */
  get deafFor(): number {
    return this.#deafSince === undefined ? 0 : Date.now() - this.#deafSince;
  }

  /** Whether notices arrive. */
  get isListening(): boolean {
    return Number.isFinite(this.#listeningSince);
  }

  /** For how long a table of a hospital has not changed, as far as this process knows, in ms. */
  quietFor(role: string, record: string): number {
    const last = this.#changedAt.get(`${role}/${record}`) ?? 0;
    return Math.max(0, Date.now() - Math.max(last, this.#listeningSince));
  }

  async end(): Promise<void> {
    this.#ending.abort();
    await this.#loop;
  }

  async #listen(): Promise<void> {
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
        this.#deafSince = undefined;
        this.#reset();
        this.#connected?.resolve();
        const stop = AbortSignal.any([signal, ended.signal]);
        while (!stop.aborted) {
          await Promise.race([
            once(stop, 'abort'),
            delay(PROBE_MS, undefined, { signal: stop }).catch(() => undefined),
          ]);
          if (!stop.aborted) await answered(client.query('SELECT 1'), stop);
        }
      } catch (error) {
        log.warn({ error }, 'could not listen for changes: trying again shortly');
      }
      this.#listeningSince = Number.POSITIVE_INFINITY;
      if (this.#deafSince === undefined) {
        this.#deafSince = Date.now();
        this.#connected = Promise.withResolvers();
      }
      // A server that does not answer must not hold the process.
      await Promise.race([client.end().catch(() => undefined), delay(END_MS, undefined, { ref: false })]);
      await delay(RECONNECT_PAUSE, undefined, { signal }).catch(() => undefined);
    }
    this.#connected?.resolve();
  }

  #deliver(payload: string): void {
    let notice: ChangedRecord & { readonly role: string };
    try {
      notice = JSON.parse(payload);
    } catch (error) {
      // Anybody who may log in to PostgreSQL can send one.
      this.#options.log.warn({ error }, 'a notice of a change is unreadable: every list is read again');
      this.#reset();
      return;
    }
    const { role, record, id } = notice;
    this.#note(`${role}/${record}`);
    for (const onNotice of this.#followers.get(`${role}/${record}`) ?? []) onNotice({ record, id });
  }

  #note(key: string): void {
    if (this.#changedAt.size >= MOST_KNOWN) {
      this.#changedAt.clear();
      this.#listeningSince = Date.now();
    }
    this.#changedAt.set(key, Date.now());
  }

  #reset(): void {
    for (const followers of this.#followers.values()) for (const onNotice of followers) onNotice(RESET);
  }
}

/** @throws Error if there is no answer in time. */
async function answered(answer: Promise<unknown>, stop: AbortSignal): Promise<void> {
  const late = delay(PROBE_MS, 'late', { ref: false, signal: stop }).catch(() => undefined);
  if ((await Promise.race([answer, late])) === 'late') throw new Error('the connection does not answer');
}
