/** The results of one test for one patient, over time. */
import { fields, Problem, type Work } from '@hms/service';
import { z } from 'zod';
import { LAB_TEST_NOT_FOUND, testsById } from '../lab-tests/lab-tests.ts';
import { FLAGS, UNFLAGGED } from '../lab-tests/values.ts';
import { samePerson, survivorOf } from '../patients/merges.ts';
import { rangeOfResult } from './record.ts';

export const pastResult = z
  .object({
    id: z.uuid(),
    orderId: z.uuid(),
    orderNo: z.string(),
    status: z.enum(['preliminary', 'final', 'corrected']),
    value: z.string(),
    number: z
      .number()
      .nullable()
      .describe('The value for a chart. Null for one that is no number, or has a comparator'),
    unit: z.string().nullable(),
    flag: z.enum(FLAGS).nullable(),
    unflagged: z.enum(UNFLAGGED).nullable(),
    isCritical: z.boolean(),
    range: rangeOfResult,
    collectedAt: fields.timestamp,
  })
  .meta({ id: 'LabPastResult' });
type PastResult = z.output<typeof pastResult>;

/**
 * The current version of each result, the specimen that was collected last first. Those of patients who were merged into
 * this one count too. The audit log has an event.
 * @throws Problem PATIENT_NOT_FOUND, LAB_TEST_NOT_FOUND.
 */
export async function pastResults(
  work: Work,
  patientId: string,
  { testId, page, limit }: { readonly testId: string; readonly page: number; readonly limit: number },
) {
  const { id } = await survivorOf(work, patientId);
  const [people, tests] = [await samePerson(work, id), await testsById(work, [testId])];
  if (!tests.has(testId)) throw new Problem(LAB_TEST_NOT_FOUND);
  const [[counted], rows] = await Promise.all([
    work.trx.query<{ total: number }>(`SELECT count(*)::int AS total ${FROM}`, [people, testId]),
    work.trx.query<Row>(`${SELECT} ${FROM} ${ORDER}`, [people, testId, limit, (page - 1) * limit]),
  ]);
  work.audit({
    action: 'list',
    record: 'lab_results',
    patientId: id,
    details: { testId, ids: rows.map((row) => row.id) },
  });
  const data = rows.map(
    ({ isCorrection, isVerified, collectedAt, ...rest }): PastResult => ({
      ...rest,
      status: isCorrection ? 'corrected' : isVerified ? 'final' : 'preliminary',
      number: /^-?\d+(?:\.\d+)?$/.test(rest.value) ? Number(rest.value) : null,
      collectedAt: collectedAt.toISOString(),
    }),
  );
  return { data, meta: { page, limit, total: counted?.total ?? 0 } };
}

interface Row extends Omit<PastResult, 'status' | 'number' | 'collectedAt'> {
  readonly isCorrection: boolean;
  readonly isVerified: boolean;
  readonly collectedAt: Date;
}

const SELECT = `
  SELECT r.id, o.id AS "orderId", o.order_no AS "orderNo", r.value, r.unit, r.flag, r.unflagged,
    r.is_critical AS "isCritical", r.range, r.is_correction AS "isCorrection", v.result_id IS NOT NULL AS "isVerified",
    s.collected_at AS "collectedAt"`;

const FROM = `
  FROM lab_orders o
    JOIN lab_order_items item ON item.order_id = o.id
    JOIN lab_specimens s ON s.id = item.specimen_id
    JOIN lab_results r ON r.id = item.result_id
    LEFT JOIN lab_verifications v ON v.result_id = r.id
  WHERE o.patient_id = ANY($1) AND item.test_id = $2 AND item.cancelled_at IS NULL AND o.deleted_at IS NULL`;

const ORDER = 'ORDER BY s.collected_at DESC, r.id LIMIT $3 OFFSET $4';
