/** What became of the record of a patient as a whole: the table `patient_steps`. Rows are only added. */
import { newId, type Work } from '@hms/service';

/** @param intoId of a merge or a separation: the other patient. */
export async function notePatientStep(
  work: Work,
  kind: 'merged' | 'separated' | 'deleted' | 'restored',
  id: string,
  intoId: string | null = null,
): Promise<void> {
  await work.trx.query(
    'INSERT INTO patient_steps (id, patient_id, kind, into_id, taken_by) VALUES ($1, $2, $3, $4, $5)',
    [newId(), id, kind, intoId, work.caller.sub],
  );
}
