/** Who may withdraw a document, and for how long. */
import { type ErrorKind, Problem, records, type Work } from '@hms/service';
import type { z } from 'zod';
import { patients } from '../patients/record.ts';
import { type Document, documents, type withdrawal } from './record.ts';

/** Seconds in which who added a document may withdraw it. */
const WITHDRAWAL_SECONDS = 3600;

export const DOCUMENT_KEPT: ErrorKind = {
  status: 403,
  code: 'DOCUMENT_KEPT',
  message:
    'Only who added a document may withdraw it, for an hour. Ask somebody who has the permission documents.delete, such as an administrator',
};

/**
 * Deletes a document for a reason, which its audit event and the timeline of the patient keep. If it is the photo, the
 * patient has none afterwards. The caller adds the task that erases its object.
 * @param patientId the patient to whom it was added. @throws Problem DOCUMENT_NOT_FOUND, DOCUMENT_KEPT, STALE_VERSION.
 */
export async function withdrawDocument(
  work: Work,
  patientId: string,
  id: string,
  { reason, version }: z.output<typeof withdrawal>,
): Promise<Document> {
  const [own, holders] = [records(work, documents), records(work, patients)];
  // In this order, as where a photo is set.
  const holder = await holders.lock(patientId);
  const document = await own.lock(id, version);
  if (!(await withdrawable(work, [id])).has(id)) throw new Problem(DOCUMENT_KEPT);
  if (holder.photoId === id) await holders.update(holder, { photoId: null });
  return own.remove(document, { withdrawReason: reason });
}

/** Those of the documents that the caller may withdraw now. */
export async function withdrawable({ trx, caller }: Work, ids: readonly string[]): Promise<ReadonlySet<string>> {
  if (ids.length === 0 || !caller.permissions.has('documents.write')) return new Set();
  if (caller.permissions.has('documents.delete')) return new Set(ids);
  const own = await trx.query<{ id: string }>(OWN, [ids, caller.sub, WITHDRAWAL_SECONDS]);
  return new Set(own.map(({ id }) => id));
}

const OWN = `
  SELECT id FROM patient_documents
  WHERE id = ANY ($1) AND created_by = $2 AND created_at > moment() - make_interval(secs => $3)`;
