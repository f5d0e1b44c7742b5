import { type Events, timelinePart } from '../timeline/part.ts';

/** When visitors last came and went. Who they were concerns only the desk. */
export function visitorEvents(patientIds: readonly string[]): readonly Events[] {
  const own = { table: 'visitors', details: { passNo: 'pass_no' } } as const;
  return [
    timelinePart({ ...own, kind: 'visitor.came', at: 'checked_in_at' }, patientIds),
    timelinePart({ ...own, kind: 'visitor.left', at: 'checked_out_at' }, patientIds),
  ];
}
