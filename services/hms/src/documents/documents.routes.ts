import {
  ALLOWED,
  announcedDocument,
  changeDocument,
  createDocument,
  DOCUMENT_DIFFERS,
  DOCUMENT_IS_NO_PHOTO,
  DOCUMENT_KEPT,
  DOCUMENT_KIND_FIXED,
  DOCUMENT_KINDS,
  DOCUMENT_NOT_FOUND,
  DOCUMENT_NOT_UPLOADED,
  DOCUMENT_TOO_LARGE,
  DOCUMENT_TYPE_NOT_ALLOWED,
  documentChanges,
  documents,
  documentUrl,
  eraseReplaced,
  findDocument,
  finishUpload,
  listDocuments,
  removeDocument,
  requirePhoto,
  SETTLED_SECONDS,
  settleDocument,
  uploadProblem,
  withdrawal,
  withdrawDocument,
} from '@hms/domain/documents';
import { lockActive, PATIENT_MERGED, PATIENT_NOT_FOUND, patients } from '@hms/domain/patients';
import {
  fields,
  itemWith,
  listQuery,
  type Platform,
  type Route,
  records,
  route,
  STALE_VERSION,
  STORAGE_UNAVAILABLE,
  single,
  type Task,
  task,
  type Work,
} from '@hms/service';
import { z } from 'zod';

const PATH = '/api/hms/patients/:id/documents';
const documentParams = z.object({ id: fields.id, docId: fields.id });

const signedUrl = { url: z.url(), expiresAt: fields.timestamp };
const newUpload = itemWith(documents, {
  upload: z
    .object({
      ...signedUrl,
      method: z.literal('PUT'),
      headers: z.record(z.string(), z.string()).describe('To be sent unchanged'),
    })
    .describe('The request that uploads the file. It can be sent until it expires'),
}).meta({ id: 'NewDocumentUpload' });
const listed = itemWith(documents, {
  mayWithdraw: z.boolean().describe('Whether the caller may withdraw it now'),
}).meta({ id: 'ListedDocument' });
const query = listQuery({
  sort: ['createdAt', 'updatedAt'],
  defaultSort: '-createdAt',
  filters: { kind: z.enum(DOCUMENT_KINDS) },
});
const photo = z.object({
  documentId: fields.id.nullable().describe('A document of the kind photo, or null to remove the photo'),
  version: fields.version,
});

/**
 * Erases the object of a deleted document, and deletes an upload that was never completed. With a hash, it erases only
 * the object of an attempt that was replaced.
 */
export function settleTask({ storage }: Platform): Task<{ documentId: string; sha256?: string | undefined }> {
  return task({
    name: 'settle-document',
    input: z.object({ documentId: fields.id, sha256: fields.sha256.optional() }),
    prepare: (context, { documentId, sha256 }) =>
      sha256 === undefined
        ? settleDocument(storage, context, documentId)
        : eraseReplaced(storage, context, documentId, sha256),
    run: async () => undefined,
  });
}

export function documentRoutes({ storage }: Platform, settle: ReturnType<typeof settleTask>): readonly Route[] {
  const remove = async (work: Work, documentId: string) => {
    work.addTask(settle, { documentId });
    await removeDocument(work, documentId);
  };

  return [
    route({
      method: 'GET',
      path: PATH,
      operationId: 'listPatientDocuments',
      summary: 'List the documents of a patient',
      access: 'documents.read',
      params: fields.idParams,
      query,
      response: z.array(listed),
      paged: true,
      errors: [PATIENT_NOT_FOUND],
      handler: (context) => listDocuments(context, context.params.id, context.query),
    }),
    route({
      method: 'POST',
      path: PATH,
      operationId: 'createPatientDocument',
      summary: 'Create a document of a patient, and get a URL to upload the file',
      description: `Send the file to the URL, with exactly the announced size, type and content, then complete the upload. A document that is not completed is deleted after an hour. ${ALLOWED}`,
      access: 'documents.write',
      params: fields.idParams,
      body: announcedDocument,
      response: newUpload,
      status: 201,
      errors: [PATIENT_NOT_FOUND, DOCUMENT_TOO_LARGE, DOCUMENT_TYPE_NOT_ALLOWED],
      handler: async (context) => {
        const { document, upload } = await createDocument(context, storage, context.params.id, context.body);
        const runAt = new Date(Date.parse(document.createdAt) + (SETTLED_SECONDS + 60) * 1000);
        context.addTask(settle, { documentId: document.id }, { runAt });
        return single({ ...document, upload: { ...upload, expiresAt: upload.expiresAt.toISOString() } });
      },
    }),
    route({
      method: 'POST',
      path: `${PATH}/:docId/complete`,
      operationId: 'completePatientDocument',
      summary: 'Complete an upload: the file is checked, and listed from then on',
      description: 'A file that is not what was announced is deleted with its document. A repetition changes nothing.',
      access: 'documents.write',
      params: documentParams,
      database: 'none',
      response: documents.item,
      errors: [
        ...[PATIENT_NOT_FOUND, DOCUMENT_NOT_FOUND, DOCUMENT_NOT_UPLOADED],
        ...[DOCUMENT_DIFFERS, DOCUMENT_TYPE_NOT_ALLOWED, STORAGE_UNAVAILABLE],
      ],
      handler: async (context) => {
        const { id, docId } = context.params;
        const pending = await context.inTransaction((work) => findDocument(work, id, docId));
        if (pending.document.status === 'available') return single(pending.document);
        const problem = await uploadProblem(storage, context.hospital, pending);
        if (problem) {
          await context.inTransaction((work) => remove(work, docId));
          throw problem;
        }
        return single(await context.inTransaction((work) => finishUpload(work, docId)));
      },
    }),
    route({
      method: 'GET',
      path: `${PATH}/:docId/url`,
      operationId: 'readPatientDocumentUrl',
      summary: 'Get a URL to download a document',
      description: 'Whoever has the URL can download the document until it expires.',
      access: 'documents.read',
      params: documentParams,
      response: z.object(signedUrl),
      errors: [PATIENT_NOT_FOUND, DOCUMENT_NOT_FOUND],
      handler: async (context) => {
        const { id, docId } = context.params;
        const { url, expiresAt } = await documentUrl(context, storage, id, docId);
        return { data: { url, expiresAt: expiresAt.toISOString() }, headers: { 'Cache-Control': 'no-store' } };
      },
    }),
    route({
      method: 'PUT',
      path: `${PATH}/:docId`,
      operationId: 'changePatientDocument',
      summary: 'Change the kind or the title of a document',
      description: 'A photo stays a photo, and a summary stays a summary. The file never changes.',
      access: 'documents.write',
      params: documentParams,
      body: documentChanges,
      response: documents.item,
      errors: [PATIENT_NOT_FOUND, DOCUMENT_NOT_FOUND, DOCUMENT_KIND_FIXED, STALE_VERSION],
      handler: async (context) => {
        const { id, docId } = context.params;
        return single(await changeDocument(context, id, docId, { ...context.body, version: context.version }));
      },
    }),
    route({
      method: 'POST',
      path: `${PATH}/:docId/withdraw`,
      operationId: 'withdrawPatientDocument',
      summary: 'Withdraw a document: it is deleted with its file, for a reason',
      description:
        'Who added the document may withdraw it for an hour. Later, and for the documents of others, this also needs `documents.delete`. If it is the photo, the patient has none afterwards.',
      access: 'documents.write',
      params: documentParams,
      body: withdrawal,
      response: documents.item,
      errors: [PATIENT_NOT_FOUND, DOCUMENT_NOT_FOUND, DOCUMENT_KEPT, STALE_VERSION],
      handler: async (context) => {
        const { id, docId } = context.params;
        context.addTask(settle, { documentId: docId });
        const { patient } = await findDocument(context, id, docId);
        const body = { ...context.body, version: context.version };
        return single(await withdrawDocument(context, patient.id, docId, body));
      },
    }),
    route({
      method: 'PUT',
      path: '/api/hms/patients/:id/photo',
      operationId: 'changePatientPhoto',
      summary: 'Set or remove the photo of a patient',
      description: 'The photo is a document. The previous photo is deleted with its file.',
      access: 'documents.write',
      params: fields.idParams,
      body: photo,
      response: patients.item,
      errors: [PATIENT_NOT_FOUND, PATIENT_MERGED, DOCUMENT_NOT_FOUND, DOCUMENT_IS_NO_PHOTO, STALE_VERSION],
      handler: async (context) => {
        const { documentId } = context.body;
        const own = records(context, patients);
        const before = await lockActive(context, context.params.id, context.version);
        if (before.photoId === documentId) return single(await own.read(before.id));
        if (documentId !== null) await requirePhoto(context, before.id, documentId);
        const after = await own.update(before, { photoId: documentId });
        if (before.photoId !== null) await remove(context, before.photoId);
        return single(after);
      },
    }),
  ];
}
