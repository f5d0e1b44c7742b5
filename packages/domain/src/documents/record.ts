/** The record of a document, and the key of its object. */
import { type ErrorKind, fields, record } from '@hms/service';
import { z } from 'zod';
import type { Patient } from '../patients/record.ts';
import { DOCUMENT_KINDS, UPLOADED_KINDS } from './rules.ts';

export const documents = record('patient_documents', {
  name: 'document',
  fields: {
    fileName: fields.line(255).describe('What the file is called when it is saved'),
    contentType: fields.line(100),
    size: z.int().min(1).max(2_147_483_647).describe('In bytes'),
    sha256: fields.sha256,
  },
  set: { patientId: fields.id, kind: z.enum(DOCUMENT_KINDS) },
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
export const announcedDocument = documents.create.extend({ kind: z.enum(UPLOADED_KINDS).default('document') });

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
