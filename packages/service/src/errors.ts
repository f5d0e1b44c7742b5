/**
 * Errors that a client sees. An `ErrorKind` is declared once, as a constant, and has three uses:
 * it is thrown (as a `Problem`), constraints of PostgreSQL are mapped to it, and the OpenAPI document lists it.
 */
import type { Permission } from '@hms/tenancy';

export interface ErrorKind {
  /** HTTP status. */
  readonly status: number;
  /** Part of the interface: clients decide by it, so it never changes. */
  readonly code: string;
  /** For people: what is wrong and what to do. */
  readonly message: string;
  /** Seconds for the header Retry-After. */
  readonly retryAfter?: number;
  /** The field of the body that is refused: `details.fields` names it, with the message. */
  readonly field?: string;
}

export interface ProblemOptions {
  readonly message?: string;
  readonly details?: Readonly<Record<string, unknown>>;
  /** The cause. Logged, never sent. */
  readonly cause?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** An error with a response for the client. Any other thrown value is a 500. */
export class Problem extends Error {
  readonly kind: ErrorKind;
  readonly details: Readonly<Record<string, unknown>> | undefined;
  readonly headers: Readonly<Record<string, string>>;

  constructor(kind: ErrorKind, options: ProblemOptions = {}) {
    super(options.message ?? kind.message, { cause: options.cause });
    this.name = 'Problem';
    this.kind = kind;
    this.details =
      kind.field === undefined ? options.details : { ...fieldsOf(kind.field, this.message), ...options.details };
    this.headers = {
      ...(kind.retryAfter === undefined ? {} : { 'Retry-After': String(kind.retryAfter) }),
      ...options.headers,
    };
  }
}

/** An invalid field of the request. */
export interface FieldProblem {
  /** Path of the field, e.g. `firstName` or `items.0.quantity`. */
  readonly field: string;
  readonly in: 'body' | 'query' | 'path' | 'header';
  /** Continues the field's name to a sentence, e.g. "is required". That of a kind of error is a sentence of its own. */
  readonly message: string;
  /** What is wrong, for pages in other languages. Only of the usual rules. */
  readonly code?: FieldCode;
  /** The number in the message, such as how many characters there may be. */
  readonly limit?: number;
}

export type FieldCode =
  | ('required' | 'empty' | 'too_long' | 'too_short' | 'too_many' | 'too_few' | 'too_high' | 'too_low')
  | ('wrong_kind' | 'not_offered' | 'no_email' | 'no_date' | 'no_time' | 'no_id' | 'unknown');

function fieldsOf(field: string, message: string): { readonly fields: readonly FieldProblem[] } {
  return { fields: [{ field, in: 'body', message }] };
}

/** The 400 that names each field and what is wrong with it. */
export function invalidFields(fields: readonly FieldProblem[], kind: ErrorKind = VALIDATION_FAILED): Problem {
  const sentence = fields.map(({ field, message }) => `${field} ${message}`).join('; ');
  return new Problem(kind, { message: sentence || kind.message, details: { fields } });
}

/** Makes all checks of a request. @throws Problem that names the fields of each check that fails, with the kind of the first. */
export function checkAll<First, Second>(first: () => First, second: () => Second): readonly [First, Second] {
  const problems: Problem[] = [];
  const attempt = <T>(check: () => T): T | undefined => {
    try {
      return check();
    } catch (error) {
      if (!(error instanceof Problem) || error.details?.fields === undefined) throw error;
      problems.push(error);
      return undefined;
    }
  };
  const results = [attempt(first), attempt(second)] as const;
  const [problem] = problems;
  if (problem)
    throw invalidFields(
      problems.flatMap(({ details }) => details?.fields as FieldProblem[]),
      problem.kind,
    );
  return results as readonly [First, Second];
}

/** The 403 that names the missing permission. @param roles that have it in the caller's hospital, if known. */
export function missingPermission(permission: Permission, roles?: readonly string[]): Problem {
  const owners =
    roles === undefined || roles.length === 0 ? '' : `, which ${listed(roles)} ${roles.length === 1 ? 'has' : 'have'}`;
  return new Problem(FORBIDDEN, {
    message: `This needs the permission ${permission}${owners}`,
    details: { requiredPermission: permission, ...(roles ? { requiredRoles: roles } : {}) },
  });
}

function listed(roles: readonly string[]): string {
  const noun = roles.length === 1 ? 'the role' : 'the roles';
  return `${noun} ${new Intl.ListFormat('en', { type: 'conjunction' }).format(roles)}`;
}

export const VALIDATION_FAILED: ErrorKind = {
  status: 400,
  code: 'VALIDATION_FAILED',
  message: 'The request has fields that are not valid',
};
export const INVALID_ID: ErrorKind = {
  status: 400,
  code: 'INVALID_ID',
  message: 'A value in the path is not valid: an id is a UUID',
};
export const INVALID_SORT: ErrorKind = {
  status: 400,
  code: 'INVALID_SORT',
  message: 'The list can not be sorted by that field',
};
export const RANGE_TOO_WIDE: ErrorKind = {
  status: 422,
  code: 'RANGE_TOO_WIDE',
  message: 'The period must end after it begins, and have at most 366 days: choose a shorter one',
};
export const MALFORMED_REQUEST: ErrorKind = {
  status: 400,
  code: 'MALFORMED_REQUEST',
  message: 'The request could not be read',
};
export const MALFORMED_JSON: ErrorKind = {
  status: 400,
  code: 'MALFORMED_JSON',
  message: 'The body is not valid JSON: send a JSON object',
};
export const UNAUTHENTICATED: ErrorKind = {
  status: 401,
  code: 'UNAUTHENTICATED',
  message: 'A valid access token is needed: log in and send it as "Authorization: Bearer …"',
};
export const FORBIDDEN: ErrorKind = {
  status: 403,
  code: 'FORBIDDEN',
  message: 'Your roles do not allow this',
};
export const IMPERSONATION_READ_ONLY: ErrorKind = {
  status: 403,
  code: 'IMPERSONATION_READ_ONLY',
  message: 'You act as somebody else and may only read: nothing was changed',
};
export const IMPERSONATION_FORBIDDEN: ErrorKind = {
  status: 403,
  code: 'IMPERSONATION_FORBIDDEN',
  message: 'Nobody may do this while acting as somebody else: the person has to do it',
};
export const HOSPITAL_SUSPENDED: ErrorKind = {
  status: 403,
  code: 'HOSPITAL_SUSPENDED',
  message: 'This hospital is suspended: ask the platform administration',
};
export const NOT_FOUND: ErrorKind = {
  status: 404,
  code: 'NOT_FOUND',
  message: 'There is nothing at this path',
};
export const METHOD_NOT_ALLOWED: ErrorKind = {
  status: 405,
  code: 'METHOD_NOT_ALLOWED',
  message: 'This path does not have that method',
};
export const STALE_VERSION: ErrorKind = {
  status: 409,
  code: 'STALE_VERSION',
  message: 'Somebody else changed this record meanwhile: read it again and repeat your change',
};
export const INVALID_STATE: ErrorKind = {
  status: 409,
  code: 'INVALID_STATE',
  message: 'The record is in a state that does not allow this: details.allowed has the states that may follow',
};
export const PAYLOAD_TOO_LARGE: ErrorKind = {
  status: 413,
  code: 'PAYLOAD_TOO_LARGE',
  message: 'The body is too large',
};
export const UNSUPPORTED_MEDIA_TYPE: ErrorKind = {
  status: 415,
  code: 'UNSUPPORTED_MEDIA_TYPE',
  message: 'The body must be JSON in UTF-8: send it with Content-Type application/json',
};
export const INTERNAL_ERROR: ErrorKind = { status: 500, code: 'INTERNAL_ERROR', message: 'Internal server error' };
export const DATABASE_UNAVAILABLE: ErrorKind = {
  status: 503,
  code: 'DATABASE_UNAVAILABLE',
  message: 'The database can not be reached at the moment: retry shortly',
  retryAfter: 5,
};
export const DATABASE_BUSY: ErrorKind = {
  status: 503,
  code: 'DATABASE_BUSY',
  message: 'The database was too busy for this request, and nothing was changed: retry',
  retryAfter: 1,
};
export const IDENTITY_UNAVAILABLE: ErrorKind = {
  status: 503,
  code: 'IDENTITY_UNAVAILABLE',
  message: 'The identity provider can not be reached at the moment: retry shortly',
  retryAfter: 5,
};
export const HOSPITAL_NOT_READY: ErrorKind = {
  status: 503,
  code: 'HOSPITAL_NOT_READY',
  message: 'This hospital is being set up: retry shortly',
  retryAfter: 5,
};

/** Of each route that needs the S3 server. */
export const STORAGE_UNAVAILABLE: ErrorKind = {
  status: 503,
  code: 'STORAGE_UNAVAILABLE',
  message: 'The file storage can not be reached at the moment: retry shortly',
  retryAfter: 5,
};

/** Errors of every route, for the OpenAPI document. */
export const EVERY_ERROR: readonly ErrorKind[] = [INTERNAL_ERROR, DATABASE_UNAVAILABLE, DATABASE_BUSY];
/** Errors of every route that needs a token. */
export const TOKEN_ERRORS: readonly ErrorKind[] = [
  UNAUTHENTICATED,
  FORBIDDEN,
  HOSPITAL_SUSPENDED,
  HOSPITAL_NOT_READY,
  IDENTITY_UNAVAILABLE,
];
/** Errors of every route with a body. */
export const BODY_ERRORS: readonly ErrorKind[] = [
  MALFORMED_REQUEST,
  MALFORMED_JSON,
  PAYLOAD_TOO_LARGE,
  UNSUPPORTED_MEDIA_TYPE,
];
