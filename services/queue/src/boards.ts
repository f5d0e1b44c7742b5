/** Reads boards for all streams of this process, so that a change costs one read, however many displays show it. */
import type { Hospital } from '@hms/database';
import { type History, type ReadBoard, readBoard, readHistory } from '@hms/domain/queue';
import { type Platform, type Work, workFor } from '@hms/service';

/** A board as streams send it. */
export interface SentBoard {
  readonly revision: number;
  /** When the queue last changed, and when a name on the board did, in ms since 1970. */
  readonly changedAt: number;
  readonly namedAt: number;
  /** Of the board. */
  readonly json: string;
}
type Read = Promise<SentBoard | undefined>;

/** What a clinic's history says changes little with each call, and takes longer to read than the board, in ms. */
const HISTORY_MS = 60_000;
/** Clinics whose history is kept. */
const MOST_HISTORIES = 1_000;

export class Boards {
  readonly #platform: Pick<Platform, 'tenants' | 'sealer'>;
  /** Reads that have not begun yet: whoever needs a board joins the next one. */
  readonly #next = new Map<string, Read>();
  readonly #running = new Map<string, Read>();
  readonly #histories = new Map<string, { readonly history: History; readonly readAt: number }>();

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
    const board = await workFor(this.#platform, hospital, 'board', async (work) =>
      readBoard(work, clinicId, await this.#historyOf(work, clinicId)),
    );
    return board && sent(board);
  }

  async #historyOf(work: Work, clinicId: string): Promise<History> {
    const key = `${work.hospital.id}/${clinicId}`;
    const known = this.#histories.get(key);
    if (known && Date.now() - known.readAt < HISTORY_MS) return known.history;
    const history = await readHistory(work, clinicId);
    if (this.#histories.size >= MOST_HISTORIES) this.#histories.clear();
    this.#histories.set(key, { history, readAt: Date.now() });
    return history;
  }
}

function sent({ board, namedAt }: ReadBoard): SentBoard {
  const { revision, updatedAt } = board;
  return {
    ...{ revision, changedAt: Date.parse(updatedAt), namedAt: Date.parse(namedAt) },
    json: JSON.stringify(board),
  };
}
