/** Shifts of cashiers: opened with a float, closed with a count, and approved by somebody else. */
import * as domain from '@hms/domain/shifts';
import { changesRoute, fields, type Route, route, single, stepsOf } from '@hms/service';
import { z } from 'zod';

const PATH = '/api/payment/reconciliation';
const TRANSFERS = '/api/payment/shift-transfers';
const { SAME_PERSON_APPROVAL, SHIFT_HAS_TRANSFERS, SHIFT_NOT_OPEN, SHIFT_OF_ANOTHER } = domain;

const step = (access: 'shifts.approve' | 'payments.write') =>
  stepsOf(domain.shifts, {
    ...{ path: PATH, access, response: domain.shownShift },
    show: (_, shift: domain.ShownShift) => shift,
  });
const transferStep = stepsOf(domain.transfers, {
  ...{ path: TRANSFERS, access: 'invoices.read', response: domain.shownTransfer },
  show: (_, transfer: domain.ShownTransfer) => transfer,
});

export const shiftRoutes: readonly Route[] = [
  changesRoute(PATH, domain.shifts, 'invoices.read'),
  route({
    method: 'GET',
    path: PATH,
    operationId: 'listShifts',
    summary: 'List shifts, the latest first',
    access: 'invoices.read',
    query: domain.shifts.query,
    response: z.array(domain.shownShift),
    paged: true,
    handler: (context) => domain.listShifts(context, context.query),
  }),
  route({
    method: 'POST',
    path: `${PATH}/open`,
    operationId: 'openShift',
    summary: 'Open a shift at a counter',
    description: 'Payments that its cashier takes from now on belong to it.',
    access: 'payments.write',
    body: domain.opening,
    response: domain.shownShift,
    status: 201,
    errors: [...domain.shifts.refusals],
    handler: async (context) => single(await domain.openShift(context, context.body)),
  }),
  route({
    method: 'GET',
    path: `${PATH}/current`,
    operationId: 'readCurrentShift',
    summary: 'Read the open shift of the caller, or null',
    access: 'payments.write',
    response: domain.shownShift.nullable(),
    handler: async (context) => ({ data: await domain.currentShift(context) }),
  }),
  route({
    method: 'GET',
    path: `${PATH}/:id`,
    operationId: 'readShift',
    summary: 'Read a shift',
    description: 'What should be in the drawer is in its counts. Before the first count, nobody sees it.',
    access: 'invoices.read',
    params: fields.idParams,
    response: domain.shownShift,
    errors: [domain.shifts.notFound],
    handler: async (context) => single(await domain.readShift(context, context.params.id)),
  }),
  step('payments.write')('close', {
    summary: 'Close a shift with what was counted',
    description:
      'A payment that begins before waits for nobody: the close waits for it. After a dispute, the same counts the shift again.',
    body: domain.closing,
    errors: [SHIFT_OF_ANOTHER, SHIFT_NOT_OPEN, SHIFT_HAS_TRANSFERS],
    run: (context, id, body) => domain.closeShift(context, id, { ...body, version: context.version }),
  }),
  step('shifts.approve')('approve', {
    summary: 'Approve a closed shift of somebody else',
    body: domain.approval,
    errors: [SAME_PERSON_APPROVAL],
    run: (context, id, body) => domain.approveShift(context, id, { ...body, version: context.version }),
  }),
  step('shifts.approve')('dispute', {
    summary: 'Ask the cashier to count a closed shift again',
    body: domain.dispute,
    errors: [SAME_PERSON_APPROVAL],
    run: (context, id, body) => domain.disputeShift(context, id, { ...body, version: context.version }),
  }),
  route({
    method: 'POST',
    path: `${PATH}/:id/transfers`,
    operationId: 'offerShiftTransfer',
    summary: 'Hand over cash to another open shift, or to the safe',
    description: 'It counts as soon as the other person has accepted it.',
    access: 'payments.write',
    params: fields.idParams,
    body: domain.transferring,
    response: domain.shownTransfer,
    status: 201,
    errors: [domain.shifts.notFound, SHIFT_OF_ANOTHER, SHIFT_NOT_OPEN],
    handler: async (context) => single(await domain.offerTransfer(context, context.params.id, context.body)),
  }),
  transferStep('accept', {
    summary: 'Accept cash that was handed over',
    description: 'The cashier of the other shift can do that. For the safe, somebody who approves shifts can.',
    errors: [SHIFT_OF_ANOTHER, SAME_PERSON_APPROVAL, SHIFT_NOT_OPEN, domain.shifts.notFound],
    run: (context, id) => domain.acceptTransfer(context, id, context.version),
  }),
  transferStep('decline', {
    summary: 'Decline cash that was handed over, or take it back',
    errors: [SHIFT_OF_ANOTHER, domain.shifts.notFound],
    run: (context, id) => domain.declineTransfer(context, id, context.version),
  }),
];
