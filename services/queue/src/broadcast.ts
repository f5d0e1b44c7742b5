/**
 * What streams of the same clinics say: a message for each board, whose id has the revisions of all of them. It is made
 * once for all of these streams.
 */
import type { Hospital } from '@hms/database';
import { CLINIC_NOT_FOUND, clinics as clinicRecords } from '@hms/domain/clinics';
import { BOARDS } from '@hms/domain/queue';
import { rooms } from '@hms/domain/rooms';
import { type Broadcast, type Notice, Problem, RESET } from '@hms/service';
import type { Boards, SentBoard } from './boards.ts';

type Revision = number | undefined;

export class BoardsBroadcast implements Broadcast {
  /** Boards name the clinic and its rooms. */
  readonly records = [BOARDS, clinicRecords.table, rooms.table];
  readonly #source: Pick<Boards, 'read'>;
  readonly #hospital: Hospital;
  readonly #clinics: readonly string[];
  readonly #boards = new Map<string, SentBoard>();

  constructor(source: Pick<Boards, 'read'>, hospital: Hospital, clinics: readonly string[]) {
    this.#source = source;
    this.#hospital = hospital;
    this.#clinics = clinics;
  }

  get position(): string {
    return positionOf(this.#revisions());
  }

  /** @throws Problem CLINIC_NOT_FOUND at the first time. */
  async take(notices: readonly Notice[]): Promise<string> {
    const isNew = this.#boards.size === 0;
    const ids = this.#clinics.filter((id) => notices.some((notice) => concerns(notice, id)));
    const read = await Promise.all(ids.map(async (id) => ({ id, board: await this.#source.read(this.#hospital, id) })));
    if (isNew && read.some(({ board }) => board === undefined)) throw new Problem(CLINIC_NOT_FOUND);
    const had = this.#revisions();
    // Another name changes no queue.
    const mayBeSame = notices.some((notice) => notice === RESET || notice.record !== BOARDS);
    const changed = read.flatMap(({ id, board }) => {
      const before = this.#boards.get(id);
      if (!board || (before && !isNewer(board, before, mayBeSame))) return [];
      this.#boards.set(id, board);
      return [id];
    });
    return this.#messages(changed, had);
  }

  since(position: string | undefined): string {
    const had = revisionsIn(position, this.#clinics.length);
    // A setting of the hospital may concern what is shown, and a name is no change of the queue.
    const setAt = this.#hospital.updatedAt?.getTime() ?? 0;
    const missed = this.#clinics.filter((id, index) => {
      const board = this.#boards.get(id);
      // A revision that this hospital has not reached was of another one.
      return board && (board.revision !== had[index] || board.changedAt < Math.max(setAt, board.namedAt));
    });
    return this.#messages(missed, had);
  }

  /** A message for each board. If the connection is cut between two, the id of the first one says so. */
  #messages(ids: readonly string[], had: readonly Revision[]): string {
    const revisions = [...had];
    return ids
      .map((id) => {
        const board = this.#boards.get(id);
        revisions[this.#clinics.indexOf(id)] = board?.revision;
        return `id: ${positionOf(revisions)}\ndata: ${board?.json}\n\n`;
      })
      .join('');
  }

  #revisions(): readonly Revision[] {
    return this.#clinics.map((id) => this.#boards.get(id)?.revision);
  }
}

function isNewer(board: SentBoard, before: SentBoard, mayBeSame: boolean): boolean {
  if (board.revision === before.revision) return mayBeSame && board.json !== before.json;
  return board.revision > before.revision;
}

function concerns(notice: Notice, clinicId: string): boolean {
  return notice === RESET || notice.record === rooms.table || notice.id === clinicId;
}

/** In an id, for a board that was not sent yet. */
const NONE = '-';

function positionOf(revisions: readonly Revision[]): string {
  return revisions.map((revision) => revision ?? NONE).join('.');
}

/** The revisions in the id of a message, or none if it is of another stream. */
function revisionsIn(id: string | undefined, count: number): readonly Revision[] {
  const parts =
    id !== undefined && /^(\d{1,15}|-)(\.(\d{1,15}|-))*$/.test(id)
      ? id.split('.').map((part) => (part === NONE ? undefined : Number(part)))
      : [];
  return parts.length === count ? parts : Array.from({ length: count }, () => undefined);
}
