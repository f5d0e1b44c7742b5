/**
 * Server-sent events on the changes of a hospital's tables. What all streams of a kind say is computed once, in a broadcast,
 * and the same bytes are written to each of them.
 *
 * Nothing is kept for a client that does not take what it was sent: it is told what it has missed when it goes on, and is
 * disconnected if it does not.
 */
import type { ServerResponse } from 'node:http';
import type { Hospital } from '@hms/database';
import { hospitalNames } from '@hms/tenancy';
import type { Logger } from 'pino';
import type { Caller } from '../caller.ts';
import { type ErrorKind, FORBIDDEN, Problem } from '../errors.ts';
import type { Registry } from '../registry.ts';
import { ChangeListener, type Notice, RESET } from './listener.ts';

export const TOO_MANY_STREAMS: ErrorKind = {
  status: 429,
  code: 'TOO_MANY_STREAMS',
  message: 'Too many lists are followed at the same time: close other pages',
  retryAfter: 30,
};

/** What the streams of one kind say. */
export interface Broadcast {
  /** The tables of the hospital whose changes it is about. */
  readonly records: readonly string[];
  /**
   * Takes in what has changed. First of all, a reset.
   * @returns the events for those who have had everything before.
   */
  take(notices: readonly Notice[]): Promise<string> | string;
  /** What those have had who have had everything. */
  readonly position: string;
  /** The events for somebody who has had everything until a position. @param position undefined: nothing yet. */
  since(position: string | undefined): string;
}

export interface FollowOptions {
  /** Streams of a hospital with the same name share a broadcast. */
  readonly name: string;
  /** Called for the first of them. */
  broadcast(): Broadcast;
  /** Position that the client has had. */
  readonly lastId?: string | undefined;
  /** What only this stream is told. */
  readonly aside?: Aside | undefined;
}

/** An event for one stream, when one of some records has changed. */
interface Aside {
  readonly event: string;
  /** Whose changes count. Without an id: all of the table. */
  readonly records: readonly { readonly record: string; readonly id?: string }[];
}

/** The body of a response that lasts. */
export interface EventBody {
  /** Resolves when it is over. The headers were sent. */
  sendTo(response: ServerResponse): Promise<void>;
}

/** How often each stream is looked at, in ms, like all of these. */
const LOOK_MS = 1_000;
/** Proxies close a connection on which nothing is sent. With the time between two looks, 15 s at most. */
const KEEP_ALIVE_MS = 14_000;
/** A client that takes nothing for so long is disconnected. */
const STALLED_MS = 15_000;
/** When whoever is told to come back does. They do not all come at the same moment. */
const FIRST_RETURN = 500;
const LAST_RETURN = 4_000;
/** Notices that wait while a broadcast takes in others. */
const MOST_WAITING = 200;
/** Each open page of a list has one. */
const MOST_OF_A_PERSON = 30;
/** One process takes over those of another one. Each takes about 30 KB. */
const MOST_STREAMS = 12_000;
const KEEP_ALIVE = Buffer.from(': keep-alive\n\n');

export interface EventStreamsOptions {
  readonly databaseUrl: string;
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

  /**
   * Begins a stream. It ends when the caller or the hospital is no longer welcome, or a setting of the hospital changes.
   * @throws Problem FORBIDDEN for users of the platform, TOO_MANY_STREAMS, and what the broadcast throws at the first reset.
   */
  async open(caller: Caller, options: FollowOptions): Promise<EventBody> {
    const { hospital } = caller;
    if (!hospital) throw new Problem(FORBIDDEN, { message: 'Only people of a hospital may use this' });
    if (!this.#hasRoom(caller.sub)) throw new Problem(TOO_MANY_STREAMS);
    // Whoever comes while the process ends is sent on at once.
    const channel = this.#isEnding ? undefined : await this.#channelOf(hospital, options);
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

  async #channelOf(hospital: Hospital, { name, broadcast }: FollowOptions): Promise<Channel> {
    // Another setting of the hospital may concern what a broadcast says.
    const key = `${hospital.id}/${hospital.updatedAt?.getTime()}/${name}`;
    const known = this.#channels.get(key);
    const channel = known ?? new Channel(key, hospital, broadcast(), this.#listener, this.#options);
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
    const { sub, hospital } = stream.caller;
    if (response.destroyed) return;
    if (!channel || channel.isClosed || this.#isEnding || !this.#hasRoom(sub)) return void stream.end();
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#count += 1;
    this.#people.set(sub, (this.#people.get(sub) ?? 0) + 1);
    const { role } = hospitalNames(hospital?.prefix ?? '');
    const asides = stream.asides.map(({ record, id }) =>
      this.#listener.subscribe(role, record, (notice) => {
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
    for (const channel of [...this.#channels.values()]) {
      if (channel.isEmpty || !(await channel.isWelcome().catch(() => true))) {
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

  async #isWelcome({ expiresAt, issuedAt, sub, impersonation, hospital }: Caller, now: number): Promise<boolean> {
    const { registry } = this.#options;
    return (
      // Rather a moment early than a moment late.
      expiresAt.getTime() > now + LOOK_MS &&
      hospital !== undefined &&
      issuedAt.getTime() / 1000 >= (await registry.revokedBefore(hospital, sub)) &&
      (!impersonation || (await registry.impersonationOf(impersonation.tokenId)) !== undefined)
    );
  }

  #close(channel: Channel): void {
    channel.close();
    if (this.#channels.get(channel.key) === channel) this.#channels.delete(channel.key);
  }
}

/** The streams that share a broadcast. */
class Channel {
  readonly key: string;
  /** Resolves when no later change can be missed. */
  readonly ready: Promise<void>;
  readonly #hospital: Hospital;
  readonly #broadcast: Broadcast;
  readonly #options: EventStreamsOptions;
  readonly #streams = new Set<EventStream>();
  readonly #unsubscribe: readonly (() => void)[];
  #waiting: Notice[] = [];
  #isBusy = true;
  isClosed = false;
  /** Somebody may be about to enter. */
  #emptySince = Date.now();

  constructor(
    key: string,
    hospital: Hospital,
    broadcast: Broadcast,
    listener: ChangeListener,
    options: EventStreamsOptions,
  ) {
    this.key = key;
    this.#hospital = hospital;
    this.#broadcast = broadcast;
    this.#options = options;
    const { role } = hospitalNames(hospital.prefix);
    this.#unsubscribe = broadcast.records.map((record) =>
      listener.subscribe(role, record, (notice) => this.#hear(notice)),
    );
    this.ready = this.#start(listener);
  }

  get isEmpty(): boolean {
    return this.#streams.size === 0 && Date.now() - this.#emptySince > LOOK_MS;
  }

  streams(): readonly EventStream[] {
    return [...this.#streams];
  }

  /** Whether the hospital is still as it was. */
  async isWelcome(): Promise<boolean> {
    const now = await this.#options.registry.byIssuer(this.#hospital.issuer);
    return now?.state === 'Active' && now.updatedAt?.getTime() === this.#hospital.updatedAt?.getTime();
  }

  enter(stream: EventStream): void {
    this.#streams.add(stream);
    stream.begin(this.#broadcast);
  }

  leave(stream: EventStream): void {
    this.#streams.delete(stream);
    this.#emptySince = Date.now();
  }

  close(): void {
    this.isClosed = true;
    for (const unsubscribe of this.#unsubscribe) unsubscribe();
    for (const stream of this.#streams) stream.end();
  }

  async #start(listener: ChangeListener): Promise<void> {
    await listener.ready();
    this.#waiting = [];
    await this.#broadcast.take([RESET]);
    this.#isBusy = false;
    if (this.#waiting.length > 0) void this.#work();
  }

  #hear(notice: Notice): void {
    if (notice === RESET || this.#waiting.length >= MOST_WAITING) this.#waiting = [RESET];
    else this.#waiting.push(notice);
    if (!this.#isBusy) void this.#work();
  }

  async #work(): Promise<void> {
    this.#isBusy = true;
    try {
      while (this.#waiting.length > 0 && !this.isClosed) {
        const notices = this.#waiting.splice(0);
        if (!(await this.isWelcome())) return this.close();
        this.#tell(await this.#broadcast.take(notices));
      }
    } catch (error) {
      // Whoever follows would believe that nothing has changed.
      this.#options.log.warn({ error }, 'what has changed could not be read: the streams end, and are opened again');
      this.close();
    } finally {
      this.#isBusy = false;
    }
  }

  #tell(text: string): void {
    if (text === '') return;
    const events = Buffer.from(text);
    for (const stream of this.#streams) stream.tell(events);
  }
}

/** One client. */
class EventStream {
  readonly response: ServerResponse;
  readonly caller: Caller;
  readonly asides: Aside['records'];
  readonly #aside: Buffer | undefined;
  /** Position that the client has had. Undefined while it has everything. */
  #had: string | undefined;
  #isAsideDue = false;
  /** Since when the client takes nothing, in ms since 1970. */
  #stalledAt: number | undefined;
  #sentAt = 0;
  #broadcast: Broadcast | undefined;

  constructor(response: ServerResponse, caller: Caller, { aside, lastId }: FollowOptions) {
    this.response = response;
    this.caller = caller;
    this.#had = lastId;
    this.asides = aside?.records ?? [];
    this.#aside = aside && Buffer.from(`event: ${aside.event}\ndata: {}\n\n`);
  }

  begin(broadcast: Broadcast): void {
    this.#broadcast = broadcast;
    this.response.on('drain', () => this.#goOn());
    const events = Buffer.from(`retry: ${returnAfter()}\n\n${broadcast.since(this.#had)}`);
    this.#had = undefined;
    this.#write(events);
  }

  tell(events: Buffer): void {
    if (this.#stalledAt === undefined) this.#write(events);
  }

  tellAside(): void {
    if (this.#stalledAt !== undefined) this.#isAsideDue = true;
    else if (this.#aside) this.#write(this.#aside);
  }

  keepAlive(now: number): void {
    if (this.#stalledAt !== undefined) {
      if (now - this.#stalledAt > STALLED_MS) this.response.destroy();
    } else if (now - this.#sentAt >= KEEP_ALIVE_MS) this.#write(KEEP_ALIVE);
  }

  /** Says when to come back. */
  end(): void {
    if (!this.response.writableEnded) this.response.end(`retry: ${returnAfter()}\n\n`);
  }

  #write(events: Buffer): void {
    if (this.response.writableEnded) return;
    this.#sentAt = Date.now();
    if (this.response.write(events)) return;
    this.#stalledAt = this.#sentAt;
    this.#had = this.#broadcast?.position;
  }

  /** Tells what has happened since the client took nothing more. */
  #goOn(): void {
    if (this.#stalledAt === undefined || !this.#broadcast) return;
    this.#stalledAt = undefined;
    const had = this.#had;
    this.#had = undefined;
    if (had !== this.#broadcast.position) this.#write(Buffer.from(this.#broadcast.since(had)));
    if (!this.#isAsideDue) return;
    this.#isAsideDue = false;
    this.tellAside();
  }
}

/**
 * For live lists. Each event has the id of a changed record: `event: change`, `data: {"id": "…"}`. The first one is
 * `reset`: from then on no change is missed, so a client reads its list when it gets one, unless it has read it within
 * the time in `quietMs`. Another `reset` follows when changes may have been lost.
 */
class ChangesBroadcast implements Broadcast {
  readonly records: readonly string[];
  readonly #quietMs: () => number;
  #taken = 0;

  constructor(record: string, quietMs: () => number) {
    this.records = [record];
    this.#quietMs = quietMs;
  }

  get position(): string {
    return String(this.#taken);
  }

  take(notices: readonly Notice[]): string {
    this.#taken += 1;
    return notices
      .map((notice) =>
        notice === RESET ? resetAfter(0) : `event: change\ndata: ${JSON.stringify({ id: notice.id })}\n\n`,
      )
      .join('');
  }

  since(position: string | undefined): string {
    return resetAfter(position === undefined ? this.#quietMs() : 0);
  }
}

function resetAfter(quietMs: number): string {
  return `event: reset\ndata: ${JSON.stringify({ quietMs })}\n\n`;
}

function returnAfter(): number {
  return FIRST_RETURN + Math.floor(Math.random() * (LAST_RETURN - FIRST_RETURN));
}
