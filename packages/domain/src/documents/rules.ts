/** What may be uploaded. Pure. */
import { type ErrorKind, invalidFields, type Problem } from '@hms/service';
import { IMAGE_TYPES } from '@hms/storage';

/** The kinds among which people sort what they upload. `document` is any other one. */
export const PAPER_KINDS = [
  'referral',
  'letter',
  'consent',
  'external_lab_report',
  'imaging',
  'insurance',
  'identification',
  'external_prescription',
  'document',
] as const;
/** The kinds of files that people upload. */
export const UPLOADED_KINDS = [...PAPER_KINDS, 'photo'] as const;
/** All kinds. The platform renders a summary itself. */
export const DOCUMENT_KINDS = [...UPLOADED_KINDS, 'summary'] as const;
type UploadedKind = (typeof UPLOADED_KINDS)[number];

const MB = 1_000_000;

interface Rule {
  /** In bytes. */
  readonly largest: number;
  readonly types: readonly string[];
}

const PHOTO: Rule = { largest: 5 * MB, types: IMAGE_TYPES };
const PAPER: Rule = { largest: 20 * MB, types: ['application/pdf', ...IMAGE_TYPES] };

/** Sentences for the description of the API. */
export const ALLOWED = `A photo ${limitsOf(PHOTO)}. Any other document ${limitsOf(PAPER)}.`;

export const DOCUMENT_TOO_LARGE: ErrorKind = {
  status: 413,
  code: 'DOCUMENT_TOO_LARGE',
  message: 'The file is larger than its kind may be',
};
export const DOCUMENT_TYPE_NOT_ALLOWED: ErrorKind = {
  status: 415,
  code: 'DOCUMENT_TYPE_NOT_ALLOWED',
  message: 'The file is of a type that its kind may not be, or is not of the type that was announced',
};

interface Announced {
  readonly kind: UploadedKind;
  readonly contentType: string;
  readonly size: number;
}

/** The problem of an announced file, or undefined if it may be uploaded. */
export function announcedProblem({ kind, contentType, size }: Announced): Problem | undefined {
  const { largest, types } = kind === 'photo' ? PHOTO : PAPER;
  const wrong = (field: string, message: string, error: ErrorKind) =>
    invalidFields([{ field, in: 'body', message }], error);
  if (!types.includes(contentType)) {
    return wrong('contentType', `must be one of ${types.join(', ')} for the kind ${kind}`, DOCUMENT_TYPE_NOT_ALLOWED);
  }
  if (size > largest) {
    return wrong(
      'size',
      `must be at most ${largest.toLocaleString('en')} bytes for the kind ${kind}`,
      DOCUMENT_TOO_LARGE,
    );
  }
  return undefined;
}

function limitsOf({ largest, types }: Rule): string {
  return `has at most ${largest / MB} MB, and is of type ${types.join(', ')}`;
}
