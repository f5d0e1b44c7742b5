/** The catalogue of the pharmacy: drugs and their interactions. */

import * as domain from '@hms/domain/drugs';
import { drugs, interactions } from '@hms/domain/drugs';
import { isPrescribed } from '@hms/domain/prescriptions';
import { hasBatches } from '@hms/domain/stock';
import { Problem, type RequestContext, type Route, records, resource, stepsOf } from '@hms/service';

const DRUGS = '/api/hms/drugs';
const access = { read: 'drugs.read', write: 'drugs.write', remove: 'drugs.write' } as const;

const step = stepsOf(drugs, {
  ...{ path: DRUGS, access: access.write, response: drugs.item },
  show: (_, drug: domain.Drug) => drug,
});

export const drugRoutes: readonly Route[] = [
  ...resource(drugs, {
    path: DRUGS,
    access,
    create: { errors: [domain.DRUG_CODE_TAKEN], run: (context, body) => records(context, drugs).insert(body) },
    update: {
      errors: [domain.DRUG_CODE_TAKEN],
      run: async (context, id, changes) => {
        const own = records(context, drugs);
        return own.update(await own.lock(id, context.version), changes);
      },
    },
    remove: {
      summary: 'Delete a drug that was never in stock and never prescribed',
      errors: [domain.DRUG_IN_USE],
      run: async (context, id) => {
        const own = records(context, drugs);
        const drug = await own.lock(id, context.version);
        if ((await hasBatches(context, id)) || (await isPrescribed(context, id))) throw new Problem(domain.DRUG_IN_USE);
        return own.remove(drug);
      },
    },
  }),
  step('activate', {
    summary: 'Let a drug be prescribed and received again',
    run: (context, id) => moveDrug(context, id, 'active'),
  }),
  step('deactivate', {
    summary: 'Keep a drug from being prescribed and received. What is in stock can be dispensed',
    run: (context, id) => moveDrug(context, id, 'inactive'),
  }),
  ...resource(interactions, {
    path: '/api/hms/drug-interactions',
    access,
    create: {
      description: 'It applies to every drug with these ingredients, in whatever order they are written.',
      errors: [domain.INTERACTION_EXISTS, domain.SUBSTANCES_ARE_SAME],
      run: (context, body) => records(context, interactions).insert(body),
    },
    update: {
      errors: [domain.INTERACTION_EXISTS, domain.SUBSTANCES_ARE_SAME],
      run: async (context, id, changes) => {
        const own = records(context, interactions);
        return own.update(await own.lock(id, context.version), changes);
      },
    },
  }),
];

async function moveDrug(context: RequestContext, id: string, to: 'active' | 'inactive'): Promise<domain.Drug> {
  const own = records(context, drugs);
  return own.moveTo(await own.lock(id, context.version), to);
}
