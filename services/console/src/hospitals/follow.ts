/**
 * Streams of server-sent events on hospitals. Each begins with the present state, so a client that comes back misses
 * nothing that lasts. They end with the caller's token, and say when to come back.
 */
import type { ServerResponse } from 'node:http';
import { type Caller, Problem, TOO_MANY_STREAMS } from '@hms/service';

export interface Sent {
  readonly event: string;
  readonly data: unknown;
}

/** What one stream is about. */
export interface Subject {
  /** The present state. */
  present(): readonly Sent[] | Promise<readonly Sent[]>;
  /** Calls `tell` for what happens from now on. @returns a function that ends it. */
  subscribe(tell: (sent: Sent) => void): () => void;
}

/** Proxies close a connection on which nothing is sent, in ms. */
const KEEP_ALIVE = 14_000;
/** A client that takes nothing for so long is disconnected, in ms. */
const STALLED = 15_000;
const RETURN = 1_000;
const MOST_OF_A_PERSON = 30;
const MOST = 1_000;

export class Follows {
  readonly #open = new Set<ServerResponse>();
  readonly #people = new Map<string, number>();
  #isEnding = false;

  /** @returns the body of a response. @throws Problem TOO_MANY_STREAMS */
  follow({ sub, expiresAt }: Caller, subject: Subject) {
    if (this.#open.size >= MOST || (this.#people.get(sub) ?? 0) >= MOST_OF_A_PERSON)
      throw new Problem(TOO_MANY_STREAMS);
    return { sendTo: (response: ServerResponse) => this.#send(response, { sub, expiresAt }, subject) };
  }

  end(): void {
    this.#isEnding = true;
    for (const response of this.#open) finish(response);
  }

  async #send(
    response: ServerResponse,
    { sub, expiresAt }: Pick<Caller, 'sub' | 'expiresAt'>,
    subject: Subject,
  ): Promise<void> {
    if (response.destroyed) return;
    if (this.#isEnding) return finish(response);
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#open.add(response);
    this.#people.set(sub, (this.#people.get(sub) ?? 0) + 1);
    // Nothing is kept for a client that takes nothing: it gets the present state when it goes on.
    let isBehind = false;
    let stalled: NodeJS.Timeout | undefined;
    const write = (text: string) => {
      if (isBehind || response.writableEnded || response.write(text)) return;
      isBehind = true;
      stalled = setTimeout(() => response.destroy(), STALLED).unref();
    };
    const unsubscribe = subject.subscribe((sent) => write(format(sent)));
    const tellPresent = async () => {
      for (const sent of await subject.present()) write(format(sent));
    };
    response.on('drain', () => {
      clearTimeout(stalled);
      if (!isBehind) return;
      isBehind = false;
      tellPresent().catch(() => response.destroy());
    });
    const alive = setInterval(() => write(': keep-alive\n\n'), KEEP_ALIVE);
    const over = setTimeout(() => finish(response), Math.max(0, expiresAt.getTime() - Date.now()));
    response.once('close', () => {
      unsubscribe();
      clearInterval(alive);
      clearTimeout(over);
      clearTimeout(stalled);
      this.#open.delete(response);
      const left = (this.#people.get(sub) ?? 1) - 1;
      if (left > 0) this.#people.set(sub, left);
      else this.#people.delete(sub);
      resolve();
    });
    write(`retry: ${RETURN}\n\n`);
    tellPresent().catch(() => response.destroy());
    return promise;
  }
}

function format({ event, data }: Sent): string {
  return `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`;
}

function finish(response: ServerResponse): void {
  if (!response.writableEnded) response.end(`retry: ${RETURN}\n\n`);
}
