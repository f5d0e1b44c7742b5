/** Verification of results by another person, and acknowledgement of critical ones by a doctor. */
import { fields, Problem, type Work } from '@hms/service';
import { z } from 'zod';
import { itemOf, type LockedOrder, lockOrder, settleOrder } from './change.ts';
import { LAB_RESULT_CHANGED, LAB_RESULT_NOT_CRITICAL, SAME_PERSON_VERIFY } from './errors.ts';
import type { LabOrder } from './record.ts';

const MOST_RESULTS = 100;

export const signature = z
  .object({
    resultIds: fields
      .ids('result', MOST_RESULTS)
      .describe('The versions that you have seen. If one is no longer current: 409 LAB_RESULT_CHANGED'),
    version: fields.version,
  })
  .meta({ id: 'LabSignature' });

/**
 * Verifies results. Each names the version that the person has seen, so nobody signs what somebody else has just changed.
 * @throws Problem LAB_RESULT_NOT_FOUND, LAB_RESULT_CHANGED, SAME_PERSON_VERIFY.
 */
export async function verifyResults(
  work: Work,
  id: string,
  { resultIds }: z.output<typeof signature>,
  version: number | undefined,
): Promise<LabOrder> {
  const locked = await lockOrder(work, id, version);
  const results = await currentResults(work, locked, resultIds);
  if (results.some(({ verifiedAt }) => verifiedAt !== null)) throw new Problem(LAB_RESULT_CHANGED);
  const own = results.filter(({ enteredBy }) => enteredBy === work.caller.sub);
  if (own.length > 0 && work.hospital.settings.requireSecondVerifier) {
    throw new Problem(SAME_PERSON_VERIFY, { details: { resultIds: own.map((result) => result.id) } });
  }
  await storeVerifications(work, locked.order, results);
  return settleOrder(work, locked.order);
}

/**
 * Notes that a doctor has seen critical results. A repetition changes nothing, so the first one counts.
 * @throws Problem LAB_RESULT_NOT_FOUND, LAB_RESULT_CHANGED, LAB_RESULT_NOT_CRITICAL.
 */
export async function acknowledgeResults(
  work: Work,
  id: string,
  { resultIds }: z.output<typeof signature>,
  version: number | undefined,
): Promise<LabOrder> {
  const locked = await lockOrder(work, id, version);
  const { order } = locked;
  const results = await currentResults(work, locked, resultIds);
  if (results.some(({ isCritical }) => !isCritical)) throw new Problem(LAB_RESULT_NOT_CRITICAL);
  const seen = results.filter(({ acknowledgedAt }) => acknowledgedAt === null);
  if (seen.length === 0) return order;
  const ids = seen.map((result) => result.id);
  await work.trx.query(ACKNOWLEDGE, [ids, order.id, work.caller.sub]);
  for (const recordId of ids)
    work.audit({ action: 'create', record: 'lab_acknowledgements', recordId, patientId: order.patientId });
  return settleOrder(work, order);
}

/** Signs results as the caller. */
export async function storeVerifications(
  work: Work,
  { id, patientId }: LabOrder,
  results: readonly { readonly id: string }[],
): Promise<void> {
  const ids = results.map((result) => result.id);
  const isAlone = !work.hospital.settings.requireSecondVerifier;
  await work.trx.query(VERIFY, [ids, id, work.caller.sub, isAlone]);
  for (const recordId of ids) work.audit({ action: 'create', record: 'lab_verifications', recordId, patientId });
}

async function currentResults(work: Work, locked: LockedOrder, resultIds: readonly string[]) {
  const found = await Promise.all(resultIds.map((resultId) => itemOf(work, locked, resultId)));
  return found.flatMap(({ result }) => result ?? []);
}

const VERIFY = `
  WITH verified AS (
    INSERT INTO lab_verifications (result_id, order_id, entered_by, verified_by, is_alone)
    SELECT id, $2, entered_by, $3, $4 FROM lab_results WHERE id = ANY($1) RETURNING result_id
  )
  UPDATE lab_order_items SET verified_at = COALESCE(verified_at, moment())
  WHERE result_id IN (SELECT result_id FROM verified)`;

const ACKNOWLEDGE = `
  INSERT INTO lab_acknowledgements (result_id, order_id, acknowledged_by) SELECT unnest($1::uuid[]), $2, $3`;
