/** What everybody in a waiting room sees of a queue, with a revision that grows with each change. */
import { records, type Work } from '@hms/service';
import type { z } from 'zod';
import { clinics } from '../clinics/clinics.ts';
import { peopleById } from '../patients/merges.ts';
import { dayOf } from './day.ts';
import type { History } from './estimates.ts';
import { placesOf, readLive } from './live.ts';
import type { board, Entry } from './record.ts';

export type Board = z.output<typeof board>;

/** Its changes are told to streams, with the id of the clinic. */
export const BOARDS = 'queue_boards';
/** How many of those who wait are shown. */
const SHOWN = 12;

/** Counts a change of the queues of these clinics. The last statements of a transaction. */
export async function countChange(work: Work, clinicIds: readonly string[]): Promise<void> {
  for (const id of [...new Set(clinicIds)].sort()) {
    await work.trx.query(COUNT, [id]);
    work.changed(BOARDS, id);
  }
}

const COUNT = `
  INSERT INTO queue_boards AS b (clinic_id, revision, changed_at) VALUES ($1, 1, moment())
  ON CONFLICT (clinic_id) DO UPDATE SET revision = b.revision + 1, changed_at = moment()`;

export interface ReadBoard {
  readonly board: Board;
  /** When the clinic or a room on it was last given another name, or changed otherwise. */
  readonly namedAt: string;
}

/** The board of today. @returns undefined if there is no such clinic. @param known history of the clinic, if it is known */
export async function readBoard(work: Work, clinicId: string, known?: History): Promise<ReadBoard | undefined> {
  // First: what follows may be newer than the revision, and never older.
  const [{ revision, changedAt }, clinic, day] = await Promise.all([
    readRevision(work, clinicId),
    records(work, clinics).find(clinicId),
    dayOf(work, clinicId),
  ]);
  if (!clinic || clinic.deletedAt !== undefined) return undefined;
  const { all, waiting, estimateOf } = await readLive(work, clinic, day, SHOWN, known);
  const [places, initials] = await Promise.all([placesOf(work, all), initialsOf(work, all)]);
  const shown = all.map((entry) => ({
    ...{ entry, label: entry.label, initials: initials.get(entry.patientId ?? '') ?? null },
    room: places.get(entry.roomId ?? '')?.name ?? null,
  }));
  const inState = (status: Entry['status']) => shown.filter(({ entry }) => entry.status === status);
  const named = [clinic, ...places.values()].map(({ updatedAt }) => updatedAt).sort();
  const board: Board = {
    ...{ clinicId, clinicName: clinic.name, serviceDate: day, revision, waiting },
    updatedAt: changedAt?.toISOString() ?? clinic.createdAt,
    serving: inState('serving').map(({ entry, ...token }) => ({ ...token, since: entry.startedAt ?? entry.joinedAt })),
    called: inState('called').map(({ entry, ...token }) => {
      return { ...token, since: entry.calledAt ?? entry.joinedAt, calls: entry.calls };
    }),
    next: inState('waiting').map(({ entry: { priority }, label, initials: letters }, ahead) => {
      const { p50, p80 } = estimateOf(ahead);
      return { label, initials: letters, priority, etaP50: p50, etaP80: p80 };
    }),
  };
  return { board, namedAt: named.at(-1) ?? board.updatedAt };
}

/** Initials of people, if the hospital shows them. */
async function initialsOf(work: Work, all: readonly Entry[]): Promise<ReadonlyMap<string, string>> {
  if (work.hospital.settings.queueDisplayName !== 'Initials') return new Map();
  const people = await peopleById(
    work,
    all.flatMap(({ patientId }) => patientId ?? []),
  );
  const letter = (name: string) => `${[...name.normalize('NFC')][0]?.toLocaleUpperCase()}.`;
  return new Map(
    [...people].map(([id, { firstName, lastName }]) => [
      id,
      [firstName, lastName].flatMap((name) => (name === null ? [] : letter(name))).join(' '),
    ]),
  );
}

/** How often the queue of a clinic has changed, and when it last did. Undefined: nobody has waited there yet. */
export async function readRevision(
  { trx }: Work,
  clinicId: string,
): Promise<{ readonly revision: number; readonly changedAt?: Date }> {
  const [row] = await trx.query<{ revision: string; changed_at: Date }>(
    'SELECT revision, changed_at FROM queue_boards WHERE clinic_id = $1',
    [clinicId],
  );
  return row ? { revision: Number(row.revision), changedAt: row.changed_at } : { revision: 0 };
}
