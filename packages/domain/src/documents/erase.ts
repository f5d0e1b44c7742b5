/** Erases objects that nobody can download any more. Everything here can be repeated, also by two processes at once. */
import { records, type TaskContext } from '@hms/service';
import type { FileStorage } from '@hms/storage';
import { patients } from '../patients/record.ts';
import { documents, keyOf } from './record.ts';

/** Seconds after which no upload of a document is under way. The URL of an upload expires earlier. */
export const SETTLED_SECONDS = 3600;

/**
 * Deletes a document whose upload was never completed, and erases the object of a deleted document. A client may still
 * upload a recent document, so this runs once after the deletion, and again after SETTLED_SECONDS.
 * @throws StorageUnavailable
 */
export async function settleDocument(
  storage: FileStorage,
  { hospital, inTransaction }: Pick<TaskContext, 'hospital' | 'inTransaction'>,
  id: string,
): Promise<void> {
  const key = await inTransaction(async (work) => {
    const own = records(work, documents);
    const [abandoned] = await work.trx.query<{ id: string }>(ABANDONED, [id, SETTLED_SECONDS]);
    const found = await own.find(id);
    if (!found) return undefined;
    if (abandoned) await own.remove(found);
    if (!abandoned && found.deletedAt === undefined) return undefined;
    const patient = await records(work, patients).find(found.patientId);
    return patient && keyOf(patient, found);
  });
  if (key !== undefined) await storage.delete(hospital, key);
}

/**
 * Erases an object that one attempt has rendered and another one has replaced.
 * @param sha256 of the object. It is kept if the document has it again.
 * @throws StorageUnavailable
 */
export async function eraseReplaced(
  storage: FileStorage,
  { hospital, inTransaction }: Pick<TaskContext, 'hospital' | 'inTransaction'>,
  id: string,
  sha256: string,
): Promise<void> {
  const key = await inTransaction(async (work) => {
    const found = await records(work, documents).find(id);
    if (!found || found.sha256 === sha256) return undefined;
    const patient = await records(work, patients).find(found.patientId);
    return patient && keyOf(patient, { ...found, sha256 });
  });
  if (key !== undefined) await storage.delete(hospital, key);
}

const ABANDONED = `
  SELECT id FROM patient_documents
  WHERE id = $1 AND status = 'uploading' AND deleted_at IS NULL AND created_at < now() - make_interval(secs => $2)
  FOR UPDATE`;
