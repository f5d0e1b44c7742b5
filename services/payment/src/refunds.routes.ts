/** Refunds and credit notes: one person requests, another one approves, and a cashier pays out. */
import { DEPOSIT_NOT_FOUND } from '@hms/domain/deposits';
import { INVOICE_NOT_FOUND } from '@hms/domain/invoices';
import * as domain from '@hms/domain/refunds';
import { NO_OPEN_SHIFT, SAME_PERSON_APPROVAL } from '@hms/domain/shifts';
import { changesRoute, fields, type Route, route, STALE_VERSION, single, stepsOf } from '@hms/service';
import { z } from 'zod';

const PATH = '/api/payment/refunds';
const { CREDIT_EXCEEDS_LINE, INVOICE_NOT_REFUNDABLE, REFUND_EXCEEDS_PAID, REFUND_NOT_FOUND, REFUND_TOO_SMALL } = domain;
const refusals = [INVOICE_NOT_REFUNDABLE, CREDIT_EXCEEDS_LINE, REFUND_EXCEEDS_PAID, REFUND_TOO_SMALL];

const step = (access: 'refunds.approve' | 'payments.write') =>
  stepsOf(domain.refunds, {
    ...{ path: PATH, access, response: domain.shownRefund },
    show: (_, refund: domain.ShownRefund) => refund,
  });

export const refundRoutes: readonly Route[] = [
  route({
    method: 'POST',
    path: '/api/payment/invoices/:id/refunds',
    operationId: 'requestRefund',
    summary: 'Request that something of an invoice is cancelled, that money goes back, or both',
    description:
      'With lines, a credit note cancels them, and what is paid too much goes back. Without lines, the money goes back and the invoice is to be paid again. Nothing changes until somebody else approves it.',
    access: 'refunds.request',
    params: fields.idParams,
    body: domain.refunding,
    keyDemandable: true,
    response: domain.shownRefund,
    status: 201,
    errors: [INVOICE_NOT_FOUND, STALE_VERSION, ...refusals],
    handler: async (context) =>
      single(await domain.requestRefund(context, context.params.id, { ...context.body, version: context.version })),
  }),
  route({
    method: 'POST',
    path: '/api/payment/deposits/:id/refunds',
    operationId: 'requestDepositReturn',
    summary: 'Request that a deposit goes back',
    access: 'refunds.request',
    params: fields.idParams,
    body: domain.returning,
    keyDemandable: true,
    response: domain.shownRefund,
    status: 201,
    errors: [DEPOSIT_NOT_FOUND, STALE_VERSION, REFUND_EXCEEDS_PAID],
    handler: async (context) =>
      single(await domain.requestReturn(context, context.params.id, { ...context.body, version: context.version })),
  }),
  changesRoute(PATH, domain.refunds, 'invoices.read'),
  route({
    method: 'GET',
    path: PATH,
    operationId: 'listRefunds',
    summary: 'List refunds',
    access: 'invoices.read',
    query: domain.refunds.query,
    response: z.array(domain.shownRefund),
    paged: true,
    handler: (context) => domain.listRefunds(context, context.query),
  }),
  route({
    method: 'GET',
    path: `${PATH}/:id`,
    operationId: 'readRefund',
    summary: 'Read a refund',
    access: 'invoices.read',
    params: fields.idParams,
    response: domain.shownRefund,
    errors: [REFUND_NOT_FOUND],
    handler: async (context) => single(await domain.readRefund(context, context.params.id)),
  }),
  step('refunds.approve')('approve', {
    summary: 'Approve a refund that somebody else has requested',
    description: 'If nothing has to be paid out, the credit note is issued at once.',
    errors: [SAME_PERSON_APPROVAL, ...refusals],
    run: (context, id) => domain.approveRefund(context, id, context.version),
  }),
  step('refunds.approve')('reject', {
    summary: 'Reject a refund that is not paid out',
    body: domain.rejection,
    run: (context, id, body) => domain.rejectRefund(context, id, { ...body, version: context.version }),
  }),
  step('payments.write')('pay-out', {
    summary: 'Pay out an approved refund',
    description: 'The money leaves the shift of the caller. The credit note is issued in the same moment.',
    body: domain.payingOut,
    errors: [NO_OPEN_SHIFT, ...refusals],
    run: (context, id, body) => domain.payOutRefund(context, id, { ...body, version: context.version }),
  }),
  route({
    method: 'GET',
    path: '/api/payment/credit-notes',
    operationId: 'listCreditNotes',
    summary: 'List credit notes, the latest first',
    description: '`from` and `to` are about when they were issued.',
    access: 'invoices.read',
    query: domain.creditQuery,
    response: z.array(domain.creditNote),
    paged: true,
    handler: (context) => domain.listCreditNotes(context, context.query),
  }),
  route({
    method: 'GET',
    path: '/api/payment/credit-notes/:id',
    operationId: 'readCreditNote',
    summary: 'Read a credit note',
    access: 'invoices.read',
    params: fields.idParams,
    response: domain.creditNote,
    errors: [domain.CREDIT_NOTE_NOT_FOUND],
    handler: async (context) => ({ data: await domain.readCreditNote(context, context.params.id) }),
  }),
];
