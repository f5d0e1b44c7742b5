/** What documents are called, and of which kinds they are. */
import { NewDocument } from '@hms/api-client/limits/NewDocument';
import type { Document, DocumentKind } from './patients.queries.ts';

/** Those among which people choose. A photo is chosen at the name of the patient. */
export const PAPER_KINDS = NewDocument.kind.choices.filter((kind) => kind !== 'photo');
export const ALL_KINDS: readonly DocumentKind[] = [...NewDocument.kind.choices, 'summary'];

/** What people call a document. */
export function nameOf({ title, fileName }: Pick<Document, 'title' | 'fileName'>): string {
  return title ?? fileName;
}
