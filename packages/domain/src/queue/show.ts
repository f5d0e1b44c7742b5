/** Queues as the staff sees them: with the people and the rooms. */
import { type DataReply, type RecordQuery, records, type Work } from '@hms/service';
import { clinics } from '../clinics/clinics.ts';
import { peopleById } from '../patients/merges.ts';
import { patientNameOf } from '../patients/names.ts';
import { roomsOf } from '../rooms/rooms.ts';
import { readRevision } from './boards.ts';
import { dayOf } from './day.ts';
import { accuracyOf } from './history.ts';
import { placesOf, readLive } from './live.ts';
import { type Entry, entries, type Queue, type ShownEntry } from './record.ts';
import { undoable } from './steps.ts';

const MOST_WAITING = 200;
const MOST_ENDED = 20;

/** The queue of a clinic today. @throws Problem CLINIC_NOT_FOUND */
export async function readQueue(work: Work, clinicId: string): Promise<Queue> {
  const clinic = await records(work, clinics).read(clinicId);
  const { revision } = await readRevision(work, clinicId);
  const day = await dayOf(work, clinicId);
  const [{ all, waiting, estimateOf }, ended, places, accuracy] = await Promise.all([
    readLive(work, clinic, day, MOST_WAITING),
    work.trx.query<{ id: string }>(ENDED, [clinicId, day, MOST_ENDED]),
    roomsOf(work, clinicId),
    accuracyOf(work, clinicId),
  ]);
  const over = await records(work, entries).byIds(ended.map(({ id }) => id));
  const shown = await showEntries(work, [...all, ...over]);
  const inState = (status: Entry['status']) => shown.filter((one) => one.status === status);
  return {
    ...{ clinicId, clinicName: clinic.name, serviceDate: day, revision, waitingCount: waiting },
    serving: inState('serving'),
    called: inState('called'),
    waiting: inState('waiting').map((entry, ahead) => ({ entry, estimate: estimateOf(ahead) })),
    ended: ended.flatMap(({ id }) => shown.find((one) => one.id === id) ?? []),
    rooms: places.map(({ id, name }) => ({ id, name })),
    accuracy,
  };
}

const ENDED = `
  SELECT id FROM queue_entries
  WHERE clinic_id = $1 AND service_date = $2 AND status IN ('done', 'no_show', 'cancelled') AND deleted_at IS NULL
  ORDER BY ended_at DESC, id LIMIT $3`;

/** One page. */
export async function listEntries(work: Work, query: RecordQuery): Promise<DataReply<ShownEntry[]>> {
  const { data, ...reply } = await records(work, entries).list(query);
  return { ...reply, data: await showEntries(work, data) };
}

/** @throws Problem QUEUE_ENTRY_NOT_FOUND */
export async function readEntry(work: Work, id: string): Promise<ShownEntry> {
  return showEntry(work, await records(work, entries).read(id));
}

export async function showEntry(work: Work, entry: Entry): Promise<ShownEntry> {
  const [shown] = await showEntries(work, [entry]);
  if (!shown) throw new Error('an entry was not shown');
  return shown;
}

async function showEntries(work: Work, all: readonly Entry[]): Promise<ShownEntry[]> {
  const [people, places, open] = await Promise.all([
    peopleById(
      work,
      all.flatMap(({ patientId }) => patientId ?? []),
    ),
    placesOf(work, all),
    undoable(work, all),
  ]);
  // Their names are shown.
  const ids = [...people.keys()];
  if (ids.length > 0) work.audit({ action: 'list', record: 'patients', details: { reason: 'queue', ids } });
  return all.map((entry) => {
    const patient = people.get(entry.patientId ?? '');
    return {
      ...entry,
      patientCode: patient?.patientCode ?? null,
      patientName: patient ? patientNameOf(patient) : null,
      roomName: places.get(entry.roomId ?? '')?.name ?? null,
      canUndo: open.has(entry.id),
    };
  });
}
