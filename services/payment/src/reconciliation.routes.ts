/** Whether charges, lines, invoices, payments and receipts agree. */
import { checkInvariants, invariants } from '@hms/domain/payments';
import { type Route, route } from '@hms/service';

export const reconciliationRoutes: readonly Route[] = [
  route({
    method: 'GET',
    path: '/api/payment/reconciliation/invariants',
    operationId: 'checkInvariants',
    summary: 'Check that charges, invoices, payments and receipts agree',
    description: 'Each rule is computed anew from the rows, and names what breaks it.',
    access: 'reconciliation.read',
    response: invariants,
    handler: async (context) => ({ data: await checkInvariants(context) }),
  }),
];
