/** The declarations of invoices and their lines, and their errors. */
import { build } from '@hms/database';
import { declareConstraints, type ErrorKind, fields, itemWith, record, withTraits } from '@hms/service';
import { z } from 'zod';
import { patientsMatching, samePersonIds } from '../../patients/record.ts';
import { bps, currency, itemGroup, money, payerGroup } from '../../prices/prices.ts';
import { CHARGE_INVOICED } from '../charges/charges.ts';

export const MOST_LINES = 500;
const MOST_QUANTITY = 1_000_000;

export const discount = z
  .union(
    [
      z.strictObject({ amount: money.describe('In minor units') }),
      z.strictObject({ bps: bps.describe('In basis points: 1250 is 12.5 %') }),
    ],
    'must be {"amount": 500} in minor units, or {"bps": 1250} for 12.5 %',
  )
  .describe('A fixed amount, or a part');
export type Discount = z.output<typeof discount>;

/** What the sums of an issued invoice say. Each can follow each other: a payment may become void, and money go back. */
const BILLED = ['issued', 'partially_paid', 'paid', 'partially_refunded', 'refunded'] as const;

export const invoices = record('invoices', {
  name: 'invoice',
  fields: {
    notes: fields.line(500).nullish().describe('Printed on the invoice'),
    dueOn: fields.day.nullish().describe('The last day on which it should be paid'),
    insurer: fields.line(100).nullish().describe('Who pays what is insured'),
    policyNo: fields.line(60).nullish().describe('Number of the patient’s policy'),
  },
  set: {
    invoiceNo: withTraits(z.string(), { filter: fields.line(40) })
      .nullable()
      .describe('Given when it is issued, without a gap in each year'),
    patientId: fields.id,
    payerId: fields.id.describe('Who pays: another member of the family, or the patient'),
    familyId: fields.id.nullable(),
    payerGroup: z.string().nullable(),
    currency: z.string().describe('ISO 4217'),
    pricesIncludeTax: z.boolean(),
    discountAmount: money.nullable(),
    discountBps: bps.nullable(),
    lineCount: z.int(),
    subtotal: money.describe('Prices times quantities'),
    discount: money.describe('All that reduces it'),
    net: money.describe('Without tax'),
    tax: money,
    total: money.describe('What is paid for all, in minor units of the currency'),
    coverageBps: bps.describe('What the insurer pays of each line that says nothing else, in basis points'),
    insured: money.describe('What of the total the insurer pays'),
    declined: money.describe('What of it the insurer has refused to pay, and the patient pays'),
    declineReason: z.string().nullable(),
    credited: money.describe('What of the total is cancelled by credit notes'),
    creditedInsured: money.describe('What of it the insurer would have paid'),
    lastCredit: z.int().nullable().describe('Number of its last credit note'),
    paid: money.describe('All payments that are not void, before refunds'),
    refunded: money,
    insurerPaid: money.describe('What the insurer has paid, after refunds'),
    lastPayment: z.int().nullable().describe('Number of its last payment, refund or void entry'),
    balance: money.describe('What is still to be paid, by patient and insurer. Of a draft and of a void invoice: 0'),
    insurerBalance: money.describe('What of the balance the insurer pays'),
    issuedAt: fields.instant.nullable(),
    voidedAt: fields.instant.nullable(),
    voidReason: z.string().nullable(),
  },
  states: {
    draft: ['issued', 'paid', 'void'],
    issued: [...BILLED, 'void'],
    partially_paid: BILLED,
    // Void only what was free.
    paid: [...BILLED, 'void'],
    partially_refunded: BILLED,
    refunded: BILLED,
    void: [],
  },
  sort: ['issuedAt'],
  filters: ['status', 'invoiceNo', 'payerId'],
  moreFilters: {
    patientId: {
      schema: fields.id.describe('Also invoices of those who were merged with the patient'),
      where: (rows, id) => void rows.whereIn('patient_id', samePersonIds(id as string)),
    },
    open: {
      schema: z.literal('true').describe('Only those of which something is still to be paid'),
      where: (rows) => void rows.whereIn('status', ['issued', 'partially_paid']),
    },
  },
  search: {
    also: (text, precision) =>
      build.from('invoices').select('id').whereIn('patient_id', patientsMatching(text, precision)),
  },
  auditReads: true,
  patient: 'patientId',
  live: true,
});
export type Invoice = z.output<typeof invoices.item>;

const newLine = z.strictObject({
  itemId: fields.id.optional().describe('An item of the price list. It gives what is left out'),
  chargeId: fields.id.optional().describe('An open charge of the patient. It gives everything but discounts'),
  itemGroup: itemGroup.optional().describe('Default: `other`'),
  description: fields.line(200).optional(),
  unitPrice: money.optional().describe('In minor units'),
  quantity: z.int().min(1).max(MOST_QUANTITY).default(1),
  taxBps: bps.optional().describe('Default: 0'),
  discount: discount.optional(),
  coverageBps: bps.optional().describe('What the insurer pays of it. Default: as the invoice says'),
});
export type NewLine = z.output<typeof newLine>;

export const newLines = z.array(newLine).max(MOST_LINES);

export const newInvoice = invoices.create
  .extend({
    patientId: fields.id,
    payerId: fields.id.optional().describe('Default: who pays for the family of the patient'),
    payerGroup: payerGroup.nullish(),
    coverageBps: bps.default(0).describe('What the insurer pays of each line that says nothing else, in basis points'),
    discount: discount.nullish().describe('Of the whole invoice. It is spread over the lines'),
    lines: newLines.default([]),
    currency: currency.optional().describe('ISO 4217. Default: that of the hospital, which is the only one'),
    openCharges: z.boolean().default(false).describe('Whether all open charges of the patient become lines, too'),
  })
  .meta({ id: 'NewInvoice' });

export const invoiceChanges = invoices.changes
  .extend({
    payerId: fields.id.optional(),
    payerGroup: payerGroup.nullish(),
    coverageBps: bps.optional().describe('Lines with a coverage of their own keep it'),
    discount: discount.nullish(),
    lines: newLines.optional().describe('In place of all lines'),
  })
  .meta({ id: 'InvoiceChanges' });

export const declining = z
  .object({
    amount: money
      .min(1, 'must be 1 or more')
      .optional()
      .describe('What the insurer does not pay. Default: all that it still owes'),
    reason: fields.line(200),
    version: fields.version,
  })
  .meta({ id: 'InsuranceDeclining' });

const shownLine = z.object({
  id: z.uuid(),
  seq: z.int(),
  itemId: z.uuid().nullable(),
  chargeId: z.uuid().nullable(),
  itemGroup,
  description: z.string(),
  unitPrice: z.int(),
  quantity: z.int(),
  taxBps: z.int(),
  discountAmount: z.int().nullable(),
  discountBps: z.int().nullable(),
  benefitBps: z
    .int()
    .describe('What a VIP membership gives, in basis points of what is left after the line’s discount'),
  membershipNo: z.string().nullable().describe('The membership that gives it. Null: none'),
  tierName: z.string().nullable().describe('As the tier of the membership was called'),
  gross: z.int().describe('Price times quantity'),
  lineDiscount: z.int(),
  benefit: z.int(),
  invoiceDiscount: z.int().describe('Its part of the discount of the invoice'),
  net: z.int(),
  tax: z.int(),
  total: z.int(),
  coverageBps: z.int().describe('What the insurer pays of it, in basis points'),
  insured: z.int().describe('What of the total the insurer pays'),
  credited: z.int().describe('What of the total is cancelled by credit notes'),
});
export type ShownLine = z.output<typeof shownLine>;

const taxSum = z.object({ bps: z.int(), base: z.int().describe('Sum of the nets'), tax: z.int() });

export const shownInvoice = itemWith(invoices, {
  patientCode: z.string(),
  patientName: z.string(),
  payerName: z.string(),
  lines: z.array(shownLine),
  taxes: z.array(taxSum).describe('By rate'),
}).meta({ id: 'ShownInvoice' });
export type ShownInvoice = z.output<typeof shownInvoice>;

export const INVOICE_NOT_FOUND: ErrorKind = invoices.notFound;
export const INVOICE_NOT_DRAFT: ErrorKind = {
  status: 409,
  code: 'INVOICE_NOT_DRAFT',
  message: 'The invoice is issued and does not change any more: void it, and write another one',
};
export const INVOICE_HAS_PAYMENTS: ErrorKind = {
  status: 409,
  code: 'INVOICE_HAS_PAYMENTS',
  message: 'Something of the invoice is paid or credited already, so it can not be void: request a refund',
};
export const INVOICE_EMPTY: ErrorKind = {
  status: 422,
  code: 'INVOICE_EMPTY',
  message: 'The invoice has no lines: add what is to be paid first',
};

export const INSURER_OWES_LESS: ErrorKind = {
  status: 409,
  code: 'INSURER_OWES_LESS',
  message: 'The insurer does not owe so much: details.most has what it still has to pay',
};

/** What the sums of an issued invoice say. Pure. */
export function billedStatus({
  total,
  credited,
  paid,
  refunded,
}: Pick<Invoice, 'total' | 'credited' | 'paid' | 'refunded'>): (typeof BILLED)[number] {
  if (paid - refunded < total - credited) return paid === refunded ? 'issued' : 'partially_paid';
  if (refunded === 0 || credited === 0) return 'paid';
  return credited === total ? 'refunded' : 'partially_refunded';
}

declareConstraints({ invoice_lines_charge: CHARGE_INVOICED });
