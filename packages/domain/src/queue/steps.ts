/** What was done with each person who waits, and how the last of it is undone. */
import { newId, Problem, type Work } from '@hms/service';
import { type Entry, NOTHING_TO_UNDO, UNDO_EXPIRED } from './record.ts';

/** How long a step can be undone, in ms. */
const UNDO_MS = 60_000;

export type StepKind =
  | 'call'
  | 'recall'
  | 'skip'
  | 'serve'
  | 'done'
  | 'no-show'
  | 'cancel'
  | 'transfer'
  | 'priority'
  | 'come-back'
  | 'undo';

/** The fields that steps change. */
const CHANGED = [
  ...[
    'clinicId',
    'issuingClinicId',
    'series',
    'number',
    'label',
    'priority',
    'note',
    'turn',
    'headStart',
    'roomId',
    'status',
  ],
  ...[
    'queuedAt',
    'ahead',
    'estimateP50',
    'estimateP80',
    'estimateBasis',
    'firstCalledAt',
    'calledAt',
    'startedAt',
    'endedAt',
    'calls',
    'endReason',
  ],
] as const;
type Before = Partial<Record<(typeof CHANGED)[number], unknown>>;

/** Notes a step. @param before the entry before it @param after the entry that was written */
export async function noteStep(work: Work, kind: StepKind, before: Entry, after: Entry): Promise<void> {
  const changed = CHANGED.filter((field) => before[field as keyof Entry] !== after[field as keyof Entry]);
  const undone: Before = Object.fromEntries(changed.map((field) => [field, before[field as keyof Entry]]));
  await work.trx.query(
    'INSERT INTO queue_steps (id, entry_id, version, kind, before, taken_by) VALUES ($1, $2, $3, $4, $5, $6)',
    [newId(), after.id, after.version, kind, JSON.stringify(undone), work.caller.sub],
  );
}

/** What undoes the last step of a locked entry. @throws Problem NOTHING_TO_UNDO, UNDO_EXPIRED */
export async function lastStep({ trx }: Work, { id, version }: Entry): Promise<Before> {
  const [step] = await trx.query<{ kind: StepKind; before: Before; taken_at: Date }>(
    'SELECT kind, before, taken_at FROM queue_steps WHERE entry_id = $1 AND version = $2',
    [id, version],
  );
  if (!step || step.kind === 'undo') throw new Problem(NOTHING_TO_UNDO);
  if (trx.moment.getTime() - step.taken_at.getTime() > UNDO_MS) throw new Problem(UNDO_EXPIRED);
  return step.before;
}

/** Entries whose last step can be undone. */
export async function undoable({ trx }: Work, entries: readonly Entry[]): Promise<ReadonlySet<string>> {
  if (entries.length === 0) return new Set();
  const rows = await trx.query<{ entry_id: string }>(
    `SELECT s.entry_id FROM queue_steps s JOIN unnest($1::uuid[], $2::integer[]) AS e (id, version)
       ON e.id = s.entry_id AND e.version = s.version
     WHERE s.kind <> 'undo' AND s.taken_at > $3::timestamptz - make_interval(secs => $4)`,
    [entries.map(({ id }) => id), entries.map(({ version }) => version), trx.moment, UNDO_MS / 1000],
  );
  return new Set(rows.map(({ entry_id: id }) => id));
}
