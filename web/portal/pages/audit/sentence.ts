/** What an event of the audit log says, as a key of the words `audit` and its values. Pure. */

import type { Schemas } from '../../../kit/api/api.ts';

export type Event = Schemas['ShownAuditEvent'];

/** What of an event decides about its sentence. */
export interface Happened {
  readonly action: string;
  readonly record: string;
  readonly after?: unknown;
  readonly details?: unknown;
}

export interface Sentence {
  /** The first of these keys that has words. */
  readonly keys: readonly string[];
  /** Keys of the words that stand in the sentence, each with the one to take if there is none. */
  readonly values: Readonly<Record<string, readonly string[]>>;
}

/** The value of a sentence that is the person, whom the page shows on its own. */
export const WHO = 'who';

/** @returns keys that begin with `audit.` or `error.`. */
export function sentenceOf({ action, record, after, details }: Happened): Sentence {
  const more = valuesOf(details);
  const named = action.replace('.', '-');
  const values = {
    what: [`audit.a.${record}`, 'audit.a.other'],
    list: [`audit.table.${record}`, 'audit.a.other'],
    state: [`audit.state.${valuesOf(after).status}`, 'audit.a.other'],
    why: [`audit.failure.${more.error}`, 'audit.failure.other'],
  };
  if (typeof more.event === 'string')
    return { keys: [`audit.account.${more.event}`, `audit.sentence.${named}`], values };
  if (typeof more.operation === 'string') {
    const what = [`audit.resource.${more.resource}`, 'audit.resource.other'];
    // Such as a new password: users/<id>/reset-password.
    const step = String(more.path).split('/').at(-1);
    const keys = [`audit.keycloakStep.${step}`, `audit.keycloak.${more.operation}`, `audit.sentence.${named}`];
    return { keys, values: { ...values, what } };
  }
  if (action === 'refuse') {
    const why = [`error.code.${more.code}`, `error.other.${more.code}`, 'audit.sentence.unknownReason'];
    return { keys: ['audit.sentence.refuse'], values: { ...values, why } };
  }
  const own = action === 'transition' ? valuesOf(after).status : more.export === true ? 'export' : named;
  return { keys: [`audit.of.${record}.${own}`, `audit.sentence.${named}`], values };
}

/** Values by name, and those among them that decide about a sentence or its details. */
export interface Values {
  readonly [name: string]: unknown;
  readonly status?: unknown;
  readonly code?: unknown;
  readonly error?: unknown;
  readonly event?: unknown;
  readonly operation?: unknown;
  readonly resource?: unknown;
  readonly path?: unknown;
  readonly export?: unknown;
  readonly reason?: unknown;
  readonly candidates?: unknown;
}

export function valuesOf(value: unknown): Values {
  return typeof value === 'object' && value !== null ? (value as Values) : {};
}
