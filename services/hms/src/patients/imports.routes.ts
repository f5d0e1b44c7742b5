/** Imports of patients from CSV files. */
import * as domain from '@hms/domain/imports';
import { COLUMN_FIELDS, FINDING_KINDS, imports, MOST_ROWS, REQUIRED_COLUMNS } from '@hms/domain/imports';
import {
  fields,
  INVALID_STATE,
  pageParameters,
  type Route,
  records,
  route,
  STALE_VERSION,
  single,
  type Task,
  task,
} from '@hms/service';
import { z } from 'zod';

const PATH = '/api/hms/patient-imports';

const ABOUT = `
Nobody is registered yet: the import says how many rows are wrong, and its findings name each row and column. A file has
at most ${MOST_ROWS.toLocaleString('en')} rows after the one with the names of its columns. It needs
${REQUIRED_COLUMNS.join(', ')} and may have ${COLUMN_FIELDS.filter((name) => !REQUIRED_COLUMNS.includes(name as never)).join(', ')}.
Allergies are written like \`Penicillin: severe; Nuts: mild\`, and alerts with semicolons between them. What a spreadsheet
has damaged is repaired with a finding, or the row is wrong. A person with the same name, day of birth and phone number as
a patient is left out.`
  .replaceAll('\n', ' ')
  .trim();

/** Imports one batch of rows, and adds itself for the next one. */
export const importTask: Task<{ importId: string }> = task({
  name: 'import-patients',
  input: z.object({ importId: fields.id }),
  run: (work, { importId }) => domain.importBatch(work, importId, importTask),
});

/** Deletes imports that are older than imports are kept. */
export const importRemoval = task({
  ...domain.importRemoval,
  run: (work, { importId }) => domain.removeOldImport(work, importId),
}) as Task;

export const importRoutes: readonly Route[] = [
  route({
    method: 'GET',
    path: PATH,
    operationId: 'listPatientImports',
    summary: 'List imports of patients',
    access: 'patients.import',
    query: imports.query,
    response: z.array(imports.item),
    paged: true,
    handler: (context) => records(context, imports).list(context.query),
  }),
  route({
    method: 'POST',
    path: `${PATH}/preview`,
    operationId: 'previewPatientImport',
    summary: 'Show how a CSV file with patients would be read',
    description: 'Nothing is stored. What is in `undecided` has to be sent with the import.',
    access: 'patients.import',
    body: domain.newImport,
    response: domain.importPreview,
    errors: [domain.IMPORT_FILE_INVALID],
    handler: async (context) => ({ data: await domain.previewImport(context, context.body) }),
  }),
  route({
    method: 'POST',
    path: PATH,
    operationId: 'createPatientImport',
    summary: 'Check a CSV file with patients',
    description: ABOUT,
    access: 'patients.import',
    body: domain.newImport,
    response: imports.item,
    status: 201,
    errors: [domain.IMPORT_FILE_INVALID],
    handler: async (context) => single(await domain.createImport(context, context.body)),
  }),
  route({
    method: 'GET',
    path: `${PATH}/:id`,
    operationId: 'readPatientImport',
    summary: 'Read how far an import is',
    access: 'patients.import',
    params: fields.idParams,
    response: imports.item,
    errors: [imports.notFound],
    handler: async (context) => single(await records(context, imports).read(context.params.id)),
  }),
  route({
    method: 'GET',
    path: `${PATH}/:id/findings`,
    operationId: 'listPatientImportFindings',
    summary: 'List what is wrong with the rows of an import, who is registered already, and what was repaired',
    access: 'patients.import',
    params: fields.idParams,
    query: z.object({ ...pageParameters(), kind: z.enum(FINDING_KINDS).optional() }),
    response: z.array(domain.importFinding),
    paged: true,
    errors: [imports.notFound],
    handler: (context) => domain.importFindings(context, context.params.id, context.query),
  }),
  route({
    method: 'POST',
    path: `${PATH}/:id/start`,
    operationId: 'startPatientImport',
    summary: 'Register the patients of an import in the background, without the wrong rows',
    description: 'An import that runs, but makes no progress because its background tasks have failed, goes on.',
    access: 'patients.import',
    params: fields.idParams,
    body: z.object({ version: fields.version }).optional(),
    response: imports.item,
    errors: [imports.notFound, INVALID_STATE, STALE_VERSION],
    handler: async (context) =>
      single(await domain.startImport(context, context.params.id, importTask, context.version)),
  }),
  route({
    method: 'DELETE',
    path: `${PATH}/:id`,
    operationId: 'deletePatientImport',
    summary: 'Delete an import with its rows',
    description: 'An import that runs ends. Patients who were imported stay.',
    access: 'patients.import',
    params: fields.idParams,
    query: z.object({ version: fields.versionParameter }),
    response: imports.item,
    errors: [imports.notFound, STALE_VERSION],
    handler: async (context) => single(await domain.removeImport(context, context.params.id, context.version)),
  }),
];
