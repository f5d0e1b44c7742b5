/** The boards of a display's clinics, from the stream that says when they change. */
import type { Schemas } from '@hms/api-client';
import { readEvents } from '../kit/live/event-stream.ts';
import { Naps } from './naps.ts';

export type Board = Schemas['QueueBoard'];

/** In ms, like all of these. */
const FIRST_PAUSE = 500;
/** A board is right again this long after the network is back, at the latest. */
const LONGEST_PAUSE = 4_000;
const LONGEST_ASKED = 60_000;

interface Wanted {
  readonly token: string;
  readonly clinicIds: readonly string[];
}

interface Listener {
  /** What to follow now, or undefined while the display is not paired. */
  wanted(): Wanted | undefined;
  onBoard(board: Board): void;
  /** What the display has to show has changed. */
  onDisplay(): void;
  /** Something has come, if only a sign of life. */
  onHeard(): void;
  /** A stream begins. @param serverTime ms since 1970, or NaN. */
  onBegin(serverTime: number): void;
  /** The token is not accepted any more. */
  onRefused(): void;
}

export class BoardStream {
  readonly #listener: Listener;
  readonly #naps = new Naps();
  #open: { readonly wanted: Wanted; readonly abort: AbortController } | undefined;
  /** Id of the last message, and for which clinics it was. */
  #last: { readonly clinics: string; readonly id: string } | undefined;
  /** When the server wants to be asked again. */
  #asked: number | undefined;
  #pause = FIRST_PAUSE;

  constructor(listener: Listener) {
    this.#listener = listener;
  }

  /** Follows for as long as the page is open. */
  async run(): Promise<void> {
    for (;;) {
      const wanted = this.#listener.wanted();
      if (!wanted || wanted.clinicIds.length === 0) {
        // Whoever is paired again has no boards any more.
        this.#last = undefined;
        await this.#naps.sleep(LONGEST_PAUSE);
        continue;
      }
      this.#asked = undefined;
      try {
        await this.#follow(wanted);
      } catch {
        // Opened again below.
      }
      // With another token or other clinics, at once.
      if (isSame(wanted, this.#listener.wanted())) await this.#naps.sleep(this.#nextPause());
    }
  }

  /** Looks whether something else is wanted. */
  look(): void {
    if (!this.#open) this.#naps.wake();
    else if (!isSame(this.#open.wanted, this.#listener.wanted())) this.#open.abort.abort();
  }

  /** Begins again, because the connection may be dead. */
  restart(): void {
    this.#pause = FIRST_PAUSE;
    this.#open?.abort.abort();
    this.#naps.wake();
  }

  /** Not all televisions at once, after the server or the network was away. */
  #nextPause(): number {
    if (this.#asked !== undefined) return this.#asked;
    const pause = this.#pause * (0.5 + Math.random() / 2);
    this.#pause = Math.min(this.#pause * 2, LONGEST_PAUSE);
    return pause;
  }

  /** One stream, until it ends or something else is wanted. */
  async #follow(wanted: Wanted): Promise<void> {
    const clinics = wanted.clinicIds.join();
    const lastId = this.#last?.clinics === clinics ? this.#last.id : undefined;
    const query = new URLSearchParams({ clinics, ...(lastId === undefined ? {} : { lastEventId: lastId }) });
    const headers = { Authorization: `Bearer ${wanted.token}` };
    const abort = new AbortController();
    this.#open = { wanted, abort };
    try {
      await readEvents(
        async (signal) => {
          const response = await fetch(`/api/queue/display?${query}`, { headers, credentials: 'omit', signal });
          if (response.ok) {
            // Before its boards: how old a call is depends on it.
            this.#listener.onBegin(Date.parse(response.headers.get('Date') ?? ''));
            return response;
          }
          if (response.status === 401 || response.status === 404) this.#listener.onRefused();
          if (response.status === 429) this.#asked = askedIn(response);
          throw new Error(String(response.status));
        },
        abort.signal,
        ({ event, id, data }) => {
          if (event === 'display') return this.#listener.onDisplay();
          this.#listener.onBoard(JSON.parse(data) as Board);
          if (id !== undefined) this.#last = { clinics, id };
        },
        () => {
          this.#pause = FIRST_PAUSE;
          this.#listener.onHeard();
        },
        (ms) => {
          this.#asked = Math.min(ms, LONGEST_PAUSE);
        },
      );
    } finally {
      this.#open = undefined;
    }
  }
}

function askedIn({ headers }: Response): number {
  return Math.min((Number(headers.get('Retry-After')) || 0) * 1000 || LONGEST_PAUSE, LONGEST_ASKED);
}

function isSame(one: Wanted | undefined, other: Wanted | undefined): boolean {
  return one?.token === other?.token && one?.clinicIds.join() === other?.clinicIds.join();
}
