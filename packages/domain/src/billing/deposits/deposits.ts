/** What people pay ahead: the table `deposits`. What goes in and back is in the ledger, as of invoices. */
import { type DataReply, invalidFields, type RecordQuery, records, type Work } from '@hms/service';
import type { z } from 'zod';
import { holdSurvivor } from '../../patients/merges.ts';
import { patientNames } from '../../patients/names.ts';
import { demandCurrency } from '../../prices/prices.ts';
import { type Account, addEntry, type Entry } from '../payments/ledger.ts';
import { receivedParts } from '../payments/payments.ts';
import type { ShownPayment } from '../payments/record.ts';
import { demandShiftFor, holdShift } from '../shifts/hold.ts';
import { type Deposit, deposits, type newDeposit, type receivedDeposit, type ShownDeposit } from './record.ts';

export * from './record.ts';

/** @throws Problem PATIENT_NOT_FOUND, NO_OPEN_SHIFT, CURRENCY_MISMATCH, VALIDATION_FAILED */
export async function receiveDeposit(
  work: Work,
  body: z.output<typeof newDeposit>,
): Promise<z.output<typeof receivedDeposit>> {
  const shift = await holdShift(work);
  const { id: patientId } = await holdSurvivor(work, body.patientId);
  const { currency } = work.hospital;
  demandCurrency(body.currency, currency);
  const { amount, parts: given } = body;
  const wrong = (field: string, message: string) => invalidFields([{ field, in: 'body', message }]);
  if (amount === undefined && !given) throw wrong('amount', 'or parts is required');
  // Not rounded: a deposit is what was handed over.
  const parts = receivedParts(work, body, { due: amount ?? 0, patientBalance: -1 });
  parts.forEach(({ method }, index) => {
    const field = given ? `parts.${index}.method` : 'method';
    if (method === 'ADVANCE' || method === 'INSURANCE') throw wrong(field, 'must be CASH, CARD, TRANSFER or MOBILE');
  });
  demandShiftFor(work, shift, parts);
  const deposit = await records(work, deposits).insert({ patientId, currency, note: body.note });
  const { payment, updated } = await enterDeposit(work, deposit, { kind: 'payment', parts, shiftId: shift });
  const change = parts.reduce((sum, part) => sum + (part.change ?? 0), 0);
  return { ...payment, deposit: await showDeposit(work, updated), change };
}

/** Adds an entry to the ledger of a locked deposit. */
export function enterDeposit(
  work: Work,
  deposit: Deposit,
  entry: Entry,
): Promise<{ readonly payment: ShownPayment; readonly updated: Deposit }> {
  const { id: depositId, received: paid, returned: refunded, patientId, currency, lastPayment, balance } = deposit;
  const account: Account = {
    ...{ invoiceId: null, depositId, patientId, currency, lastPayment, paid, refunded, balance, insurerPaid: 0 },
  };
  return addEntry(work, account, entry, (sums) =>
    records(work, deposits).update(deposit, {
      ...{ received: sums.paid, returned: sums.refunded, lastPayment: sums.lastPayment },
    }),
  );
}

/** @throws Problem DEPOSIT_NOT_FOUND */
export async function readDeposit(work: Work, id: string): Promise<ShownDeposit> {
  return showDeposit(work, await records(work, deposits).read(id));
}

export async function listDeposits(work: Work, query: RecordQuery): Promise<DataReply<ShownDeposit[]>> {
  const { data, ...reply } = await records(work, deposits).list(query);
  const named = await patientNames(
    work,
    data.map(({ patientId }) => patientId),
  );
  return { ...reply, data: data.map((deposit) => ({ ...deposit, ...named(deposit.patientId) })) };
}

export async function showDeposit(work: Work, deposit: Deposit): Promise<ShownDeposit> {
  const named = await patientNames(work, [deposit.patientId]);
  return { ...deposit, ...named(deposit.patientId) };
}
