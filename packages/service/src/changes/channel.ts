/** Streams that share a broadcast. */
import type { Logger } from 'pino';
import type { Broadcast } from './broadcast.ts';
import type { EventStream } from './event-stream.ts';
import { type Notice, RESET } from './listener.ts';
import type { ChangeSource } from './source.ts';

/** Notices that wait while a broadcast takes in others. */
const MOST_WAITING = 200;
/** Whoever opened a channel enters it within this time, in ms. */
const ENTRY_MS = 1_000;

export interface ChannelOptions {
  readonly key: string;
  readonly broadcast: Broadcast;
  readonly source: ChangeSource;
  /** Whether what it tells may still be told. */
  isWelcome(): Promise<boolean>;
  readonly log: Logger;
}

export class Channel {
  readonly source: ChangeSource;
  /** Resolves when no later change can be missed. */
  readonly ready: Promise<void>;
  readonly #options: ChannelOptions;
  readonly #streams = new Set<EventStream>();
  readonly #unsubscribe: readonly (() => void)[];
  #waiting: Notice[] = [];
  #isBusy = true;
  isClosed = false;
  /** In ms since 1970. Somebody may be about to enter. */
  #emptySince = Number.POSITIVE_INFINITY;

  constructor(options: ChannelOptions) {
    this.#options = options;
    this.source = options.source;
    this.#unsubscribe = options.broadcast.records.map((record) =>
      this.source.subscribe(record, (notice) => this.#hear(notice)),
    );
    this.ready = this.#start();
  }

  get key(): string {
    return this.#options.key;
  }

  get isEmpty(): boolean {
    return this.#streams.size === 0 && Date.now() - this.#emptySince > ENTRY_MS;
  }

  streams(): readonly EventStream[] {
    return [...this.#streams];
  }

  isWelcome(): Promise<boolean> {
    return this.#options.isWelcome();
  }

  enter(stream: EventStream): void {
    this.#streams.add(stream);
    stream.begin(this.#options.broadcast);
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

  async #start(): Promise<void> {
    await this.source.ready();
    this.#waiting = [];
    await this.#options.broadcast.take([RESET]);
    this.#isBusy = false;
    this.#emptySince = Date.now();
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
        this.#tell(await this.#options.broadcast.take(notices));
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
