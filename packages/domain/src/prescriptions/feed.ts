/** What was prescribed and dispensed, a drug each, in the order of the last change. A part changes with its record. */
import { build } from '@hms/database';
import type { Feed } from '@hms/service';

export const prescribedFeed: Feed<'patient' | 'rxNo' | 'prescribedAt'> = {
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
  },
};

export const dispensedFeed: Feed<'patient' | 'dispenseNo' | 'dispensedAt'> = {
  rows: () =>
    build
      .from('dispenses')
      .whereNull('dispenses.deleted_at')
      .join('dispense_lines as line', 'line.dispense_id', 'dispenses.id'),
  id: 'line.id',
  of: 'dispenses.id',
  changedAt: 'dispenses.updated_at',
  fields: { patient: 'dispenses.patient_id', dispenseNo: 'dispenses.dispense_no', dispensedAt: 'dispenses.created_at' },
};
