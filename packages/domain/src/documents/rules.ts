/** What may be uploaded. Pure. */
import { type ErrorKind, invalidFields, type Problem } from '@hms/service';

/** The kinds of files that people upload. */
export const UPLOADED_KINDS = ['document', 'photo'] as const;
/** All kinds. The platform renders a summary itself. */
export const DOCUMENT_KINDS = [...UPLOADED_KINDS, 'summary'] as const;
type UploadedKind = (typeof UPLOADED_KINDS)[number];

const MB = 1_000_000;

interface Rule {
  /** In bytes. */
  readonly largest: number;
  readonly types: readonly string[];
}

const IMAGES = ['image/jpeg', 'image/png', 'image/webp'];
const RULES: Readonly<Record<UploadedKind, Rule>> = {
  document: { largest: 20 * MB, types: ['application/pdf', ...IMAGES] },
  photo: { largest: 5 * MB, types: IMAGES },
};

/** A sentence for the description of the API. */
export const ALLOWED = UPLOADED_KINDS.map(
  (kind) => `A ${kind} has at most ${RULES[kind].largest / MB} MB, and is of type ${RULES[kind].types.join(', ')}.`,
).join(' ');

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
  const { largest, types } = RULES[kind];
  const wrong = (field: string, message: string, error: ErrorKind) =>
    invalidFields([{ field, in: 'body', message }], error);
  if (!types.includes(contentType)) {
    return wrong('contentType', `must be one of ${types.join(', ')} for a ${kind}`, DOCUMENT_TYPE_NOT_ALLOWED);
  }
  if (size > largest) {
    return wrong('size', `must be at most ${largest.toLocaleString('en')} bytes for a ${kind}`, DOCUMENT_TOO_LARGE);
  }
  return undefined;
}

/** As many as `typeOf` needs. */
export const FIRST_BYTES = 12;

/** How files of each type begin. Programs that are lenient about it would let a file be of two types. */
const BEGINNINGS: readonly (readonly [type: string, matches: (start: string) => boolean])[] = [
  ['application/pdf', (start) => start.startsWith('%PDF-')],
  ['image/jpeg', (start) => start.startsWith('\xff\xd8\xff')],
  ['image/png', (start) => start.startsWith('\x89PNG\r\n\x1a\n')],
  ['image/webp', (start) => start.startsWith('RIFF') && start.slice(8, 12) === 'WEBP'],
];

/** The type of a file by its first bytes, or undefined if it is none of the allowed types. */
export function typeOf(firstBytes: Uint8Array): string | undefined {
  const start = Buffer.from(firstBytes).toString('latin1');
  return BEGINNINGS.find(([, matches]) => matches(start))?.[0];
}
