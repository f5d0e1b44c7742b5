/** The conditions of a hospital from its outcomes. Pure: time and the previous status are arguments. */
import { BACKEND_NAMES, type BackendName, describe } from '../backends/backend.ts';
import type { BackendError, ErrorKind } from '../backends/errors.ts';
import type { Behind } from '../migration/migrations.ts';
import { changesOf, failures, type Outcome, type Outcomes } from './outcome.ts';
import type { BackendStatus, Condition, ConditionType, HospitalObject, HospitalStatus } from './resource.ts';

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

export type NewCondition = Pick<Condition, 'type' | 'status' | 'reason' | 'message'>;

const BACKEND_CONDITION: Readonly<Record<BackendName, ConditionType>> = {
  identity: 'IdentityReady',
  storage: 'StorageReady',
  database: 'DatabaseReady',
  gateway: 'GatewayReady',
};

const MAX_MESSAGE = 1024;

/**
 * Merges new conditions into the earlier ones. A time changes only with the status.
 * @param now ISO 8601 in seconds.
 */
export function mergeConditions(hospital: HospitalObject, news: readonly NewCondition[], now: string): Condition[] {
  const generation = hospital.metadata.generation ?? 0;
  const merged = new Map<string, Condition>(hospital.status?.conditions?.map((c) => [c.type, c]));
  for (const condition of news) {
    const earlier = merged.get(condition.type);
    merged.set(condition.type, {
      ...condition,
      message: condition.message.slice(0, MAX_MESSAGE),
      observedGeneration: generation,
      lastTransitionTime: earlier?.status === condition.status ? earlier.lastTransitionTime : now,
    });
  }
  return [...merged.values()];
}

/** Conditions of the finished backends. @param behind why the schema is not the newest. */
export function backendConditions(outcomes: Outcomes, behind?: Behind): NewCondition[] {
  return BACKEND_NAMES.flatMap((name) => {
    const outcome = outcomes[name];
    if (!outcome) return [];
    const judged = judge(outcome);
    // It is still served: every release works with the schema of the one before.
    const condition = name === 'database' && behind && judged.status === 'True' ? { ...judged, ...behind } : judged;
    return [{ type: BACKEND_CONDITION[name], ...condition }];
  });
}

/** Entries of `status.backends`. A failed backend keeps the hash of its last applied state. */
export function backendStatuses(before: HospitalStatus | undefined, outcomes: Outcomes): Record<string, BackendStatus> {
  const entries = BACKEND_NAMES.flatMap((name) => {
    const outcome = outcomes[name];
    if (!outcome) return [];
    const { status, reason, message } = judge(outcome);
    const state = status === 'True' ? 'Ready' : status === 'False' ? 'Failed' : 'Pending';
    const hash = status === 'True' ? outcome.hash : before?.backends?.[name]?.appliedHash;
    const entry: BackendStatus = {
      state,
      reason,
      message,
      externalId: outcome.externalId,
      ...(hash ? { appliedHash: hash } : {}),
    };
    return [[name, entry] as const];
  });
  return Object.fromEntries(entries);
}

/** The conditions while the registry is unavailable, without which a hospital is not reconciled. */
export function unclaimedConditions(
  before: HospitalStatus | undefined,
  { kind, message }: BackendError,
): NewCondition[] {
  // The registry has answered: it refuses the hospital.
  if (kind === 'Conflict') return [];
  const others = BACKEND_NAMES.filter((name) => name !== 'database' && !conditionOf(before, BACKEND_CONDITION[name]));
  return [
    { type: 'DatabaseReady', status: 'False', reason: ERROR_REASON[kind], message },
    ...others.map(
      (name): NewCondition => ({
        type: BACKEND_CONDITION[name],
        status: 'Unknown',
        reason: REASON.waiting,
        message: 'waits for database',
      }),
    ),
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
    const more = others.map(({ backend, error }) => `; also not ready: ${backend}: ${error.message}`);
    return not(ERROR_REASON[first.error.kind], [first.error.message, ...more].join(''));
  }
  if (BACKEND_NAMES.some((name) => !outcomes[name]))
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

/** The backends that a suspension closes. Files are reachable only through them. */
const DOORS = ['identity', 'database', 'gateway'] as const satisfies readonly BackendName[];

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
    DOORS.every((name) => outcomes[name] && !outcomes[name].error && !outcomes[name].waitsFor) && !missing;
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

/** @param behind why the schema is not the newest. */
export function syncedCondition(outcomes: Outcomes, behind?: Behind): NewCondition {
  const failed = failures(outcomes);
  const complete = BACKEND_NAMES.every((name) => outcomes[name] && !outcomes[name].waitsFor);
  if (failed.length === 0 && complete) {
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
      const changes = BACKEND_NAMES.find((name) => BACKEND_CONDITION[name] === condition.type);
      const count = (changes && outcomes[changes]?.changes.length) ?? 0;
      if (condition.status !== 'True' || count === 0) return condition;
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
}: Outcome): Pick<Condition, 'status' | 'reason' | 'message'> {
  const error = failure ?? objection;
  if (error) return { status: 'False', reason: ERROR_REASON[error.kind], message: error.message };
  if (waitsFor) return { status: 'Unknown', reason: REASON.waiting, message: `waits for ${waitsFor}` };
  return { status: 'True', reason: REASON.ready, message: `${PART[backend]} ${externalId} matches the spec` };
}

const PART: Readonly<Record<BackendName, string>> = {
  identity: 'realm',
  storage: 'folder',
  database: 'schema',
  gateway: 'consumer',
};

function not(reason: string, message: string): NewCondition {
  return { type: 'Ready', status: 'False', reason, message };
}
