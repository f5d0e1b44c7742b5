/**
 * Documents and photos of patients: the table `patient_documents`, and an object in S3 for each row.
 *
 * A row comes before its object and outlives it, so that no object is ever without a row. A document is created in the
 * state `uploading`, and a client uploads the object. It becomes `available` when the object was found to be what was
 * announced. Objects of deleted rows are erased after the transaction, by a task.
 */
import {
  type ErrorKind,
  invalidFields,
  Problem,
  type RecordQuery,
  records,
  type TaskContext,
  type TaskName,
  type Work,
} from '@hms/service';
import { FIRST_BYTES, type FileStorage, type SignedUrl, typeOf, type UploadRequest } from '@hms/storage';
import type { Knex } from 'knex';
import type { z } from 'zod';
import { noteIssued } from '../issued-files/issued-files.ts';
import { holdSurvivor, samePerson, survivorOf } from '../patients/merges.ts';
import { type Patient, patients } from '../patients/record.ts';
import { type Events, timelinePart } from '../timeline/part.ts';
import {
  type announcedDocument,
  DOCUMENT_NOT_FOUND,
  type Document,
  type documentChanges,
  documents,
  keyOf,
} from './record.ts';
import { announcedProblem, DOCUMENT_TYPE_NOT_ALLOWED } from './rules.ts';
import { withdrawable } from './withdraw.ts';

export { eraseReplaced, SETTLED_SECONDS, settleDocument } from './erase.ts';
export {
  announcedDocument,
  DOCUMENT_NOT_FOUND,
  type Document,
  documentChanges,
  documents,
  withdrawal,
} from './record.ts';
export { ALLOWED, DOCUMENT_KINDS, DOCUMENT_TOO_LARGE, DOCUMENT_TYPE_NOT_ALLOWED } from './rules.ts';
export { DOCUMENT_KEPT, withdrawDocument } from './withdraw.ts';

export const DOCUMENT_NOT_UPLOADED: ErrorKind = {
  status: 409,
  code: 'DOCUMENT_NOT_UPLOADED',
  message: 'The file has not been uploaded yet: send it to the URL of the upload first',
};
export const DOCUMENT_DIFFERS: ErrorKind = {
  status: 422,
  code: 'DOCUMENT_DIFFERS',
  message: 'What was uploaded is not what was announced: create the document again',
};
export const DOCUMENT_IS_NO_PHOTO: ErrorKind = {
  status: 422,
  code: 'DOCUMENT_IS_NO_PHOTO',
  message: 'The document is not a photo: create one of the kind photo',
};
export const DOCUMENT_KIND_FIXED: ErrorKind = {
  status: 422,
  code: 'DOCUMENT_KIND_FIXED',
  message: 'The kind of a photo or a summary does not change',
};

/** Seconds in which a client must start its upload. */
const UPLOAD_SECONDS = 900;
/** Seconds in which a client must start its download. A URL works for whoever has it, also after a suspension. */
const DOWNLOAD_SECONDS = 60;

export interface NewUpload {
  readonly document: Document;
  readonly upload: UploadRequest;
}

/** Creates a document, and allows its upload. */
export async function createDocument(
  work: Work,
  storage: FileStorage,
  patientId: string,
  announced: z.output<typeof announcedDocument>,
): Promise<NewUpload> {
  const problem = announcedProblem(announced);
  if (problem) throw problem;
  const patient = await holdSurvivor(work, patientId);
  const document = await records(work, documents).insert({ ...announced, patientId: patient.id });
  const { size, contentType, sha256 } = document;
  const options = { size, contentType, sha256, expiresIn: UPLOAD_SECONDS };
  return { document, upload: await storage.uploadUrl(work.hospital, keyOf(patient, document), options) };
}

/** One page of the documents that can be downloaded, and which of them the caller may withdraw. */
export async function listDocuments(work: Work, patientId: string, query: RecordQuery) {
  await survivorOf(work, patientId);
  const filters = { ...query.filters, patientIds: await samePerson(work, patientId), status: 'available' };
  const reply = await records(work, documents).list({ ...query, filters });
  const ids = await withdrawable(
    work,
    reply.data.map(({ id }) => id),
  );
  return { ...reply, data: reply.data.map((document) => ({ ...document, mayWithdraw: ids.has(document.id) })) };
}

/** When documents were added that can be downloaded or were withdrawn, and when they were withdrawn. */
export function documentEvents(patientIds: readonly string[]): readonly Events[] {
  const details = { fileName: 'file_name', title: 'title', documentKind: 'kind' };
  const own = { table: 'patient_documents', details } as const;
  const added = (rows: Knex.QueryBuilder) =>
    void rows.where('status', 'available').whereRaw('(deleted_at IS NULL OR withdraw_reason IS NOT NULL)');
  const withdrawn = (rows: Knex.QueryBuilder) => void rows.where('status', 'available').whereNotNull('withdraw_reason');
  const why = { ...details, reason: 'withdraw_reason' };
  return [
    timelinePart({ ...own, kind: 'document.added', at: 'created_at', where: added }, patientIds),
    timelinePart({ ...own, kind: 'document.withdrawn', at: 'deleted_at', details: why, where: withdrawn }, patientIds),
  ];
}

/** Allows a download. @throws Problem DOCUMENT_NOT_FOUND also for a document that is not available. */
export async function documentUrl(work: Work, storage: FileStorage, patientId: string, id: string): Promise<SignedUrl> {
  await survivorOf(work, patientId);
  const [ids, document] = await Promise.all([samePerson(work, patientId), records(work, documents).read(id)]);
  const owner = ownerOf(work, ids, document);
  const { status, fileName, contentType } = document;
  if (status !== 'available') throw new Problem(DOCUMENT_NOT_FOUND);
  const options = { fileName, contentType, disposition: 'inline', expiresIn: DOWNLOAD_SECONDS } as const;
  return storage.downloadUrl(work.hospital, keyOf(await owner, document), options);
}

/** A document with the patient to whom it was added, whose code is in its key. */
export interface Pending {
  readonly patient: Patient;
  readonly document: Document;
}

/** @param patientId the patient, or one of those merged with it. @throws Problem DOCUMENT_NOT_FOUND, PATIENT_NOT_FOUND. */
export async function findDocument(work: Work, patientId: string, id: string): Promise<Pending> {
  await survivorOf(work, patientId);
  const [ids, document] = await Promise.all([samePerson(work, patientId), records(work, documents).find(id)]);
  if (!document || document.deletedAt !== undefined) throw new Problem(DOCUMENT_NOT_FOUND);
  return { patient: await ownerOf(work, ids, document), document };
}

/** @throws Problem DOCUMENT_NOT_FOUND unless the document is of one of these patients. */
async function ownerOf(work: Work, patientIds: readonly string[], { patientId }: Document): Promise<Patient> {
  const owner = patientIds.includes(patientId) ? await records(work, patients).find(patientId) : undefined;
  if (!owner) throw new Problem(DOCUMENT_NOT_FOUND);
  return owner;
}

/**
 * Compares the uploaded object with what was announced. Outside of transactions, because it waits for S3.
 * @returns the problem of a wrong object, or undefined if all is well.
 * @throws Problem DOCUMENT_NOT_UPLOADED, StorageUnavailable.
 */
export async function uploadProblem(
  storage: FileStorage,
  hospital: Work['hospital'],
  { patient, document }: Pending,
): Promise<Problem | undefined> {
  const key = keyOf(patient, document);
  const [head, start] = await Promise.all([
    storage.head(hospital, key),
    storage.firstBytes(hospital, key, FIRST_BYTES),
  ]);
  if (!head || !start) throw new Problem(DOCUMENT_NOT_UPLOADED);
  const field = (['size', 'sha256', 'contentType'] as const).find((name) => head[name] !== document[name]);
  if (field) {
    const message = `${field} is ${head[field] ?? 'unknown'}, but ${document[field]} was announced`;
    return new Problem(DOCUMENT_DIFFERS, { message: `${message}: create the document again`, details: { field } });
  }
  const type = typeOf(start);
  if (type === document.contentType) return undefined;
  const message = `contentType is ${document.contentType}, but the file is ${type ?? 'of no known type'}: create the document again`;
  return new Problem(DOCUMENT_TYPE_NOT_ALLOWED, { message, details: { field: 'contentType' } });
}

/** Lists an uploaded document. A repetition changes nothing. */
export async function finishUpload(work: Work, id: string): Promise<Document> {
  const own = records(work, documents);
  const document = await own.lock(id);
  return document.status === 'available' ? document : own.moveTo(document, 'available');
}

/**
 * Changes the kind and the title of a document that is listed.
 * @throws Problem DOCUMENT_NOT_FOUND, DOCUMENT_KIND_FIXED, STALE_VERSION.
 */
export async function changeDocument(
  work: Work,
  patientId: string,
  id: string,
  { version, ...changes }: z.output<typeof documentChanges>,
): Promise<Document> {
  await findDocument(work, patientId, id);
  const own = records(work, documents);
  const before = await own.lock(id, version);
  if (before.status !== 'available') throw new Problem(DOCUMENT_NOT_FOUND);
  if (changes.kind !== undefined && (before.kind === 'photo' || before.kind === 'summary')) {
    const message = `of a ${before.kind} does not change: leave it out`;
    throw invalidFields([{ field: 'kind', in: 'body', message }], DOCUMENT_KIND_FIXED);
  }
  return own.update(before, changes);
}

/** Deletes a document. The caller adds the task that erases its object. */
export async function removeDocument(work: Work, id: string): Promise<Document> {
  const own = records(work, documents);
  return own.remove(await own.lock(id));
}

/** A document that can be the patient's photo. @throws Problem DOCUMENT_NOT_FOUND, DOCUMENT_IS_NO_PHOTO. */
export async function requirePhoto(work: Work, patientId: string, id: string): Promise<void> {
  const { kind, status, patientId: owner } = await records(work, documents).lock(id);
  if (owner !== patientId || status !== 'available') throw new Problem(DOCUMENT_NOT_FOUND);
  if (kind !== 'photo') throw new Problem(DOCUMENT_IS_NO_PHOTO);
}

/** A file that the platform rendered, before it is stored. */
export interface RenderedDocument {
  /** Chosen when the document was requested. */
  readonly id: string;
  readonly patient: Patient;
  readonly kind: Document['kind'];
  readonly fileName: string;
  readonly pdf: Uint8Array;
  readonly sha256: string;
  readonly missingCharacters: Document['missingCharacters'];
}

const PDF = 'application/pdf';
/** The attempts of a task end earlier. */
const LAST_ATTEMPT_MS = 3 * 24 * 3_600_000;

/**
 * Stores a rendered document, whose row comes before its object. The last of several attempts counts.
 * @param settle erases what is left of a document that is never listed, and of attempts that were replaced.
 * @returns false if the document was listed or deleted meanwhile.
 * @throws StorageUnavailable
 */
export async function storeRendered(
  { hospital, inTransaction }: TaskContext,
  storage: FileStorage,
  settle: TaskName<{ documentId: string; sha256?: string | undefined }>,
  { id, patient, kind, fileName, pdf, sha256, missingCharacters }: RenderedDocument,
): Promise<boolean> {
  const owner = await inTransaction(async (work) => {
    const own = records(work, documents);
    const values = { fileName, contentType: PDF, size: pdf.length, sha256, missingCharacters };
    const runAt = new Date(Date.now() + LAST_ATTEMPT_MS);
    const known = await own.find(id);
    if (known) {
      if (known.deletedAt !== undefined) return undefined;
      const replaced = await own.lock(id);
      // One that was issued stays as it is: people have its hash.
      if (replaced.status === 'available') return undefined;
      await own.update(replaced, values);
      if (replaced.sha256 !== sha256) work.addTask(settle, { documentId: id, sha256: replaced.sha256 }, { runAt });
      return records(work, patients).find(replaced.patientId);
    }
    // The patient may have been merged while the document was rendered.
    const survivor = await holdSurvivor(work, patient.id);
    await own.insert({ ...values, patientId: survivor.id, kind }, id);
    work.addTask(settle, { documentId: id }, { runAt });
    return survivor;
  });
  if (owner) await storage.put(hospital, keyOf(owner, { id, kind, sha256 }), pdf, { contentType: PDF });
  return owner !== undefined;
}

/**
 * Lists a rendered document that is stored, and lets anybody check that it is genuine.
 * @param stored the hash of what was stored.
 * @throws Error if another attempt has stored something else meanwhile: this one has to be repeated.
 */
export async function issueRendered(work: Work, id: string, stored: string): Promise<void> {
  const { sha256 } = await finishUpload(work, id);
  if (sha256 !== stored) throw new Error(`another attempt has replaced document ${id}`);
  await noteIssued(work, sha256);
}
