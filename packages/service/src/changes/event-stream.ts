/**
 * The stream of one client. Nothing is kept for a client that does not take what it was sent: it is told what it has missed
 * when it goes on, and is disconnected if it does not.
 */
import type { ServerResponse } from 'node:http';
import type { Caller } from '../caller.ts';
import type { Broadcast } from './broadcast.ts';

/** An event for one stream, when one of some records has changed. */
export interface Aside {
  readonly event: string;
  /** Whose changes count. Without an id: all of the table. */
  readonly records: readonly { readonly record: string; readonly id?: string }[];
}

export interface EventStreamOptions {
  /** Position that the client has had. */
  readonly lastId?: string | undefined;
  /** What only this stream is told. */
  readonly aside?: Aside | undefined;
}

/** Proxies close a connection on which nothing is sent. With the time between two looks, 10 s at most. In ms, like all of these. */
const KEEP_ALIVE_MS = 9_000;
/** A client that takes nothing for so long is disconnected. */
const STALLED_MS = 15_000;
/** When whoever is told to come back does. They do not all come at the same moment. */
const FIRST_RETURN = 500;
const LAST_RETURN = 4_000;
const KEEP_ALIVE = Buffer.from(': keep-alive\n\n');

export class EventStream {
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

  constructor(response: ServerResponse, caller: Caller, { aside, lastId }: EventStreamOptions) {
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
    try {
      if (had !== this.#broadcast.position) this.#write(Buffer.from(this.#broadcast.since(had)));
    } catch {
      // The client comes back, and is told then why.
      this.end();
      return;
    }
    if (!this.#isAsideDue) return;
    this.#isAsideDue = false;
    this.tellAside();
  }
}

function returnAfter(): number {
  return FIRST_RETURN + Math.floor(Math.random() * (LAST_RETURN - FIRST_RETURN));
}
