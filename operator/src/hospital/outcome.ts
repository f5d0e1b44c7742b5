import { BACKEND_NAMES, type BackendName, type Change } from '../backends/backend.ts';
import type { BackendError } from '../backends/errors.ts';

/** The outcome of one backend in one reconcile. */
export interface Outcome {
  readonly backend: BackendName;
  /** Name of the hospital's part in the backend. */
  readonly externalId: string;
  readonly changes: readonly Change[];
  /** Hash of the desired state that the part now has. Missing if it was not reached. */
  readonly hash?: string;
  readonly error?: BackendError;
  /** Why something in the object was not applied. Everything else of the part matches the object. */
  readonly objection?: BackendError;
  /** The backend that it waits for, if it was not attempted. */
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

/** Whether a part failed to reach its desired state. */
export function hasErrors(outcomes: Outcomes): boolean {
  return BACKEND_NAMES.some((name) => outcomes[name]?.error);
}

/** All changes with their backend. */
export function changesOf(outcomes: Outcomes): readonly { readonly backend: BackendName; readonly change: Change }[] {
  return BACKEND_NAMES.flatMap((backend) => (outcomes[backend]?.changes ?? []).map((change) => ({ backend, change })));
}
