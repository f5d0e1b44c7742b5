/** The catalogue of the pharmacy: drugs and their interactions. */

import * as domain from '@hms/domain/drugs';
import { drugs, interactions } from '@hms/domain/drugs';
import { isPrescribed } from '@hms/domain/prescriptions';
import { hasBatches } from '@hms/domain/stock';
import { Problem, type Route, records, resource } from '@hms/service';

const DRUGS = '/api/hms/drugs';
const access = { read: 'drugs.read', write: 'drugs.write', remove: 'drugs.write' } as const;

export const drugRoutes: readonly Route[] = [
  ...resource(drugs, {
    path: DRUGS,
    access,
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
    steps: {
      activate: { to: 'active', summary: 'Let a drug be prescribed and received again' },
      deactivate: {
        to: 'inactive',
        summary: 'Keep a drug from being prescribed and received. What is in stock can be dispensed',
      },
    },
  }),
  ...resource(interactions, {
    path: '/api/hms/drug-interactions',
    access,
    create: {
      description: 'It applies to every drug with these ingredients, in whatever order they are written.',
    },
  }),
];
