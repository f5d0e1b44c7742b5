/** The record of a document, and the key of its object. */
import { type ErrorKind, fields, record } from '@hms/service';
import { z } from 'zod';
import { missingCharacters } from '../issued-files/issued-files.ts';
import type { Patient } from '../patients/record.ts';
import { DOCUMENT_KINDS, PAPER_KINDS, UPLOADED_KINDS } from './rules.ts';

const withdrawReason = fields.line(200, 3);

export const documents = record('patient_documents', {
  name: 'document',
  fields: {
    title: fields.line(200).nullish().describe('What it is, in the words of who added it'),
    fileName: fields.line(255).describe('What the file is called when it is saved'),
    contentType: fields.line(100),
    size: z.int().min(1).max(2_147_483_647).describe('In bytes'),
    sha256: fields.sha256,
  },
  set: {
    patientId: fields.id,
    kind: z.enum(DOCUMENT_KINDS),
    missingCharacters,
    withdrawReason: withdrawReason.nullable().describe('Only of a document that somebody has withdrawn'),
  },
  states: { uploading: ['available'], available: [] },
  filters: ['kind', 'status'],
  moreFilters: {
    patientIds: {
      schema: z.array(fields.id),
      where: (rows, value) => void rows.whereIn('patient_id', value as readonly string[]),
    },
  },
  auditReads: true,
  patient: 'patientId',
  live: true,
});
export type Document = z.output<typeof documents.item>;

/** What a client announces before it uploads a file. */
export const announcedDocument = documents.create
  .extend({ kind: z.enum(UPLOADED_KINDS).default('document') })
  .meta({ id: 'NewDocument' });

/** What can be changed later. The file stays as it is. */
export const documentChanges = documents.changes
  .pick({ title: true, version: true })
  .extend({ kind: z.enum(PAPER_KINDS).optional() })
  .meta({ id: 'DocumentChanges' });

export const withdrawal = z
  .object({ reason: withdrawReason.describe('It is in the history of the patient'), version: fields.version })
  .meta({ id: 'DocumentWithdrawal' });

export const DOCUMENT_NOT_FOUND: ErrorKind = documents.notFound;

/**
 * No text of a client is in it. Two attempts may render the same summary at once, and differently. Each therefore stores
 * an object of its own, with the hash in its key, and the row says which one counts.
 */
export function keyOf(
  { patientCode }: Pick<Patient, 'patientCode'>,
  { id, kind, sha256 }: Pick<Document, 'id' | 'kind' | 'sha256'>,
): string {
  return `patients/${patientCode}/${kind === 'summary' ? `${id}-${sha256}` : id}`;
}
