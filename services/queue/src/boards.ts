/** Reads boards for all streams of this process, so that a change costs one read, however many displays show it. */
import type { Hospital } from '@hms/database';
import { type Board, currentDay, readBoard } from '@hms/domain/queue';
import { type Platform, workFor } from '@hms/service';

/** A board as streams send it. */
export interface SentBoard {
  readonly revision: number;
  /** When the queue last changed, in ms since 1970. */
  readonly changedAt: number;
  /** Of the board. */
  readonly json: string;
}
type Read = Promise<SentBoard | undefined>;

export class Boards {
  readonly #platform: Pick<Platform, 'tenants' | 'sealer'>;
  /** Reads that have not begun yet: whoever needs a board joins the next one. */
  readonly #next = new Map<string, Read>();
  readonly #running = new Map<string, Read>();

  constructor(platform: Pick<Platform, 'tenants' | 'sealer'>) {
    this.#platform = platform;
  }

  /** A board that is not older than this call. @returns undefined if the hospital has no such clinic. */
  read(hospital: Hospital, clinicId: string): Read {
    const key = `${hospital.id}/${clinicId}`;
    const next = this.#next.get(key) ?? this.#begin(key, hospital, clinicId);
    this.#next.set(key, next);
    return next;
  }

  async #begin(key: string, hospital: Hospital, clinicId: string): Read {
    const before = this.#running.get(key);
    // All streams that hear of the same change come before it begins.
    await (before?.catch(() => undefined) ?? new Promise(setImmediate));
    const read = this.#read(hospital, clinicId);
    this.#next.delete(key);
    this.#running.set(key, read);
    try {
      return await read;
    } finally {
      if (this.#running.get(key) === read) this.#running.delete(key);
    }
  }

  async #read(hospital: Hospital, clinicId: string): Read {
    const board = await workFor(this.#platform, hospital, 'board', (work) =>
      readBoard(work, clinicId, currentDay(work)),
    );
    return board && sent(board);
  }
}

function sent(board: Board): SentBoard {
  return { revision: board.revision, changedAt: Date.parse(board.updatedAt), json: JSON.stringify(board) };
}
