/** How deposits pay invoices. */
import { Problem, type Work } from '@hms/service';
import { samePerson } from '../../patients/merges.ts';
import type { Invoice } from '../invoices/record.ts';
import { NO_DEPOSIT } from './record.ts';

interface Use {
  readonly amount: number;
  /** Undefined: the oldest deposit that is enough. */
  readonly depositId: string | null;
  /** Other parts of the payment. */
  readonly before: readonly Part[];
}

interface Part {
  readonly amount: number;
  readonly depositId: string | null;
}

/**
 * The deposit that pays a part of an invoice. All deposits of the patient and the payer are locked, in the order of their
 * ids.
 * @throws Problem NO_DEPOSIT
 */
export async function depositFor(
  work: Work,
  { patientId, payerId, currency }: Pick<Invoice, 'patientId' | 'payerId' | 'currency'>,
  { amount, depositId, before }: Use,
): Promise<string> {
  const people = [...(await samePerson(work, patientId)), ...(await samePerson(work, payerId))];
  const rows = await work.trx.query<{ id: string; balance: number }>(LOCK, [people, currency]);
  const left = rows.map(({ id, balance }) => {
    const used = before.filter((part) => part.depositId === id).reduce((sum, part) => sum + part.amount, 0);
    return { id, balance: balance - used };
  });
  const able = left.filter(({ id, balance }) => balance >= amount && (depositId === null || id === depositId));
  const [first] = able;
  if (!first) {
    const most = Math.max(0, ...left.map(({ balance }) => balance));
    throw new Problem(NO_DEPOSIT, { details: { most, currency } });
  }
  return first.id;
}

/** Notes what locked deposits pay, or what they get back. @param sign 1: they pay. -1: they get back. */
export async function changeUsed(work: Work, parts: readonly Part[], sign: 1 | -1): Promise<void> {
  for (const { depositId, amount } of parts) {
    if (depositId === null) continue;
    const [row] = await work.trx.query<{ used: number; patient_id: string }>(CHANGE, [
      ...[depositId, sign * amount, work.caller.sub],
    ]);
    if (!row) throw new Error('a deposit is missing');
    const { used, patient_id: patientId } = row;
    work.audit({
      ...{ action: 'update', record: 'deposits', recordId: depositId, patientId },
      ...{ before: { used: used - sign * amount }, after: { used } },
    });
  }
}

// Older ones have lower ids.
const LOCK = `
  SELECT id, balance FROM deposits WHERE patient_id = ANY ($1) AND currency = $2 ORDER BY id FOR UPDATE`;
const CHANGE = `
  UPDATE deposits SET used = used + $2, updated_at = moment(), updated_by = $3, version = version + 1
  WHERE id = $1 RETURNING used, patient_id`;
