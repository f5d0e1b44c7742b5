/** What a deposit is, and its errors. */
import { type ErrorKind, fields, itemWith, record } from '@hms/service';
import { z } from 'zod';
import { samePersonIds } from '../../patients/record.ts';
import { money } from '../../prices/prices.ts';
import { amount, idempotencyKey, receiving, shownPayment } from '../payments/record.ts';

export const deposits = record('deposits', {
  name: 'deposit',
  code: { field: 'depositNo', series: 'deposit', letters: 'DEP' },
  fields: { note: fields.line(200).nullish().describe('What it is for') },
  set: {
    patientId: fields.id,
    currency: z.string().describe('ISO 4217'),
    received: money,
    returned: money,
    used: money.describe('What has paid invoices'),
    lastPayment: z.int().nullable().describe('Number of its last payment or refund'),
    balance: money.describe('What is left'),
  },
  filters: ['depositNo'],
  moreFilters: {
    patientId: {
      schema: fields.id.describe('Also deposits of those who were merged with the patient'),
      where: (rows, id) => void rows.whereIn('patient_id', samePersonIds(id as string)),
    },
    open: {
      schema: z.literal('true').describe('Only those of which something is left'),
      where: (rows) => void rows.where('balance', '>', 0),
    },
  },
  auditReads: true,
  patient: 'patientId',
});
export type Deposit = z.output<typeof deposits.item>;

export const newDeposit = receiving
  .extend({
    patientId: fields.id,
    amount: amount.optional().describe('Required without parts'),
    note: fields.line(200).nullish(),
    idempotencyKey,
  })
  .strict()
  .meta({ id: 'NewDeposit' });

export const shownDeposit = itemWith(deposits, { patientCode: z.string(), patientName: z.string() }).meta({
  id: 'ShownDeposit',
});
export type ShownDeposit = z.output<typeof shownDeposit>;

/** The answer to a deposit. */
export const receivedDeposit = shownPayment
  .extend({ deposit: shownDeposit, change: z.int().describe('To hand back') })
  .meta({ id: 'ReceivedDeposit' });

export const DEPOSIT_NOT_FOUND: ErrorKind = deposits.notFound;
export const NO_DEPOSIT: ErrorKind = {
  status: 409,
  code: 'NO_DEPOSIT',
  message: 'No deposit of the patient or the payer has so much left: details.most has what the largest one has',
};
