/** What a payment is, and its errors. */
import { type ErrorKind, fields, listQuery } from '@hms/service';
import { z } from 'zod';
import { currency, money } from '../../prices/prices.ts';
import { shownInvoice } from '../invoices/invoices.ts';

export const METHODS = ['CASH', 'CARD', 'TRANSFER', 'MOBILE', 'INSURANCE', 'ADVANCE'] as const;
const MOST_PARTS = 10;

const method = z.enum(METHODS);
const reference = fields.line(100).describe('Such as the number of a card terminal’s slip');
const tendered = money.describe('What was handed over in cash. Default: exactly what is due');
const amount = money.min(1, 'must be 1 or more').describe('In minor units of the currency');

const part = z.object({ method, amount, tendered: tendered.optional(), reference: reference.optional() });

export const paying = z
  .object({
    amount: amount.optional().describe('In minor units. Default: the balance'),
    method: method.optional().describe('Default: CASH'),
    tendered: tendered.optional(),
    reference: reference.optional(),
    parts: z
      .array(part)
      .min(1)
      .max(MOST_PARTS)
      .optional()
      .describe('Several methods in one payment, in place of amount, method, tendered and reference'),
    currency: currency.optional().describe('ISO 4217. Default: that of the invoice, which is the only one'),
    version: fields.version,
  })
  .meta({ id: 'Paying' });
export type Paying = z.output<typeof paying>;
export type Method = (typeof METHODS)[number];

const shownPart = z.object({
  method,
  amount: z.int(),
  rounding: z.int().describe('What cash is more than the amount, or less, because there are no smaller coins'),
  tendered: z.int().nullable(),
  change: z.int().nullable(),
  reference: z.string().nullable(),
});

export const shownPayment = z
  .object({
    id: z.uuid(),
    invoiceId: z.uuid(),
    patientId: z.uuid(),
    kind: z.enum(['payment']),
    currency: z.string(),
    amount: z.int(),
    balanceAfter: z.int().describe('What was still to be paid after it'),
    parts: z.array(shownPart),
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

const receiptFilters = {
  receiptNo: fields.line(40),
  invoiceId: fields.id,
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
  message: 'That is more than is still to be paid: details.balance has it',
};
