/** Results: entered, entered again before they are verified, and amended afterwards. Each time is a new version. */
import { type FieldProblem, fields, invalidFields, newId, Problem, records, type Work } from '@hms/service';
import { z } from 'zod';
import { rangesOf, testsById } from '../lab-tests/lab-tests.ts';
import { type Range, rangeFor } from '../lab-tests/ranges.ts';
import type { LabTest } from '../lab-tests/record.ts';
import { judge, readValue } from '../lab-tests/values.ts';
import { peopleById } from '../patients/merges.ts';
import type { Patient } from '../patients/record.ts';
import { itemOf, type LockedOrder, lockOrder, refuseState, settleOrder } from './change.ts';
import { LAB_ITEM_NOT_FOUND, LAB_RESULT_CHANGED, LAB_RESULT_UNCHANGED, RESULT_TYPE_MISMATCH } from './errors.ts';
import { firstCriticalOf, watchCritical } from './escalation.ts';
import type { Item } from './parts.ts';
import { patientIn } from './people.ts';
import { type LabOrder, type LabResult, labResults } from './record.ts';
import { markReceived } from './specimens.ts';
import { subjectOf } from './subject.ts';
import { storeVerifications } from './verification.ts';

const MOST_RESULTS = 100;

const value = fields
  .line(500)
  .describe('A number such as `5.10`, `<0.01` or `>1000`, a text, or the code of an option');
const note = fields.line(500).nullish();

export const entry = z
  .object({
    results: z
      .array(
        z.object({
          itemId: fields.id,
          value,
          note,
          replaces: fields.id
            .optional()
            .describe('The version that you have seen, if there is one. Another one gets 409 LAB_RESULT_CHANGED'),
        }),
      )
      .min(1)
      .max(MOST_RESULTS)
      .refine((given) => new Set(given.map(({ itemId }) => itemId)).size === given.length, 'must not have a test twice')
      .describe('Some of the tests, or all'),
    version: fields.version,
  })
  .meta({ id: 'LabResultEntry' });
export const amendment = z
  .object({
    resultId: fields.id.describe('The version that you have seen. If another one is current: 409 LAB_RESULT_CHANGED'),
    value,
    reason: fields.line(500).describe('Why the verified result was wrong. It is on the report'),
    note: note.describe('Default: the note of the result. Null removes it'),
    version: fields.version,
  })
  .meta({ id: 'LabAmendment' });

/** What is entered for one test. */
export interface Entered {
  readonly item: Item;
  readonly value: string;
  readonly note?: string | null | undefined;
  readonly source: LabResult['source'];
  readonly measuredAt?: string | null;
  /** Why a verified result is amended. */
  readonly reason?: string;
}

/**
 * Enters results of collected specimens.
 * @throws Problem LAB_ITEM_NOT_FOUND, INVALID_STATE, LAB_RESULT_NOT_FOUND, LAB_RESULT_CHANGED, RESULT_TYPE_MISMATCH.
 */
export async function enterResults(
  work: Work,
  id: string,
  { results }: z.output<typeof entry>,
  version: number | undefined,
): Promise<LabOrder> {
  const locked = await lockOrder(work, id, version);
  const catalogue = await catalogueOf(work, locked);
  const problems: FieldProblem[] = [];
  const entered: Entered[] = [];
  for (const [index, { itemId, value: written, note: own, replaces }] of results.entries()) {
    const item = locked.items.find((one) => one.id === itemId);
    if (!item) throw new Problem(LAB_ITEM_NOT_FOUND);
    const refusal = entryProblem(locked, item);
    if (refusal !== undefined) refuseState(locked.order.status, refusal);
    if (item.result?.id !== replaces) {
      // Nobody has seen a version that the order never had.
      if (replaces !== undefined) await itemOf(work, locked, replaces);
      throw changed(item);
    }
    const read = readValue(testOf(catalogue, item), written);
    if ('problem' in read) problems.push({ field: `results.${index}.value`, in: 'body', message: read.problem });
    entered.push({ item, value: 'value' in read ? read.value : '', note: own, source: 'manual' });
  }
  if (problems.length > 0) throw invalidFields(problems, RESULT_TYPE_MISMATCH);
  await storeResults(work, locked, catalogue, entered);
  return settleOrder(work, locked.order);
}

/**
 * Replaces a verified result with a new version, which somebody else has to verify if the hospital demands it. The
 * reports that show the old one are superseded at once.
 * @throws Problem LAB_RESULT_NOT_FOUND, LAB_RESULT_CHANGED, INVALID_STATE, RESULT_TYPE_MISMATCH, LAB_RESULT_UNCHANGED.
 */
export async function amendResult(
  work: Work,
  id: string,
  { resultId, value: written, reason, note: given }: z.output<typeof amendment>,
  version: number | undefined,
): Promise<LabOrder> {
  const locked = await lockOrder(work, id, version);
  const item = await itemOf(work, locked, resultId);
  const { order } = locked;
  if (item.verifiedAt === null) refuseState(order.status, 'The result is not verified yet: enter it again');
  const catalogue = await catalogueOf(work, locked);
  const read = readValue(testOf(catalogue, item), written);
  if ('problem' in read)
    throw invalidFields([{ field: 'value', in: 'body', message: read.problem }], RESULT_TYPE_MISMATCH);
  const own = given === undefined ? (item.result?.note ?? null) : given;
  if (read.value === item.result?.value && own === item.result.note) {
    const message = 'is what the result has already: write another value, or change the note';
    throw invalidFields([{ field: 'value', in: 'body', message }], LAB_RESULT_UNCHANGED);
  }
  const entered: Entered = { item, value: read.value, note: own, source: 'manual', reason };
  const [after] = await storeResults(work, locked, catalogue, [entered]);
  if (after && !work.hospital.settings.requireSecondVerifier) await storeVerifications(work, order, [after]);
  return settleOrder(work, order, { revision: order.revision + 1, amendedAt: after?.createdAt ?? null });
}

/** Why no result can be entered for a test, or undefined. */
export function entryProblem({ specimens }: LockedOrder, item: Item): string | undefined {
  if (item.cancelledAt !== null) return 'The test is cancelled';
  if (item.verifiedAt !== null) return 'The result is verified: amend it';
  const status = specimens.find(({ id }) => id === item.specimenId)?.status;
  return status === 'expected' ? 'The specimen is not collected yet' : undefined;
}

/** What results of an order are compared with. */
export interface Catalogue {
  readonly tests: ReadonlyMap<string, LabTest>;
  readonly ranges: ReadonlyMap<string, readonly Range[]>;
  readonly patient: Patient;
}

export async function catalogueOf(
  work: Work,
  { order, items }: Pick<LockedOrder, 'order' | 'items'>,
): Promise<Catalogue> {
  const ids = items.map(({ testId }) => testId);
  const [tests, ranges, people] = await Promise.all([
    testsById(work, ids),
    rangesOf(work, ids),
    peopleById(work, [order.patientId]),
  ]);
  return { tests, ranges, patient: patientIn(people, order.patientId) };
}

export function testOf({ tests }: Catalogue, { testId }: Item): LabTest {
  const test = tests.get(testId);
  if (!test) throw new Error(`there is no test ${testId}`);
  return test;
}

/** Stores new versions of results, as the current ones. @returns them. */
export async function storeResults(
  work: Work,
  locked: LockedOrder,
  catalogue: Catalogue,
  entered: readonly Entered[],
): Promise<readonly LabResult[]> {
  const waiting = locked.specimens.filter(
    ({ id, status }) => status === 'collected' && entered.some(({ item }) => item.specimenId === id),
  );
  if (waiting.length > 0) await markReceived(work, waiting);
  const stored = await Promise.all(
    entered.map(async (one) => {
      const result = await records(work, labResults).insert(resultOf(work, locked, catalogue, one), newId());
      return { result, firstCriticalId: firstCriticalOf(one.item, result) };
    }),
  );
  const pointers = stored.map(({ result: { id, itemId }, firstCriticalId }) => {
    return { id: itemId, result_id: id, first_critical_id: firstCriticalId };
  });
  await work.trx.query(POINT, [JSON.stringify(pointers)]);
  watchCritical(
    work,
    stored.flatMap(({ result, firstCriticalId }) => (result.id === firstCriticalId ? result : [])),
  );
  return stored.map(({ result }) => result);
}

const POINT = `
  UPDATE lab_order_items item
  SET result_id = given.result_id, resulted_at = COALESCE(item.resulted_at, moment()),
    first_critical_id = given.first_critical_id,
    escalation = CASE WHEN item.first_critical_id = given.first_critical_id THEN item.escalation ELSE 0 END
  FROM jsonb_to_recordset($1::jsonb) AS given(id uuid, result_id uuid, first_critical_id uuid)
  WHERE item.id = given.id`;

function resultOf({ caller, hospital }: Work, locked: LockedOrder, catalogue: Catalogue, entered: Entered) {
  const { item, value: text, note: own, source, measuredAt = null, reason } = entered;
  const test = testOf(catalogue, item);
  const specimen = locked.specimens.find(({ id }) => id === item.specimenId);
  const subject = subjectOf(catalogue.patient, specimen?.collectedAt ?? locked.order.createdAt, hospital.timezone);
  const fits = rangeFor(catalogue.ranges.get(item.testId) ?? [], subject);
  return {
    ...{ orderId: locked.order.id, patientId: locked.order.patientId, itemId: item.id, specimenId: item.specimenId },
    ...{ number: item.lastNumber + 1, value: text, unit: test.unit, ...judge(test, text, fits) },
    range: fits && {
      ...fits,
      subject: { sex: subject.sex ?? null, ageDays: subject.ageDays, ageHours: subject.ageHours },
    },
    ...{ isCorrection: reason !== undefined, reason, source, measuredAt, note: own ?? null },
    // Whoever sends an analyser's file could have written it, and does not verify it alone.
    enteredBy: caller.sub,
    supersedesId: item.result?.id,
  };
}

function changed({ id, result }: Item): Problem {
  return new Problem(LAB_RESULT_CHANGED, { details: { itemId: id, resultId: result?.id ?? null } });
}
