/** The catalogue of the pharmacy: drugs and their interactions. */

import * as domain from '@hms/domain/drugs';
import { drugs, interactions } from '@hms/domain/drugs';
import { isPrescribed } from '@hms/domain/prescriptions';
import { hasBatches } from '@hms/domain/stock';
import { Problem, type Route, records, resource, route } from '@hms/service';

/** Bytes of a request with the longest file, whose characters may be escaped in JSON. */
const BODY_LIMIT = 4 * domain.LONGEST_INTERACTION_FILE;

const ABOUT_FILE = `
The file has at most ${domain.MOST_INTERACTION_ROWS.toLocaleString('en')} rows after a line with the names of its columns:
${domain.INTERACTION_COLUMNS.join(', ')}. All are required. Each row is imported or refused as a whole, and the answer
names what is wrong with it. A pair that exists stays as it is, so a file can be sent again. The answer names where the
file differs from it.`
  .replaceAll('\n', ' ')
  .trim();

const DRUGS = '/api/hms/drugs';
const INTERACTIONS = '/api/hms/drug-interactions';
const access = { read: 'drugs.read', write: 'drugs.write', remove: 'drugs.write' } as const;

export const drugRoutes: readonly Route[] = [
  ...resource(drugs, {
    path: DRUGS,
    access,
    create: { run: domain.createDrug },
    update: {
      run: (context, id, changes) => domain.changeDrug(context, id, { ...changes, version: context.version }),
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
    steps: {
      activate: { to: 'active', summary: 'Let a drug be prescribed and received again' },
      deactivate: {
        to: 'inactive',
        summary: 'Keep a drug from being prescribed and received. What is in stock can be dispensed',
      },
    },
  }),
  // Before the routes of one interaction, whose id would be the last part of this path.
  route({
    method: 'POST',
    path: `${INTERACTIONS}/import`,
    operationId: 'importDrugInteractions',
    summary: 'Import interactions from a CSV file',
    description: ABOUT_FILE,
    access: 'drugs.write',
    body: domain.interactionFile,
    bodyLimit: BODY_LIMIT,
    response: domain.interactionOutcome,
    errors: [domain.IMPORT_FILE_INVALID],
    handler: async (context) => ({ data: await domain.importInteractions(context, context.body) }),
  }),
  ...resource(interactions, {
    path: INTERACTIONS,
    access,
    create: {
      description: 'It applies to every drug with these ingredients, in whatever order they are written.',
    },
  }),
];
