/** Who received units of a batch, for a recall. */
import { fields, records, type Work } from '@hms/service';
import { z } from 'zod';
import { peopleById } from '../patients/merges.ts';
import { patientNameOf } from '../patients/names.ts';
import { batches, partsOf } from '../stock/stock.ts';

export const recipient = z
  .object({
    patientId: z.uuid().describe('Who was given it. The rest is of the survivor, if the patient was merged'),
    patientCode: z.string(),
    name: z.string(),
    phone: z.string().nullable(),
    dispenseId: z.uuid(),
    dispenseNo: z.string(),
    dispensedAt: fields.timestamp,
    quantity: z.int(),
    returned: z.int(),
  })
  .meta({ id: 'BatchRecipient' });
type Recipient = z.output<typeof recipient>;

/** Everybody who got units of a batch, from any location, latest first. The audit log names them. */
export async function recipientsOf(
  work: Work,
  batchId: string,
  { page, limit }: { readonly page: number; readonly limit: number },
) {
  const batchIds = (await partsOf(work, await records(work, batches).read(batchId))).map(({ id }) => id);
  const [[counted], rows] = await Promise.all([
    work.trx.query<{ total: number }>(`SELECT count(*) AS total ${ROWS}`, [batchIds]),
    work.trx.query<RecipientRow>(RECIPIENTS, [batchIds, limit, (page - 1) * limit]),
  ]);
  const people = await peopleById(
    work,
    rows.map(({ patientId }) => patientId),
  );
  const ids = [...new Set([...people.values()].map(({ id }) => id))];
  work.audit({ action: 'list', record: 'patients', details: { reason: 'recall', batchId, ids } });
  const data = rows.flatMap(({ dispensedAt, ...row }): Recipient[] => {
    const patient = people.get(row.patientId);
    if (!patient) return [];
    const { patientCode, phone } = patient;
    return [{ ...row, patientCode, name: patientNameOf(patient), phone, dispensedAt: dispensedAt.toISOString() }];
  });
  return { data, meta: { page, limit, total: counted?.total ?? 0 } };
}

interface RecipientRow extends Omit<Recipient, 'patientCode' | 'name' | 'phone' | 'dispensedAt'> {
  readonly dispensedAt: Date;
}

const ROWS = `
  FROM dispense_lines line JOIN dispenses ON dispenses.id = line.dispense_id
  WHERE batch_id = ANY($1)`;
const RECIPIENTS = `
  SELECT patient_id AS "patientId", dispense_id AS "dispenseId", dispense_no AS "dispenseNo",
    created_at AS "dispensedAt", quantity, returned
  ${ROWS} ORDER BY created_at DESC, line.id LIMIT $2 OFFSET $3`;
