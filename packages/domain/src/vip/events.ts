import { type Events, timelinePart } from '../timeline/part.ts';

/** When a patient became a VIP, and when that was cancelled. */
export function vipEvents(patientIds: readonly string[]): readonly Events[] {
  const own = { table: 'vip_memberships', details: { membershipNo: 'membership_no' } } as const;
  return [
    timelinePart({ ...own, kind: 'vip.granted', at: 'created_at' }, patientIds),
    timelinePart({ ...own, kind: 'vip.cancelled', at: 'cancelled_at' }, patientIds),
  ];
}
