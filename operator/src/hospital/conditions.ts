/** The conditions of a hospital from its outcomes. Pure: time and the previous status are arguments. */

import type { BackendStatus, Condition, ConditionType, HospitalObject, HospitalStatus } from '@hms/hospitals';
import { type Backend, describe, type Report, tuningSentence } from '../backends/backend.ts';
import type { BackendError, ErrorKind } from '../backends/errors.ts';
import { REGISTRY_BACKEND } from './claim.ts';
import { changesOf, failures, isApplied, type Outcome, type Outcomes } from './outcome.ts';

/** Reasons of conditions. */
export const REASON = {
  ready: 'Ready',
  provisioning: 'Provisioning',
  notServedYet: 'NotServedYet',
  waiting: 'Waiting',
  suspended: 'Suspended',
  active: 'Active',
  paused: 'Paused',
  synced: 'Synced',
  observed: 'PlanOnly',
  deleting: 'Deleting',
  confirmationRequired: 'ConfirmationRequired',
} as const;

/** Reason of a condition by the kind of the backend's error. */
export const ERROR_REASON: Readonly<Record<ErrorKind, string>> = {
  Unavailable: 'BackendUnavailable',
  Conflict: 'Conflict',
  Invalid: 'Invalid',
  NotFound: 'NotFound',
  Forbidden: 'Forbidden',
  DataLost: 'DataLost',
  RealmDamaged: 'RealmDamaged',
  SchemaDamaged: 'SchemaDamaged',
};

export type NewCondition<Type = ConditionType> = Pick<Condition<Type>, 'type' | 'status' | 'reason' | 'message'>;

/** An object with conditions. */
interface Conditioned<Type> {
  readonly metadata: { readonly generation?: number | undefined };
  readonly status?: { readonly conditions?: readonly Condition<Type>[] } | undefined;
}

const MAX_MESSAGE = 1024;

/**
 * Merges new conditions into the earlier ones. A time changes only with the status.
 * @param now ISO 8601 in seconds.
 */
export function mergeConditions<Type>(
  object: Conditioned<Type>,
  news: readonly NewCondition<Type>[],
  now: string,
): Condition<Type>[] {
  const generation = object.metadata.generation ?? 0;
  const merged = new Map<Type, Condition<Type>>(object.status?.conditions?.map((c) => [c.type, c]));
  for (const condition of news) {
    const earlier = merged.get(condition.type);
    merged.set(condition.type, {
      ...condition,
      message: storable(condition.message, MAX_MESSAGE),
      observedGeneration: generation,
      lastTransitionTime: earlier?.status === condition.status ? earlier.lastTransitionTime : now,
    });
  }
  return [...merged.values()];
}

/** Cuts a text, and replaces what an apply patch can't have, because the API server reads it as YAML. */
export function storable(text: string, length: number): string {
  return text
    .slice(0, length)
    .toWellFormed()
    .replaceAll(/[\u007f-\u009f\ufffe\uffff]/g, '\ufffd');
}

/** Conditions of the finished backends. */
export function backendConditions(outcomes: Outcomes): NewCondition[] {
  return finished(outcomes).map((outcome) => {
    const judged = judge(outcome);
    return {
      type: outcome.backend.condition,
      ...judged,
      ...(outcome.behind && judged.status === 'True' ? outcome.behind : {}),
    };
  });
}

/** Entries of `status.backends`. A failed backend keeps the hash of its last applied state. */
export function backendStatuses(before: HospitalStatus | undefined, outcomes: Outcomes): Record<string, BackendStatus> {
  const entries = finished(outcomes).map((outcome) => {
    const { name } = outcome.backend;
    const { status, reason, message } = judge(outcome);
    const state = status === 'True' ? 'Ready' : status === 'False' ? 'Failed' : 'Pending';
    // With an objection, the rest has the desired state.
    const hash = outcome.hash ?? before?.backends?.[name]?.appliedHash;
    const entry: BackendStatus = {
      state,
      reason,
      message,
      externalId: outcome.externalId,
      ...(hash ? { appliedHash: hash } : {}),
    };
    return [name, entry] as const;
  });
  return Object.fromEntries(entries);
}

/** The conditions while the registry is unavailable, without which a hospital is not reconciled. */
export function unclaimedConditions(
  backends: readonly Backend[],
  before: HospitalStatus | undefined,
  { kind, message }: BackendError,
): NewCondition[] {
  // The registry has answered: it refuses the hospital.
  if (kind === 'Conflict') return [];
  const { name, condition } = REGISTRY_BACKEND;
  const others = backends.map(({ descriptor }) => descriptor.condition).filter((type) => type !== condition);
  return [
    { type: condition, status: 'False', reason: ERROR_REASON[kind], message },
    ...others
      .filter((type) => !conditionOf(before, type))
      .map((type) => ({ type, status: 'Unknown', reason: REASON.waiting, message: `waits for ${name}` }) as const),
  ];
}

/** The condition Ready. @param missing what the gateway does not serve yet. */
export function readyCondition(
  hospital: HospitalObject,
  outcomes: Outcomes,
  missing: string | undefined,
): NewCondition {
  const [first, ...others] = failures(outcomes);
  if (first) {
    // One engine may cause the failure of another, such as PostgreSQL of Keycloak, so each is reported.
    const more = others.map(({ backend, error }) => `; also not ready: ${backend.name}: ${error.message}`);
    return not(ERROR_REASON[first.error.kind], [first.error.message, ...more].join(''));
  }
  if (Object.values(outcomes).some(({ pending }) => pending))
    return not(REASON.provisioning, 'the hospital is being provisioned');
  if (missing) return not(REASON.notServedYet, missing);
  if (hospital.spec.state === 'Suspended')
    return not(REASON.suspended, 'the hospital is suspended: all access is closed');
  return {
    type: 'Ready',
    status: 'True',
    reason: REASON.ready,
    message: 'login, gateway, modules and database serve the hospital',
  };
}

/**
 * Whether all access is closed. The last status holds while an engine is unavailable: only the operator opens and
 * closes.
 * @param missing what the gateway does not serve yet.
 */
export function suspendedCondition(
  { spec, status }: HospitalObject,
  outcomes: Outcomes,
  missing: string | undefined,
): NewCondition {
  const lastStatus = conditionOf(status, 'Suspended')?.status;
  const isThrough =
    !missing && Object.values(outcomes).every((outcome) => !outcome.backend.servesPeople || isApplied(outcome));
  const type = 'Suspended';
  if (spec.state === 'Active') {
    const reason = REASON.active;
    return lastStatus === undefined || lastStatus === 'False' || isThrough
      ? { type, status: 'False', reason, message: 'the hospital is active' }
      : { type, status: 'Unknown', reason, message: 'sign-in, gateway and database are being opened' };
  }
  const reason = REASON.suspended;
  return lastStatus === 'True' || isThrough
    ? { type, status: 'True', reason, message: 'sign-in, gateway and database are closed' }
    : { type, status: 'Unknown', reason, message: 'sign-in, gateway and database are being closed' };
}

export function syncedCondition(outcomes: Outcomes): NewCondition {
  const failed = failures(outcomes);
  const all = Object.values(outcomes);
  if (failed.length === 0 && all.every(isApplied)) {
    const behind = all.find((outcome) => outcome.behind)?.behind;
    if (behind) return { type: 'Synced', status: 'False', ...behind };
    return { type: 'Synced', status: 'True', reason: REASON.synced, message: 'every engine matches the spec' };
  }
  const [first] = failed;
  return {
    type: 'Synced',
    status: 'False',
    reason: first ? ERROR_REASON[first.error.kind] : REASON.provisioning,
    message: first ? first.error.message : 'the engines are being changed',
  };
}

/** The result of Observe mode: the plan, and for each backend whether something is planned. */
export function planOf(outcomes: Outcomes): {
  readonly plan: readonly string[];
  readonly condition: NewCondition;
  readonly backends: readonly NewCondition[];
} {
  const plan = changesOf(outcomes).map(({ backend, change }) => `${backend}: ${describe(change)}`.slice(0, 512));
  const [failure] = failures(outcomes);
  const same = plan.length === 0 && !failure;
  const notSeen = failure ? `; some engines could not be read: ${failure.error.message}` : '';
  return {
    plan: plan.slice(0, 200),
    backends: backendConditions(outcomes).map((condition) => {
      const count = Object.values(outcomes).find(({ backend }) => backend.condition === condition.type)?.changes.length;
      if (condition.status !== 'True' || !count) return condition;
      return {
        ...condition,
        status: 'False',
        reason: REASON.observed,
        message: `${planned(count)}, as spec.managementPolicy is Observe`,
      };
    }),
    condition: {
      type: 'Synced',
      status: same ? 'True' : 'False',
      reason: REASON.observed,
      message: same
        ? 'every engine matches the spec'
        : `${planned(plan.length)}, as spec.managementPolicy is Observe${notSeen}`,
    },
  };
}

function planned(count: number): string {
  if (count === 0) return 'nothing would change';
  return count === 1
    ? 'one change is planned and was not applied'
    : `${count} changes are planned and were not applied`;
}

/** Whether the hospital was settled at its current generation. */
export function wasSettled({ metadata, status }: HospitalObject): boolean {
  const synced = status?.conditions?.find(({ type }) => type === 'Synced');
  return status?.observedGeneration === metadata.generation && synced?.status === 'True';
}

export function conditionOf(status: HospitalStatus | undefined, type: ConditionType): Condition | undefined {
  return status?.conditions?.find((condition) => condition.type === type);
}

function judge({
  backend,
  externalId,
  error: failure,
  objection,
  waitsFor,
  report,
}: Outcome): Pick<Condition, 'status' | 'reason' | 'message'> {
  const error = failure ?? objection;
  if (error) return { status: 'False', reason: ERROR_REASON[error.kind], message: error.message };
  if (waitsFor) return { status: 'Unknown', reason: REASON.waiting, message: `waits for ${waitsFor}` };
  return {
    status: 'True',
    reason: REASON.ready,
    message: `${backend.part} ${externalId} matches the spec${tuned(report)}`,
  };
}

function tuned({ tuning = [] }: Report = {}): string {
  return tuning.length === 0 ? '' : `; ${tuningSentence(tuning)}`;
}

function finished(outcomes: Outcomes): readonly Outcome[] {
  return Object.values(outcomes).filter(({ pending }) => !pending);
}

function not(reason: string, message: string): NewCondition {
  return { type: 'Ready', status: 'False', reason, message };
}
