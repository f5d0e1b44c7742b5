/** What the API server says, as errors of the interface. */
import { isOfContent, type Refusal, refusalsIn } from '@hms/hospitals/refusals';
import { KubernetesError } from '@hms/kubernetes';
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
export const PREFIX_RESERVED: ErrorKind = {
  status: 422,
  code: 'PREFIX_RESERVED',
  message: 'This prefix is reserved for the platform: choose another one',
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
    message: 'The Kubernetes API server did not answer. The change may have been made: read it again',
    cause: error,
  });
}

function refusal(error: KubernetesError): Problem {
  const { status, reason, message } = error;
  if (status === 404) return new Problem(HOSPITAL_NOT_FOUND, { cause: error });
  if (reason === 'AlreadyExists') return new Problem(PREFIX_TAKEN, { cause: error });
  if (status === 409) return new Problem(STALE_VERSION, { cause: error });
  if (isOfContent(error)) return refused(refusalsIn(error));
  if (status === 403) return new Problem(CLUSTER_REFUSED, { message: `The API server refuses this: ${message}` });
  if (status === 401)
    return new Problem(CLUSTER_REFUSED, {
      message: "The API server refuses the console's account: its token has expired or was revoked",
    });
  return new Problem(CLUSTER_UNAVAILABLE, { cause: error });
}

/** Names each refused field as clients know it. */
export function refused(refusals: readonly Refusal[]): Problem {
  const [first] = refusals;
  if (refusals.length === 1 && first?.field === 'metadata.name' && RESERVED.test(first.message))
    return new Problem(PREFIX_RESERVED, { message: first.message });
  return invalidFields(refusals.map(fieldProblem));
}

const RESERVED = / is reserved for the platform: /;

function fieldProblem({ field, message }: Refusal): FieldProblem {
  return { field: nameOf(field), in: 'body', message: /^is /.test(message) ? message : `is refused: ${message}` };
}

/** `spec.displayName` is the name of a hospital, `metadata.name` its prefix. */
function nameOf(field: string | undefined): string {
  if (field === undefined) return 'body';
  if (field === 'metadata.name') return 'prefix';
  const name = field.replace(/^spec\./, '');
  return name === 'displayName' ? 'name' : name;
}
