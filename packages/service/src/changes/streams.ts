/**
 * Server-sent events on changes, usually of the tables of a hospital. What all streams of a kind say is computed once, in a broadcast,
 * and the same bytes are written to each of them.
 */
import type { ServerResponse } from 'node:http';
import type { Hospital } from '@hms/database';
import { hospitalNames } from '@hms/tenancy';
import type { Logger } from 'pino';
import type { Caller } from '../caller.ts';
import { type ErrorKind, FORBIDDEN, Problem } from '../errors.ts';
import type { Registry } from '../registry.ts';
import { type Broadcast, ChangesBroadcast } from './broadcast.ts';
import { Channel } from './channel.ts';
import { EventStream, type EventStreamOptions } from './event-stream.ts';
import { ChangeListener, type ChangeListenerOptions, RESET } from './listener.ts';
import { type ChangeSource, tablesOf } from './source.ts';

export const TOO_MANY_STREAMS: ErrorKind = {
  status: 429,
  code: 'TOO_MANY_STREAMS',
  message: 'Too many lists are followed at the same time: close other pages',
  retryAfter: 30,
};

export interface FollowOptions extends EventStreamOptions {
  /** Streams of a hospital, or of the platform, with the same name share a broadcast. */
  readonly name: string;
  /** Default: the tables of the caller's hospital. */
  readonly source?: ChangeSource;
  /** Called for the first of them. */
  broadcast(): Broadcast;
}

/** The body of a response that lasts. */
export interface EventBody {
  /** Resolves when it is over. The headers were sent. */
  sendTo(response: ServerResponse): Promise<void>;
}

/** How often each stream is looked at, in ms. */
const LOOK_MS = 1_000;
/** Streams end when their process has heard of no change for this long, in ms: another process may hear of them. */
const DEAF_MS = 5_000;
/** Each open page of a list has one. */
const MOST_OF_A_PERSON = 30;
/** One process takes over those of another one. Each takes about 30 KB. */
const MOST_STREAMS = 12_000;

export interface EventStreamsOptions extends ChangeListenerOptions {
  readonly log: Logger;
  readonly registry: Registry;
}

export class EventStreams {
  readonly #options: EventStreamsOptions;
  readonly #listener: ChangeListener;
  readonly #channels = new Map<string, Channel>();
  readonly #people = new Map<string, number>();
  #count = 0;
  #isEnding = false;
  #looking: NodeJS.Timeout | undefined;

  constructor(options: EventStreamsOptions) {
    this.#options = options;
    this.#listener = new ChangeListener(options);
  }

  /** The ids of the records of a table that have changed, for live lists. */
  changesOf(hospital: Hospital, record: string): Broadcast {
    const { role } = hospitalNames(hospital.prefix);
    return new ChangesBroadcast(record, () => this.#listener.quietFor(role, record));
  }

  /** For how long a table has not changed, as far as this process knows, in ms. Undefined while it hears of no changes. */
  quietFor({ prefix }: Pick<Hospital, 'prefix'>, record: string): number | undefined {
    if (this.#isEnding) return undefined;
    void this.#listener.ready();
    return this.#listener.isListening ? this.#listener.quietFor(hospitalNames(prefix).role, record) : undefined;
  }

  /**
   * Begins a stream. It ends when the caller or the hospital is no longer welcome, or a setting of the hospital changes.
   * @throws Problem FORBIDDEN for users of the platform if it names no source, TOO_MANY_STREAMS, and what the broadcast
   * throws at the first reset.
   */
  async open(caller: Caller, options: FollowOptions): Promise<EventBody> {
    const { hospital } = caller;
    const source = options.source ?? (hospital && tablesOf(this.#listener, hospital.prefix));
    if (!source) throw new Problem(FORBIDDEN, { message: 'Only people of a hospital may use this' });
    if (!this.#hasRoom(caller.sub)) throw new Problem(TOO_MANY_STREAMS);
    // Whoever comes while the process ends is sent on at once.
    const channel = this.#isEnding ? undefined : await this.#channelOf(hospital, source, options);
    return { sendTo: (response) => this.#begin(new EventStream(response, caller, options), channel) };
  }

  async end(): Promise<void> {
    this.#isEnding = true;
    clearInterval(this.#looking);
    for (const channel of this.#channels.values()) this.#close(channel);
    await this.#listener.end();
  }

  #hasRoom(person: string): boolean {
    return this.#count < MOST_STREAMS && (this.#people.get(person) ?? 0) < MOST_OF_A_PERSON;
  }

  async #channelOf(
    hospital: Hospital | undefined,
    source: ChangeSource,
    { name, broadcast }: FollowOptions,
  ): Promise<Channel> {
    await source.ready();
    // Another setting of the hospital may concern what a broadcast says.
    const key = `${hospital?.id}/${hospital?.updatedAt?.getTime()}/${name}`;
    const isWelcome = async () => hospital === undefined || (await this.#isAsItWas(hospital));
    const { log } = this.#options;
    const channel = this.#channels.get(key) ?? new Channel({ key, broadcast: broadcast(), source, isWelcome, log });
    this.#channels.set(key, channel);
    this.#looking ??= setInterval(() => void this.#look(), LOOK_MS).unref();
    try {
      await channel.ready;
    } catch (error) {
      this.#close(channel);
      throw error;
    }
    return channel;
  }

  async #begin(stream: EventStream, channel: Channel | undefined): Promise<void> {
    const { response } = stream;
    const { sub } = stream.caller;
    if (response.destroyed) return;
    if (!channel || channel.isClosed || this.#isEnding || !this.#hasRoom(sub)) return void stream.end();
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#count += 1;
    this.#people.set(sub, (this.#people.get(sub) ?? 0) + 1);
    const asides = stream.asides.map(({ record, id }) =>
      channel.source.subscribe(record, (notice) => {
        if (notice === RESET || id === undefined || notice.id === id) stream.tellAside();
      }),
    );
    response.once('close', () => {
      channel.leave(stream);
      for (const unsubscribe of asides) unsubscribe();
      this.#count -= 1;
      const left = (this.#people.get(sub) ?? 1) - 1;
      if (left > 0) this.#people.set(sub, left);
      else this.#people.delete(sub);
      resolve();
    });
    channel.enter(stream);
    return promise;
  }

  /** Ends what is over, and keeps the others alive. */
  async #look(): Promise<void> {
    const isDeaf = this.#listener.deafFor > DEAF_MS;
    for (const channel of [...this.#channels.values()]) {
      if (isDeaf || channel.isEmpty || !(await channel.isWelcome().catch(() => true))) {
        this.#close(channel);
        continue;
      }
      const now = Date.now();
      for (const stream of channel.streams()) {
        if (await this.#isWelcome(stream.caller, now).catch(() => true)) stream.keepAlive(now);
        else stream.end();
      }
    }
  }

  async #isAsItWas({ issuer, updatedAt }: Hospital): Promise<boolean> {
    const now = await this.#options.registry.byIssuer(issuer);
    return now?.state === 'Active' && now.updatedAt?.getTime() === updatedAt?.getTime();
  }

  async #isWelcome({ expiresAt, issuedAt, sub, impersonation, hospital }: Caller, now: number): Promise<boolean> {
    const { registry } = this.#options;
    return (
      // Rather a moment early than a moment late.
      expiresAt.getTime() > now + LOOK_MS &&
      (!hospital || issuedAt.getTime() / 1000 >= (await registry.revokedBefore(hospital, sub))) &&
      (!impersonation || (await registry.impersonationOf(impersonation.tokenId)) !== undefined)
    );
  }

  #close(channel: Channel): void {
    channel.close();
    if (this.#channels.get(channel.key) === channel) this.#channels.delete(channel.key);
  }
}
