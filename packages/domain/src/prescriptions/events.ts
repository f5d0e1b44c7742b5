/** What the pharmacy contributes to the record of a patient: events, and what is open. */
import { build } from '@hms/database';
import type { Work } from '@hms/service';
import type { Knex } from 'knex';
import { timelinePart } from '../timeline/part.ts';

export function pharmacyEvents(patientIds: readonly string[]): readonly Knex.QueryBuilder[] {
  const written = { table: 'prescriptions', details: { rxNo: 'rx_no' } } as const;
  const dispensed = { table: 'dispenses', details: { dispenseNo: 'dispense_no' } } as const;
  return [
    timelinePart({ ...written, kind: 'prescription.written', at: 'created_at' }, patientIds),
    timelinePart({ ...dispensed, kind: 'prescription.dispensed', at: 'created_at' }, patientIds),
  ];
}

/** Prescriptions of locked patients of which something may still be dispensed, the oldest first. */
export async function openPrescriptions(
  { trx }: Work,
  patientIds: readonly string[],
): Promise<readonly { readonly record: 'prescriptions'; readonly id: string; readonly name: string }[]> {
  const rows = build.from('prescriptions').whereIn('patient_id', patientIds).orderBy('created_at');
  const open = rows.whereIn('status', ['active', 'partially_dispensed']).select('id', 'rx_no');
  const found = await trx.run<{ id: string; rx_no: string }>(open);
  return found.map(({ id, rx_no }) => ({ record: 'prescriptions', id, name: rx_no }));
}
