/** What all streams of a kind say. */
import { type Notice, RESET } from './listener.ts';

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

/**
 * For live lists. Each event has the id of a changed record: `event: change`, `data: {"id": "…"}`. The first one is
 * `reset`: from then on no change is missed, so a client reads its list when it gets one, unless it has read it within
 * the time in `quietMs`. Another `reset` follows when changes may have been lost.
 */
export class ChangesBroadcast implements Broadcast {
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
