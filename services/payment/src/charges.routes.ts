/** What patients have to pay for. Other modules add it. */
import { charges, listCharges, readCharge, shownCharge } from '@hms/domain/charges';
import { fields, type Route, route, single } from '@hms/service';
import { z } from 'zod';

const PATH = '/api/payment/charges';

export const chargeRoutes: readonly Route[] = [
  route({
    method: 'GET',
    path: PATH,
    operationId: 'listCharges',
    summary: 'List charges',
    access: 'invoices.read',
    query: charges.query,
    response: z.array(shownCharge),
    paged: true,
    handler: (context) => listCharges(context, context.query),
  }),
  route({
    method: 'GET',
    path: `${PATH}/:id`,
    operationId: 'readCharge',
    summary: 'Read a charge',
    access: 'invoices.read',
    params: fields.idParams,
    response: shownCharge,
    errors: [charges.notFound],
    handler: async (context) => single(await readCharge(context, context.params.id)),
  }),
];
