/** What the API server says, as errors of the interface. */
import { KubernetesError, type RefusedField } from '@hms/kubernetes';
import { type ErrorKind, type FieldProblem, invalidFields, Problem, STALE_VERSION } from '@hms/service';

export const CLUSTER_UNAVAILABLE: ErrorKind = {
  status: 503,
  code: 'CLUSTER_UNAVAILABLE',
  message: 'The Kubernetes API server can not be reached at the moment, and nothing was changed: retry shortly',
  retryAfter: 5,
};
export const CLUSTER_REFUSED: ErrorKind = {
  status: 503,
  code: 'CLUSTER_REFUSED',
  message: 'The Kubernetes API server does not allow this to the console',
};
export const PLATFORM_UNKNOWN: ErrorKind = {
  status: 503,
  code: 'PLATFORM_UNKNOWN',
  message: 'No operator has reported about the platform yet: retry when one works',
  retryAfter: 5,
};
export const HOSPITAL_NOT_FOUND: ErrorKind = {
  status: 404,
  code: 'HOSPITAL_NOT_FOUND',
  message: 'There is no hospital with this prefix or id',
};
export const PREFIX_TAKEN: ErrorKind = {
  status: 409,
  code: 'PREFIX_TAKEN',
  message: 'Another hospital has this prefix: choose another one',
  field: 'prefix',
};

/** Codes of a connection that was never made. */
const NOT_CONNECTED = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
]);

/** @param error of a request to the API server. */
export function clusterProblem(error: unknown): Problem {
  if (error instanceof Problem) return error;
  if (error instanceof KubernetesError) return refusal(error);
  const { code } = ((error as Error).cause ?? {}) as { readonly code?: string };
  if (error instanceof TypeError && (code === undefined || NOT_CONNECTED.has(code)))
    return new Problem(CLUSTER_UNAVAILABLE, { cause: error });
  return new Problem(CLUSTER_UNAVAILABLE, {
    message: 'The Kubernetes API server did not answer. The change may have been made: read the hospital again',
    cause: error,
  });
}

function refusal(error: KubernetesError): Problem {
  const { status, reason, message, fields } = error;
  if (status === 404) return new Problem(HOSPITAL_NOT_FOUND, { cause: error });
  if (reason === 'AlreadyExists') return new Problem(PREFIX_TAKEN, { cause: error });
  if (status === 409) return new Problem(STALE_VERSION, { cause: error });
  if (status === 422 || status === 400) return invalidFields(fieldsOf(fields, message));
  if (status === 403) return new Problem(CLUSTER_REFUSED, { message: `The API server refuses this: ${message}` });
  if (status === 401)
    return new Problem(CLUSTER_REFUSED, {
      message: "The API server refuses the console's account: its token has expired or was revoked",
    });
  return new Problem(CLUSTER_UNAVAILABLE, { cause: error });
}

/** One sentence for each refused field, as clients know the fields. */
function fieldsOf(refused: readonly RefusedField[], message: string): readonly FieldProblem[] {
  if (refused.length === 0) return [{ field: 'body', in: 'body', message: `is refused: ${message}` }];
  const problems = new Map<string, string>();
  for (const { field, message: text } of refused) {
    const name = fieldName(field);
    // Rules about the whole object follow from those about a field.
    if (name !== '' && !problems.has(name)) problems.set(name, `is refused: ${sentenceOf(text)}`);
  }
  return [...problems].map(([field, sentence]) => ({ field, in: 'body', message: sentence }));
}

/** `spec.displayName` is the name of a hospital, `metadata.name` its prefix. */
function fieldName(path: string): string {
  if (path === 'metadata.name' || path === '<nil>' || path === '') return 'prefix';
  const name = path.replace(/^spec\.?/, '').replaceAll(/\[(\w+)\]/g, '.$1');
  return name === 'displayName' ? 'name' : name;
}

/** Without the refused value, which Kubernetes writes first. */
function sentenceOf(text: string): string {
  return text.replace(/^[A-Z][a-z]+ value: (?:"(?:[^"\\]|\\.)*"|\{[^}]*\}|[^:]*): /, '');
}
