/** Prescriptions that nobody has dispensed in time. */
import { fields, records, type Task, task, today, type Work } from '@hms/service';
import { z } from 'zod';
import { isOpen, type Prescription, prescriptions } from './record.ts';

/** Ends a prescription after its last day. */
export const prescriptionExpiry: Task<{ prescriptionId: string }> = task({
  name: 'prescription-expiry',
  input: z.object({ prescriptionId: fields.id }),
  run: async (work, { prescriptionId }) => {
    const own = records(work, prescriptions);
    const prescription = await own.lock(prescriptionId);
    if (isOpen(prescription) && isOverdue(work, prescription)) await own.moveTo(prescription, 'expired');
  },
});

/** Whether its last day is over in the hospital. */
export function isOverdue(
  work: Pick<Work, 'trx' | 'hospital'>,
  { validUntil }: Pick<Prescription, 'validUntil'>,
): boolean {
  return validUntil.slice(0, 10) < today(work);
}
