import type { Knex } from 'knex';
import { type Events, timelinePart } from '../timeline/part.ts';

/** The visits of a patient: when they got a token, were served, and left. */
export function queueEvents(patientIds: readonly string[]): readonly Events[] {
  const own = { table: 'queue_entries', details: { token: 'label', clinicId: 'clinic_id' } } as const;
  const ended = (...states: readonly string[]) => ({
    ...own,
    at: 'ended_at',
    details: { ...own.details, reason: 'end_reason' },
    where: (rows: Knex.QueryBuilder) => void rows.whereIn('status', states),
  });
  return [
    timelinePart({ ...own, kind: 'queue.came', at: 'joined_at' }, patientIds),
    timelinePart({ ...own, kind: 'queue.served', at: 'started_at' }, patientIds),
    timelinePart({ ...ended('done'), kind: 'queue.done' }, patientIds),
    timelinePart({ ...ended('no_show', 'cancelled'), kind: 'queue.left' }, patientIds),
  ];
}
