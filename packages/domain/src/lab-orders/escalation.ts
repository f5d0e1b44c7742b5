/**
 * A critical result that no doctor acknowledges in time climbs: first to the doctor who ordered it, then to all doctors of
 * that department. Orders say how far, and the mails go out from another module.
 */
import { records, type TaskName, type Work } from '@hms/service';
import { z } from 'zod';
import { addressesOfDoctors } from '../employees/doctors.ts';
import { employees } from '../employees/record.ts';
import { testsById } from '../lab-tests/lab-tests.ts';
import { settleOrder } from './change.ts';
import { type Item, partsOfOne } from './parts.ts';
import { type LabOrder, type LabResult, labOrders, labResults } from './record.ts';

const MINUTE = 60_000;
const STEPS = [1, 2] as const;

const input = z.object({
  orderId: z.uuid(),
  resultId: z.uuid().describe('Since which result a doctor has to answer'),
  step: z.union([z.literal(1), z.literal(2)]),
});
type Input = z.output<typeof input>;

/** Looks whether a critical result is still unanswered, and tells others. */
export const criticalResult: TaskName<Input> = { name: 'critical-result', input, attempts: 16 };

/** What the mails of one step say. None has the name of the patient or the value. */
export interface Escalation {
  /** Addresses. */
  readonly recipients: readonly string[];
  readonly orderNo: string;
  readonly test: string;
  /** Of the first critical version that nobody has acknowledged. */
  readonly enteredAt: string;
  /** In the portal. */
  readonly link: string;
}

/**
 * Since which result a doctor has to answer, once a new version of an item is stored. One that replaces a critical version
 * which nobody has acknowledged goes on where that one was: a value that is entered again and again still climbs.
 */
export function firstCriticalOf(
  { result, firstCriticalId }: Item,
  { id, isCritical }: Pick<LabResult, 'id' | 'isCritical'>,
): string | null {
  if (!isCritical) return null;
  return result?.isCritical && result.acknowledgedAt === null ? firstCriticalId : id;
}

/** Has somebody look later whether critical results were acknowledged. @param results the first ones, of each item. */
export function watchCritical(work: Work, results: readonly Pick<LabResult, 'id' | 'orderId'>[]): void {
  const minutes = work.hospital.settings.criticalResultMinutes;
  if (minutes === 0) return;
  for (const { id: resultId, orderId } of results) {
    for (const step of STEPS) {
      const runAt = new Date(work.trx.moment.getTime() + step * minutes * MINUTE);
      work.addTask(criticalResult, { orderId, resultId, step }, { key: `${resultId} ${step}`, runAt });
    }
  }
}

/** Notes that a critical result has waited too long. @returns undefined if it was answered, or is no longer critical. */
export async function escalate(work: Work, { orderId, resultId, step }: Input): Promise<Escalation | undefined> {
  const order = await records(work, labOrders).lockAny(orderId);
  const { items } = await partsOfOne(work, order);
  const item = items.find(({ firstCriticalId }) => firstCriticalId === resultId);
  if (!item?.result || item.result.acknowledgedAt !== null) return;
  if (item.escalation < step) {
    await work.trx.query('UPDATE lab_order_items SET escalation = $2 WHERE id = $1', [item.id, step]);
    await settleOrder(work, order);
  }
  const test = (await testsById(work, [item.testId])).get(item.testId);
  const [first] = await records(work, labResults).byIds([resultId]);
  const recipients = await recipientsOf(work, order, step);
  const { orderNo } = order;
  const link = `${work.hospital.portal}/laboratory/${orderId}`;
  return { recipients, orderNo, test: test?.name ?? '', enteredAt: first?.createdAt ?? item.result.enteredAt, link };
}

/** Nobody is left out because the doctor who ordered it does not work here any more, or has no department. */
async function recipientsOf(work: Work, { doctorId }: LabOrder, step: Input['step']): Promise<readonly string[]> {
  const doctor = doctorId === null ? undefined : await records(work, employees).find(doctorId);
  if (step === 1 && doctor?.status === 'active') return [doctor.email];
  const { departmentId = null } = doctor ?? {};
  const colleagues = departmentId === null ? [] : await addressesOfDoctors(work, departmentId);
  return colleagues.length > 0 ? colleagues : addressesOfDoctors(work, null);
}
