/** What was prescribed and dispensed, a drug each, in the order of the last change. A part changes with its record. */
import { build } from '@hms/database';
import type { Feed } from '@hms/service';
import type { ShownPrescription } from './record.ts';

/** `prescribedState` over rows of both tables. */
const PRESCRIBED_STATE = `(CASE
  WHEN item.dispensed >= item.quantity THEN 'dispensed'
  WHEN prescriptions.status = 'expired' THEN 'expired'
  WHEN prescriptions.status = 'cancelled' THEN CASE WHEN item.dispensed > 0 THEN 'stopped' ELSE 'cancelled' END
  ELSE 'open' END)`;

/** What became of one drug of a prescription. `stopped`: cancelled after a part was dispensed. */
export type PrescribedState = 'open' | 'dispensed' | 'expired' | 'cancelled' | 'stopped';

export function prescribedState(
  { status }: Pick<ShownPrescription, 'status'>,
  { dispensed, quantity }: Pick<ShownPrescription['items'][number], 'dispensed' | 'quantity'>,
): PrescribedState {
  if (dispensed >= quantity) return 'dispensed';
  if (status === 'expired') return 'expired';
  if (status === 'cancelled') return dispensed > 0 ? 'stopped' : 'cancelled';
  return 'open';
}

export const prescribedFeed: Feed<'patient' | 'rxNo' | 'prescribedAt' | 'drug' | 'state'> = {
  rows: () =>
    build
      .from('prescriptions')
      .whereNull('prescriptions.deleted_at')
      .join('prescription_items as item', 'item.prescription_id', 'prescriptions.id'),
  id: 'item.id',
  of: 'prescriptions.id',
  changedAt: 'prescriptions.updated_at',
  fields: {
    patient: 'prescriptions.patient_id',
    rxNo: 'prescriptions.rx_no',
    prescribedAt: 'prescriptions.created_at',
    drug: 'item.drug_id',
    state: PRESCRIBED_STATE,
  },
};

export const dispensedFeed: Feed<'patient' | 'dispenseNo' | 'dispensedAt' | 'drug' | 'state'> = {
  rows: () =>
    build
      .from('dispenses')
      .whereNull('dispenses.deleted_at')
      .join('dispense_lines as line', 'line.dispense_id', 'dispenses.id'),
  id: 'line.id',
  of: 'dispenses.id',
  changedAt: 'dispenses.updated_at',
  fields: {
    patient: 'dispenses.patient_id',
    dispenseNo: 'dispenses.dispense_no',
    dispensedAt: 'dispenses.created_at',
    drug: 'line.drug_id',
    // A return changes nothing about what was handed over.
    state: "'dispensed'",
  },
};
