/** Errors as FHIR's OperationOutcome. */

import type { OperationOutcomeIssue } from 'fhir/r4.js';
import { z } from 'zod';
import type { ErrorKind, FieldProblem } from '../errors.ts';

/** Content type of all answers. */
export const FHIR_JSON = 'application/fhir+json';

/** The errors of a route as an OperationOutcome, for its `errorFormat`. */
export const outcomeFormat = {
  contentType: FHIR_JSON,
  schema: z
    .looseObject({ resourceType: z.literal('OperationOutcome'), issue: z.array(z.looseObject({})) })
    .meta({ id: 'FhirOperationOutcome' }),
  render: ({ kind, message, details }: Failure) => ({
    resourceType: 'OperationOutcome',
    issue: issuesOf(kind, message, (details?.fields as readonly FieldProblem[] | undefined) ?? []),
  }),
};

interface Failure {
  readonly kind: ErrorKind;
  readonly message: string;
  readonly details: Readonly<Record<string, unknown>> | undefined;
}

/** Our own code is in `details`, for programs that know the rest of the API. */
function issuesOf(kind: ErrorKind, message: string, fields: readonly FieldProblem[]): readonly OperationOutcomeIssue[] {
  const common = { severity: 'error' as const, code: codeOf(kind), details: { text: kind.code } };
  if (fields.length === 0) return [{ ...common, diagnostics: message }];
  return fields.map(({ field, message: problem }) => {
    const [name = field] = field.split('.');
    return { ...common, diagnostics: `${name} ${problem}`, expression: [`http.${name}`] };
  });
}

function codeOf({ status }: ErrorKind): OperationOutcomeIssue['code'] {
  if (status === 401) return 'login';
  if (status === 403) return 'forbidden';
  if (status === 404) return 'not-found';
  if (status === 405) return 'not-supported';
  if (status === 429) return 'throttled';
  if (status >= 500) return status === 503 ? 'transient' : 'exception';
  return 'value';
}
