/** What orders contribute to the record of a patient: events, and what is open. */
import { build } from '@hms/database';
import type { Work } from '@hms/service';
import { type Events, timelinePart } from '../timeline/part.ts';

/** The steps of orders. */
export function labEvents(patientIds: readonly string[]): readonly Events[] {
  const own = { table: 'lab_orders', details: { orderNo: 'order_no' } } as const;
  return [
    timelinePart({ ...own, kind: 'lab.ordered', at: 'created_at' }, patientIds),
    timelinePart({ ...own, kind: 'lab.collected', at: 'collected_at' }, patientIds),
    timelinePart({ ...own, kind: 'lab.verified', at: 'verified_at' }, patientIds),
    timelinePart({ ...own, kind: 'lab.amended', at: 'amended_at' }, patientIds),
    timelinePart({ ...own, kind: 'lab.cancelled', at: 'cancelled_at' }, patientIds),
  ];
}

/** Orders of locked patients with something left to do, the oldest first. */
export async function openLabOrders(
  { trx }: Work,
  patientIds: readonly string[],
): Promise<readonly { readonly record: 'lab_orders'; readonly id: string; readonly name: string }[]> {
  const rows = build.from('lab_orders').whereIn('patient_id', patientIds).where('is_open', true).orderBy('created_at');
  const found = await trx.run<{ id: string; order_no: string }>(rows.select('id', 'order_no'));
  return found.map(({ id, order_no }) => ({ record: 'lab_orders', id, name: order_no }));
}
