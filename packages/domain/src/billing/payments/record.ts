/** What a payment is, a refund and a void entry, and their errors. */
import { type ErrorKind, fields, listQuery } from '@hms/service';
import { z } from 'zod';
import { currency, money } from '../../prices/prices.ts';
import { shownInvoice } from '../invoices/record.ts';

export const METHODS = ['CASH', 'CARD', 'TRANSFER', 'MOBILE', 'INSURANCE', 'ADVANCE'] as const;
export type Method = (typeof METHODS)[number];
export const KINDS = ['payment', 'refund', 'void'] as const;
const MOST_PARTS = 10;

export const method = z.enum(METHODS);
export const reference = fields.line(100).describe('Such as the number of a card terminal’s slip');
const tendered = money.describe('What was handed over in cash. Default: exactly what is due');
export const amount = money.min(1, 'must be 1 or more').describe('In minor units of the currency');
const depositId = fields.id.describe(
  'The deposit that pays, with the method ADVANCE. Default: the oldest one that is enough',
);

const part = z.object({
  method,
  amount,
  tendered: tendered.optional(),
  reference: reference.optional(),
  depositId: depositId.optional(),
});

/** Bodies about money take no field that they do not know: a misspelled amount must not count as all that is due. */
export const idempotencyKey = z.string().optional().describe('The same as the header Idempotency-Key');

/** How money comes in: one way, or several ones in `parts`. */
export const receiving = z.object({
  amount: amount.optional(),
  method: method.optional().describe('Default: CASH'),
  tendered: tendered.optional(),
  reference: reference.optional(),
  parts: z
    .array(part)
    .min(1)
    .max(MOST_PARTS)
    .optional()
    .describe('Several methods in one payment, in place of amount, method, tendered and reference'),
  currency: currency.optional().describe('ISO 4217. Default: that of the hospital, which is the only one'),
});

export const paying = receiving
  .extend({
    amount: amount
      .optional()
      .describe(
        'In minor units. Default: the balance of the patient, or that of the insurer with the method INSURANCE',
      ),
    depositId: depositId.optional(),
    idempotencyKey,
    version: fields.version,
  })
  .strict()
  .meta({ id: 'Paying' });
export type Paying = z.output<typeof paying>;

const shownPart = z.object({
  method,
  amount: z.int(),
  rounding: z.int().describe('What cash is more than the amount, or less, because there are no smaller coins'),
  tendered: z.int().nullable(),
  change: z.int().nullable(),
  reference: z.string().nullable(),
  depositId: z.uuid().nullable(),
});

export const shownPayment = z
  .object({
    id: z.uuid(),
    invoiceId: z.uuid().nullable(),
    depositId: z.uuid().nullable().describe('Of a payment ahead, or of what goes back of it'),
    patientId: z.uuid(),
    kind: z.enum(KINDS).describe('A refund gives money back. A void entry takes back a whole payment'),
    ofPaymentId: z.uuid().nullable().describe('Of a void entry: the payment that it takes back'),
    isVoid: z.boolean().describe('Whether a void entry has taken it back'),
    shiftId: z.uuid().nullable(),
    currency: z.string(),
    amount: z.int(),
    balanceAfter: z.int().describe('What was still to be paid after it, or what was left of the deposit'),
    parts: z.array(shownPart),
    reason: z.string().nullable(),
    receiptNo: z.string(),
    paidAt: fields.timestamp,
    receivedBy: z.string().describe('Account of the person'),
    receivedByName: z.string().nullable(),
    copies: z.int().describe('How often the receipt was printed again'),
  })
  .meta({ id: 'Payment' });
export type ShownPayment = z.output<typeof shownPayment>;

/** The answer to a payment. */
export const paid = shownPayment
  .extend({ invoice: shownInvoice, change: z.int().describe('To hand back, over all parts') })
  .meta({ id: 'CompletedPayment' });

export const voiding = z.object({ reason: fields.line(200) }).meta({ id: 'PaymentVoiding' });

const receiptFilters = {
  receiptNo: fields.line(40),
  invoiceId: fields.id,
  depositId: fields.id,
  shiftId: fields.id,
  kind: z.enum(KINDS),
  patientId: fields.id.describe('Also receipts of those who were merged with the patient'),
};
export const receiptQuery = listQuery({ sort: ['paidAt'], defaultSort: '-paidAt', filters: receiptFilters });
export type ReceiptFilters = z.output<typeof receiptQuery>['filters'];

export const RECEIPT_NOT_FOUND: ErrorKind = {
  status: 404,
  code: 'RECEIPT_NOT_FOUND',
  message: 'No payment of this hospital has this id',
};
export const INVOICE_NOT_PAYABLE: ErrorKind = {
  status: 409,
  code: 'INVOICE_NOT_PAYABLE',
  message: 'Only an issued invoice that is not paid yet can be paid',
};
export const OVERPAYMENT: ErrorKind = {
  status: 409,
  code: 'OVERPAYMENT',
  message:
    'That is more than is still to be paid: details.balance has what the patient pays, and details.insurerBalance what the insurer pays',
};
export const PAYMENT_NOT_FOUND: ErrorKind = {
  status: 404,
  code: 'PAYMENT_NOT_FOUND',
  message: 'No payment of this hospital has this id',
};
export const PAYMENT_NOT_VOIDABLE: ErrorKind = {
  status: 409,
  code: 'PAYMENT_NOT_VOIDABLE',
  message: 'The payment is void or refunded already, or it is no payment: details.reason says which',
};
export const SHIFT_CLOSED: ErrorKind = {
  status: 409,
  code: 'SHIFT_CLOSED',
  message: 'A payment can be void only in the open shift in which it was taken: request a refund',
};
