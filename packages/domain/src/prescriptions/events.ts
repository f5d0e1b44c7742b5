/** What the pharmacy contributes to the record of a patient: events, and what is open. */
import { build } from '@hms/database';
import type { Work } from '@hms/service';
import type { Knex } from 'knex';
import { returnedUnits } from '../stock/stock.ts';
import { type Events, timelinePart } from '../timeline/part.ts';

export function pharmacyEvents(patientIds: readonly string[]): readonly Events[] {
  const written = { table: 'prescriptions', details: { rxNo: 'rx_no' } } as const;
  const dispensed = {
    table: 'dispenses',
    details: { dispenseNo: 'dispense_no', prescriptionId: 'prescription_id' },
  } as const;
  return [
    timelinePart({ ...written, kind: 'prescription.written', at: 'created_at' }, patientIds),
    timelinePart({ ...dispensed, kind: 'prescription.dispensed', at: 'created_at' }, patientIds),
    timelinePart(
      { ...dispensed, kind: 'prescription.returned', table: returns(patientIds), at: 'moved_at' },
      patientIds,
    ),
  ];
}

/** Each time at which a patient brought something back. */
function returns(patientIds: readonly string[]): Knex.QueryBuilder {
  return build
    .from('dispenses')
    .join(returnedUnits().as('returned'), 'returned.dispense_id', 'dispenses.id')
    .whereIn('patient_id', patientIds)
    .distinct('id', 'patient_id', 'prescription_id', 'dispense_no', 'moved_at')
    .as('returns');
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
