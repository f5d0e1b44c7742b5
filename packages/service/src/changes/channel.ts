/** Streams of a hospital that share a broadcast. */
import type { Hospital } from '@hms/database';
import { hospitalNames } from '@hms/tenancy';
import type { Logger } from 'pino';
import type { Registry } from '../registry.ts';
import type { Broadcast } from './broadcast.ts';
import type { EventStream } from './event-stream.ts';
import { type ChangeListener, type Notice, RESET } from './listener.ts';

/** Notices that wait while a broadcast takes in others. */
const MOST_WAITING = 200;
/** Whoever opened a channel enters it within this time, in ms. */
const ENTRY_MS = 1_000;

export interface ChannelOptions {
  readonly log: Logger;
  readonly registry: Registry;
}

export class Channel {
  readonly key: string;
  /** Resolves when no later change can be missed. */
  readonly ready: Promise<void>;
  readonly #hospital: Hospital;
  readonly #broadcast: Broadcast;
  readonly #options: ChannelOptions;
  readonly #streams = new Set<EventStream>();
  readonly #unsubscribe: readonly (() => void)[];
  #waiting: Notice[] = [];
  #isBusy = true;
  isClosed = false;
  /** In ms since 1970. Somebody may be about to enter. */
  #emptySince = Number.POSITIVE_INFINITY;

  constructor(
    key: string,
    hospital: Hospital,
    broadcast: Broadcast,
    listener: ChangeListener,
    options: ChannelOptions,
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
    return this.#streams.size === 0 && Date.now() - this.#emptySince > ENTRY_MS;
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
