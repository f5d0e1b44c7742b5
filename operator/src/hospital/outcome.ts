import type { Backend, Change, Descriptor, Report, Tenant } from '../backends/backend.ts';
import type { BackendError } from '../backends/errors.ts';
import type { Behind } from '../migration/migrations.ts';

/** The outcome of one backend in one reconcile. */
export interface Outcome {
  readonly backend: Descriptor;
  /** Name of the hospital's part in the backend. */
  readonly externalId: string;
  /** Whether it has not finished yet. */
  readonly pending?: true;
  readonly changes: readonly Change[];
  /** Hash of the desired state that the part now has. Missing if it was not reached. */
  readonly hash?: string;
  readonly report?: Report;
  readonly error?: BackendError;
  /** Why something in the object was not applied. Everything else of the part matches the object. */
  readonly objection?: BackendError;
  /** The backend that it waits for, if it was not attempted. */
  readonly waitsFor?: string;
  /** Why the part is older than the release. It is still served: every release works with the version before. */
  readonly behind?: Behind;
}

/** The outcome of every backend by its name, in the order of the backends. */
export type Outcomes = Readonly<Record<string, Outcome>>;

/** The outcome of a backend that has nothing to do. */
export function outcomeOf(backend: Backend, tenant: Tenant): Outcome {
  return { backend: backend.descriptor, externalId: backend.externalId(tenant), changes: [] };
}

export function outcomesOf(outcomes: readonly Outcome[]): Outcomes {
  return Object.fromEntries(outcomes.map((outcome) => [outcome.backend.name, outcome]));
}

export function pendingOutcomes(backends: readonly Backend[], tenant: Tenant): Outcomes {
  return outcomesOf(backends.map((backend) => ({ ...outcomeOf(backend, tenant), pending: true })));
}

/** The backend through which traffic enters. */
export function entranceOf(outcomes: Outcomes): Outcome | undefined {
  return Object.values(outcomes).find(({ backend }) => backend.isEntrance);
}

/** Outcomes with an error or an objection. */
export function failures(outcomes: Outcomes): readonly (Outcome & { readonly error: BackendError })[] {
  return Object.values(outcomes).flatMap((outcome) => {
    const error = outcome.error ?? outcome.objection;
    return error ? [{ ...outcome, error }] : [];
  });
}

/** Whether a part failed to reach its desired state. */
export function hasErrors(outcomes: Outcomes): boolean {
  return Object.values(outcomes).some(({ error }) => error);
}

/** Whether a part was reconciled without an error. */
export function isApplied({ pending, error, waitsFor }: Outcome): boolean {
  return !pending && !error && !waitsFor;
}

/** All changes with the name of their backend. */
export function changesOf(outcomes: Outcomes): readonly { readonly backend: string; readonly change: Change }[] {
  return Object.values(outcomes).flatMap(({ backend, changes }) =>
    changes.map((change) => ({ backend: backend.name, change })),
  );
}
