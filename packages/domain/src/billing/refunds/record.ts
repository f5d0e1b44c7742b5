/** What a refund is, and its errors. */
import { build } from '@hms/database';
import { type ErrorKind, fields, itemWith, record } from '@hms/service';
import { z } from 'zod';
import { patientsMatching, samePersonIds } from '../../patients/record.ts';
import { money } from '../../prices/prices.ts';
import { MOST_LINES } from '../invoices/record.ts';
import { amount, idempotencyKey, method, reference } from '../payments/record.ts';

const reason = fields.line(200);
const creditLine = z.object({ lineId: z.uuid(), amount: z.int().describe('With tax') });

export const refunds = record('refunds', {
  name: 'refund',
  code: { field: 'refundNo', series: 'refund', letters: 'RFD' },
  fields: {},
  set: {
    invoiceId: fields.id.nullable(),
    depositId: fields.id.nullable(),
    patientId: fields.id,
    currency: z.string().describe('ISO 4217'),
    amount: money.describe('What goes back'),
    insurerAmount: money.describe('What of it goes back to the insurer'),
    method: method.describe('How it goes back to the patient'),
    credited: money.describe('What of the invoice is cancelled by a credit note'),
    creditLines: z.array(creditLine),
    reason,
    createdBy: z.string().describe('Account of who requested it'),
    requestedByName: z.string().nullable(),
    decidedBy: z.string().nullable(),
    decidedByName: z.string().nullable(),
    decidedAt: fields.instant.nullable(),
    rejectReason: reason.nullable(),
    paymentId: fields.id.nullable().describe('The entry in the ledger, as soon as it is paid out'),
  },
  states: {
    requested: ['approved', 'rejected', 'completed'],
    approved: ['completed', 'rejected'],
    rejected: [],
    completed: [],
  },
  filters: ['status', 'refundNo', 'invoiceId', 'depositId'],
  moreFilters: {
    patientId: {
      schema: fields.id.describe('Also refunds of those who were merged with the patient'),
      where: (rows, id) => void rows.whereIn('patient_id', samePersonIds(id as string)),
    },
    open: {
      schema: z.literal('true').describe('Only those that are neither completed nor rejected'),
      where: (rows) => void rows.whereIn('status', ['requested', 'approved']),
    },
  },
  search: {
    also: (text, precision) =>
      build.from('refunds').select('id').whereIn('patient_id', patientsMatching(text, precision)),
  },
  auditReads: true,
  patient: 'patientId',
  live: true,
});
export type Refund = z.output<typeof refunds.item>;

export const refunding = z
  .strictObject({
    lines: z
      .array(
        z.strictObject({
          lineId: fields.id,
          amount: amount.optional().describe('With tax. Default: all that is left of the line'),
        }),
      )
      .min(1)
      .max(MOST_LINES)
      .refine((lines) => new Set(lines.map(({ lineId }) => lineId)).size === lines.length, 'must not have a line twice')
      .optional()
      .describe('What of the invoice is cancelled: a credit note has it. Without lines, the invoice stays to be paid'),
    amount: money
      .optional()
      .describe('What goes back. Default: what is paid and not owed any more, with lines, or all that is paid'),
    method: method.optional().describe('How it goes back. Default: the method of the last payment'),
    reason,
    idempotencyKey,
    version: fields.version,
  })
  .meta({ id: 'Refunding' });
export type Refunding = z.output<typeof refunding>;

export const returning = z
  .strictObject({
    amount: amount.optional().describe('What goes back. Default: all that is left of the deposit'),
    method: method.optional().describe('How it goes back. Default: the method of the deposit'),
    reason,
    idempotencyKey,
    version: fields.version,
  })
  .meta({ id: 'DepositReturning' });

export const rejection = z.object({ reason, version: fields.version }).meta({ id: 'RefundRejection' });
export const payingOut = z
  .object({ reference: reference.optional(), version: fields.version })
  .meta({ id: 'RefundPayingOut' });

export const shownRefund = itemWith(refunds, {
  patientCode: z.string(),
  patientName: z.string(),
  invoiceNo: z.string().nullable(),
  depositNo: z.string().nullable(),
  creditNo: z.string().nullable().describe('Number of the credit note'),
  receiptNo: z.string().nullable().describe('Number of the receipt, as soon as it is paid out'),
}).meta({ id: 'ShownRefund' });
export type ShownRefund = z.output<typeof shownRefund>;

const creditNoteLine = z.object({
  lineId: z.uuid(),
  seq: z.int().describe('Number of the line on the invoice'),
  description: z.string(),
  taxBps: z.int(),
  amount: z.int(),
  net: z.int(),
  tax: z.int(),
  insured: z.int().describe('What of the amount the insurer would have paid'),
  discount: z.int().describe('What of the line’s discounts is cancelled with it'),
});

export const creditNote = z
  .object({
    id: z.uuid(),
    creditNo: z.string(),
    invoiceId: z.uuid(),
    invoiceNo: z.string(),
    refundId: z.uuid(),
    patientId: z.uuid(),
    patientCode: z.string(),
    patientName: z.string(),
    payerName: z.string(),
    currency: z.string(),
    amount: z.int(),
    insured: z.int(),
    reason: z.string(),
    issuedAt: fields.timestamp,
    issuedByName: z.string().nullable(),
    lines: z.array(creditNoteLine),
  })
  .meta({ id: 'CreditNote' });
export type CreditNote = z.output<typeof creditNote>;

export const REFUND_NOT_FOUND: ErrorKind = refunds.notFound;
export const REFUND_EXCEEDS_PAID: ErrorKind = {
  status: 409,
  code: 'REFUND_EXCEEDS_PAID',
  message: 'That is more than can go back: details.most has what is paid and not refunded yet',
};
export const CREDIT_EXCEEDS_LINE: ErrorKind = {
  status: 409,
  code: 'CREDIT_EXCEEDS_LINE',
  message: 'That is more than is left of the line: details.most has what is not cancelled yet',
};
export const REFUND_TOO_SMALL: ErrorKind = {
  status: 409,
  code: 'REFUND_TOO_SMALL',
  message: 'So much is cancelled that more has to go back: details.least has it',
};
export const INVOICE_NOT_REFUNDABLE: ErrorKind = {
  status: 409,
  code: 'INVOICE_NOT_REFUNDABLE',
  message: 'Only an issued invoice can be refunded or cancelled in part',
};
export const CREDIT_NOTE_NOT_FOUND: ErrorKind = {
  status: 404,
  code: 'CREDIT_NOTE_NOT_FOUND',
  message: 'No credit note of this hospital has this id',
};
