/** Invoices and their payments. */
import { CHARGE_CHANGED, CHARGE_INVOICED, charges } from '@hms/domain/charges';
import { NO_DEPOSIT } from '@hms/domain/deposits';
import * as domain from '@hms/domain/invoices';
import { invoices } from '@hms/domain/invoices';
import { PATIENT_NOT_FOUND } from '@hms/domain/patients';
import * as payments from '@hms/domain/payments';
import { CURRENCY_MISMATCH, NO_PRICE, priceItems } from '@hms/domain/prices';
import { NO_OPEN_SHIFT } from '@hms/domain/shifts';
import { fields, type Route, resource, route, STALE_VERSION, single, stepsOf } from '@hms/service';
import { z } from 'zod';

const PATH = '/api/payment/invoices';
const { INSURER_OWES_LESS, INVOICE_EMPTY, INVOICE_HAS_PAYMENTS, INVOICE_NOT_DRAFT, INVOICE_NOT_FOUND } = domain;
const lineErrors = [priceItems.notFound, NO_PRICE, charges.notFound, CHARGE_INVOICED];

const step = stepsOf(invoices, {
  ...{ path: PATH, access: 'invoices.write', response: domain.shownInvoice },
  show: domain.showInvoice,
});

export const invoiceRoutes: readonly Route[] = [
  ...resource(invoices, {
    path: PATH,
    access: { read: 'invoices.read', write: 'invoices.write' },
    list: { response: domain.shownInvoice, run: domain.listInvoices },
    create: {
      summary: 'Write a draft of an invoice',
      description: 'Lines come from the price list, from open charges of the patient, or are typed.',
      body: domain.newInvoice,
      response: domain.shownInvoice,
      errors: [PATIENT_NOT_FOUND, CURRENCY_MISMATCH, ...lineErrors],
      run: async (context, body) => domain.showInvoice(context, await domain.draftInvoice(context, body)),
    },
    read: { response: domain.shownInvoice, run: domain.readInvoice },
    update: {
      summary: 'Change a draft of an invoice',
      body: domain.invoiceChanges,
      response: domain.shownInvoice,
      errors: [INVOICE_NOT_DRAFT, PATIENT_NOT_FOUND, ...lineErrors],
      run: async (context, id, changes) =>
        domain.showInvoice(context, await domain.changeInvoice(context, id, changes, context.version)),
    },
  }),
  step('lines', {
    summary: 'Add lines to a draft',
    body: z.object({ lines: domain.newLines.min(1), version: fields.version }),
    errors: [INVOICE_NOT_DRAFT, ...lineErrors],
    run: (context, id, { lines }) => domain.addLines(context, id, lines, context.version),
  }),
  step('charges', {
    summary: 'Add all open charges of the patient to a draft',
    description: 'Those that are on another invoice already are left out.',
    errors: [INVOICE_NOT_DRAFT, CHARGE_INVOICED],
    run: (context, id) => domain.addOpenCharges(context, id, context.version),
  }),
  step('issue', {
    summary: 'Issue an invoice, which then stays as it is',
    description: 'It gets its number. Numbers of a year have no gap. An invoice of 0 is paid at once.',
    errors: [INVOICE_NOT_DRAFT, INVOICE_EMPTY, CHARGE_CHANGED, CURRENCY_MISMATCH],
    run: (context, id) => domain.issueInvoice(context, id, context.version),
  }),
  step('void', {
    summary: 'Make an invoice void of which nothing is paid',
    description: 'Its number stays taken. Its charges are open again.',
    body: z.object({ reason: fields.line(200), version: fields.version }),
    errors: [INVOICE_HAS_PAYMENTS],
    run: (context, id, { reason }) => domain.voidInvoice(context, id, reason, context.version),
  }),
  step('decline-insurance', {
    summary: 'Note that the insurer does not pay its part, or some of it',
    description: 'The patient pays that then. The line on the invoice stays.',
    body: domain.declining,
    errors: [INSURER_OWES_LESS],
    run: (context, id, body) => domain.declineInsurance(context, id, { ...body, version: context.version }),
  }),
  route({
    method: 'POST',
    path: `${PATH}/:id/pay`,
    operationId: 'payInvoice',
    summary: 'Take a payment for an invoice',
    description:
      'Without a body, the whole balance of the patient in cash. With the method INSURANCE, the insurer pays its part. Cash that settles an invoice is rounded to the coins that there are, by the setting cashRounding. Send an Idempotency-Key, so that a repetition does not pay twice.',
    access: 'payments.write',
    params: fields.idParams,
    body: payments.paying.optional(),
    keyDemandable: true,
    response: payments.paid,
    errors: [
      ...[INVOICE_NOT_FOUND, payments.INVOICE_NOT_PAYABLE, payments.OVERPAYMENT, CURRENCY_MISMATCH, STALE_VERSION],
      ...[NO_OPEN_SHIFT, NO_DEPOSIT],
    ],
    handler: async (context) =>
      single(
        await payments.pay(context, context.params.id, context.body ?? payments.paying.parse({}), context.version),
      ),
  }),
  route({
    method: 'GET',
    path: `${PATH}/:id/payments`,
    operationId: 'listInvoicePayments',
    summary: 'List the payments of an invoice, with refunds and void entries',
    access: 'invoices.read',
    params: fields.idParams,
    response: z.array(payments.shownPayment),
    errors: [INVOICE_NOT_FOUND],
    handler: async (context) => {
      const { id } = await domain.readInvoice(context, context.params.id);
      return { data: [...(await payments.paymentsOf(context, id))] };
    },
  }),
];
