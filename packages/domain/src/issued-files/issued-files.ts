/**
 * PDF files that are rendered once and never change, such as the reports of the laboratory: the tables `issued_files`
 * and `issued_file_drafts`.
 *
 * Attempts at one file may differ, as the patient's name may change between them. Each stores an object of its own, with
 * its hash in the key, after a row that says so. The first one to add a row to `issued_files` is issued. That row never
 * changes. The objects of the others are erased.
 */
import { fields, type Task, type TaskContext, type TaskName, task, type Work } from '@hms/service';
import type { FileStorage, SignedUrl } from '@hms/storage';
import { z } from 'zod';

/** Seconds in which a client must start its download. A URL works for whoever has it. */
const DOWNLOAD_SECONDS = 60;
/** The attempts of a task end earlier. */
const LAST_ATTEMPT_MS = 3 * 24 * 3_600_000;
const PDF = 'application/pdf';

const fileId = z.object({
  record: z.enum(['invoices', 'lab_orders', 'prescriptions']).describe('Table of the record that the file is about'),
  recordId: z.uuid(),
  revision: z.int(),
});
/** What a file is about. Each revision of a record has one file at most. */
export type FileId = z.output<typeof fileId>;

/** Where a file is, without its hash and its ending: `lab-reports/LAB-000001-1`. */
export interface FilePlace extends FileId {
  readonly place: string;
}

/** Of a document that the platform has rendered. */
export const missingCharacters = z
  .array(z.string())
  .describe('Characters that no font has, at most 50. The document shows these codes instead, such as U+1F600');

export const issuedFile = z
  .object({
    revision: z.int(),
    sha256: fields.sha256,
    size: z.int().describe('In bytes'),
    missingCharacters,
    issuedAt: fields.timestamp,
  })
  .meta({ id: 'IssuedFile' });
export type IssuedFile = z.output<typeof issuedFile>;

export const issuedFileUrl = issuedFile.extend({ url: z.url(), expiresAt: fields.timestamp });

/** What one attempt has stored. */
export type Stored = Pick<IssuedFile, 'sha256' | 'size' | 'missingCharacters'>;

/** The issued files of each record, the oldest first. */
export async function issuedFilesOf(
  { trx }: Work,
  record: FileId['record'],
  ids: readonly string[],
): Promise<ReadonlyMap<string, readonly IssuedFile[]>> {
  const rows = await trx.query<IssuedRow>(ISSUED, [record, ids]);
  const shown = ({ record_id: _, missing_characters, issued_at, ...rest }: IssuedRow) => ({
    ...rest,
    missingCharacters: missing_characters,
    issuedAt: issued_at.toISOString(),
  });
  return new Map([...Map.groupBy(rows, ({ record_id }) => record_id)].map(([id, some]) => [id, some.map(shown)]));
}

/** Allows the download of an issued file. @param place as it was stored. */
export async function issuedUrl(
  { hospital }: Work,
  storage: FileStorage,
  place: string,
  file: IssuedFile,
): Promise<IssuedFile & SignedUrl> {
  const options = {
    fileName: `${place.split('/').at(-1)}.pdf`,
    contentType: PDF,
    disposition: 'inline',
    expiresIn: DOWNLOAD_SECONDS,
  } as const;
  return { ...file, ...(await storage.downloadUrl(hospital, keyOf(place, file.sha256), options)) };
}

/** Stores what one attempt has rendered. @throws StorageUnavailable. */
export async function storeDraft(
  { hospital, inTransaction }: TaskContext,
  storage: FileStorage,
  { place, ...id }: FilePlace,
  { pdf, ...flaws }: Omit<Stored, 'size'> & { readonly pdf: Uint8Array },
): Promise<Stored> {
  const { record, recordId, revision } = id;
  const { sha256 } = flaws;
  const key = keyOf(place, sha256);
  await inTransaction(async (work) => {
    await work.trx.query(ADD_DRAFT, [record, recordId, revision, sha256, key]);
    const runAt = new Date(Date.now() + LAST_ATTEMPT_MS);
    work.addTask(fileSettle, { record, recordId, revision }, { key: `${recordId}-${revision}`, runAt });
  });
  await storage.put(hospital, key, pdf, { contentType: PDF });
  return { ...flaws, size: pdf.length };
}

/** Issues a stored file of a locked record. @returns when, or undefined if another attempt was faster. */
export async function issueFile(
  work: Work,
  { record, recordId, revision }: FileId,
  { sha256, size, missingCharacters }: Stored,
  patientId: string,
): Promise<string | undefined> {
  const values = [record, recordId, revision, sha256, size, JSON.stringify(missingCharacters)];
  const [issued] = await work.trx.query<{ issued_at: Date }>(ISSUE, values);
  if (!issued) return undefined;
  await noteIssued(work, sha256);
  const after = { record, revision, sha256 };
  work.audit({ action: 'create', record: 'issued_files', recordId, patientId, after });
  return issued.issued_at.toISOString();
}

/** Notes that the hospital has issued a file with this content, as anybody can check who has the file. */
export async function noteIssued({ trx }: Work, sha256: string): Promise<void> {
  await trx.query('SELECT platform.issue_document($1)', [sha256]);
}

const fileSettle: TaskName<FileId> = { name: 'issued-file-settle', input: fileId, attempts: 16 };

/** Erases what attempts at a file have stored, and was not issued. Can be repeated. */
export function fileSettleTask(storage: FileStorage): Task<FileId> {
  return task({
    ...fileSettle,
    prepare: async ({ hospital, inTransaction }, { record, recordId, revision }) => {
      const values = [record, recordId, revision];
      const drafts = await inTransaction((work) => work.trx.query<{ key: string }>(UNISSUED, values));
      for (const { key } of drafts) await storage.delete(hospital, key);
    },
    run: async ({ trx }, { record, recordId, revision }) => {
      await trx.query(FORGET, [record, recordId, revision]);
    },
  });
}

function keyOf(place: string, sha256: string): string {
  return `${place}-${sha256}.pdf`;
}

interface IssuedRow extends Omit<IssuedFile, 'issuedAt' | 'missingCharacters'> {
  readonly record_id: string;
  readonly missing_characters: string[];
  readonly issued_at: Date;
}

const ISSUED = `
  SELECT record_id, revision, sha256, size, missing_characters, issued_at FROM issued_files
  WHERE record = $1 AND record_id = ANY($2) ORDER BY record_id, revision`;

const ADD_DRAFT = `
  INSERT INTO issued_file_drafts (record, record_id, revision, sha256, key) VALUES ($1, $2, $3, $4, $5)
  ON CONFLICT DO NOTHING`;

const ISSUE = `
  INSERT INTO issued_files (record, record_id, revision, sha256, size, missing_characters)
  VALUES ($1, $2, $3, $4, $5, $6)
  ON CONFLICT DO NOTHING RETURNING issued_at`;

const UNISSUED = `
  SELECT key FROM issued_file_drafts draft WHERE record = $1 AND record_id = $2 AND revision = $3
    AND NOT EXISTS (
      SELECT FROM issued_files WHERE record = $1 AND record_id = $2 AND revision = $3 AND sha256 = draft.sha256
    )`;

const FORGET = 'DELETE FROM issued_file_drafts WHERE record = $1 AND record_id = $2 AND revision = $3';
