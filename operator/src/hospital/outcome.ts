import { BACKEND_NAMES, type BackendName, type Change } from '../backends/backend.ts';
import type { BackendError } from '../backends/errors.ts';

/** What came of one backend in one reconcile. */
export interface Outcome {
  readonly backend: BackendName;
  /** Name of the hospital's part in the backend. */
  readonly externalId: string;
  readonly changes: readonly Change[];
  /** Hash of what the part shall be and now is; missing where it could not be brought to it. */
  readonly hash?: string;
  readonly error?: BackendError;
  /** Why something of the object had to be left out; everything else of the part is as the object says. */
  readonly objection?: BackendError;
  /** Why it was not tried: it waits for another backend. */
  readonly waitsFor?: BackendName;
}

export type Outcomes = Readonly<Partial<Record<BackendName, Outcome>>>;

/** Outcomes with an error or an objection, in the backends' order. */
export function failures(outcomes: Outcomes): readonly (Outcome & { readonly error: BackendError })[] {
  return BACKEND_NAMES.flatMap((name) => {
    const outcome = outcomes[name];
    const error = outcome?.error ?? outcome?.objection;
    return outcome && error ? [{ ...outcome, error }] : [];
  });
}

/** Whether a part could not be brought to what the object says. */
export function hasErrors(outcomes: Outcomes): boolean {
  return BACKEND_NAMES.some((name) => outcomes[name]?.error);
}

/** All changes with their backend. */
export function changesOf(outcomes: Outcomes): readonly { readonly backend: BackendName; readonly change: Change }[] {
  return BACKEND_NAMES.flatMap((backend) => (outcomes[backend]?.changes ?? []).map((change) => ({ backend, change })));
}
