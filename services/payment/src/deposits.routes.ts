/** What people pay ahead, and void entries of payments. */
import * as domain from '@hms/domain/deposits';
import { PATIENT_NOT_FOUND } from '@hms/domain/patients';
import * as payments from '@hms/domain/payments';
import { CURRENCY_MISMATCH } from '@hms/domain/prices';
import { NO_OPEN_SHIFT } from '@hms/domain/shifts';
import { fields, type Route, route, single } from '@hms/service';
import { z } from 'zod';

const PATH = '/api/payment/deposits';

export const depositRoutes: readonly Route[] = [
  route({
    method: 'GET',
    path: PATH,
    operationId: 'listDeposits',
    summary: 'List deposits',
    access: 'invoices.read',
    query: domain.deposits.query,
    response: z.array(domain.shownDeposit),
    paged: true,
    handler: (context) => domain.listDeposits(context, context.query),
  }),
  route({
    method: 'POST',
    path: PATH,
    operationId: 'receiveDeposit',
    summary: 'Take money for invoices to come',
    description:
      'It has a receipt, as a payment. Invoices are paid from it with the method ADVANCE. What is left goes back by a refund.',
    access: 'payments.write',
    body: domain.newDeposit,
    keyDemandable: true,
    response: domain.receivedDeposit,
    status: 201,
    errors: [PATIENT_NOT_FOUND, CURRENCY_MISMATCH, NO_OPEN_SHIFT],
    handler: async (context) => single(await domain.receiveDeposit(context, context.body)),
  }),
  route({
    method: 'GET',
    path: `${PATH}/:id`,
    operationId: 'readDeposit',
    summary: 'Read a deposit',
    access: 'invoices.read',
    params: fields.idParams,
    response: domain.shownDeposit,
    errors: [domain.DEPOSIT_NOT_FOUND],
    handler: async (context) => single(await domain.readDeposit(context, context.params.id)),
  }),
  route({
    method: 'POST',
    path: '/api/payment/payments/:id/void',
    operationId: 'voidPayment',
    summary: 'Take back a payment that was a mistake',
    description:
      'Only in the open shift in which it was taken. Everything else goes back by a refund, which somebody else approves. The void entry has a receipt.',
    access: 'payments.write',
    params: fields.idParams,
    body: payments.voiding,
    response: payments.shownPayment,
    errors: [payments.PAYMENT_NOT_FOUND, payments.PAYMENT_NOT_VOIDABLE, payments.SHIFT_CLOSED],
    handler: async (context) => ({
      data: await payments.voidPayment(context, context.params.id, context.body.reason),
    }),
  }),
];
