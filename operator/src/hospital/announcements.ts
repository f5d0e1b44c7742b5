/** The events of a reconcile for the Hospital object. Pure. */

import type { HospitalStatus } from '@hms/hospitals';
import { type Change, describe, listed, TUNED, tuningSentence } from '../backends/backend.ts';
import type { EventType } from '../runtime/events.ts';
import { type Claim, REGISTRY_BACKEND } from './claim.ts';
import { conditionOf } from './conditions.ts';
import { changesOf, failures, type Outcomes } from './outcome.ts';

export interface Announcement {
  readonly type: EventType;
  readonly reason: string;
  readonly message: string;
}

/**
 * @param before status before the reconcile.
 * @param after status after it.
 */
export function announcements(
  before: HospitalStatus | undefined,
  after: HospitalStatus,
  claim: Claim,
  outcomes: Outcomes,
): Announcement[] {
  return [
    ...changed(before, after, claim, outcomes),
    ...tuned(before, outcomes, after),
    ...suspension(before, after),
    ...trouble(before, after, outcomes),
  ];
}

/** The row is created again from the object, which knows nothing of what referred to it. */
const ROW_LOST: Announcement = {
  type: 'Warning',
  reason: 'RegistryRowLost',
  message:
    'the registry row was missing and was created again. What referred to it is lost unless you restore it from a backup: revoked tokens, withheld permissions, the head of the audit chain, issued documents, support access and usage (docs/operations.md, Data that is lost)',
};

/** Changes that no object, release or setting caused: the desired state is unchanged, but the part differed. */
export function driftOf(
  before: HospitalStatus | undefined,
  outcomes: Outcomes,
): readonly { readonly backend: string; readonly change: Change }[] {
  return changesOf(outcomes).filter(({ backend, change }) => {
    if (change.isNews) return false;
    const applied = before?.backends?.[backend]?.appliedHash;
    return applied !== undefined && applied === outcomes[backend]?.hash;
  });
}

function changed(
  before: HospitalStatus | undefined,
  after: HospitalStatus,
  claim: Claim,
  outcomes: Outcomes,
): Announcement[] {
  const names = Object.keys(outcomes);
  if (!complete(names, before)) {
    if (!complete(names, after)) return [];
    const back = claim.kind === 'returning' ? ' is back with its data' : ' was created';
    return [normal('Created', `the hospital${back}; it is served at ${after.endpoints?.portal}`)];
  }
  const drift = driftOf(before, outcomes);
  const row = claim.kind === 'lost' ? [`${REGISTRY_BACKEND.name}: create registry row`] : [];
  const corrected = [...row, ...drift.map(({ backend, change }) => `${backend}: ${describe(change)}`)];
  const updated = changesOf(outcomes)
    .filter(({ change }) => !change.event && !drift.some((entry) => entry.change === change))
    .map(({ backend, change }) => `${backend}: ${describe(change)}`);
  return [
    ...(corrected.length > 0
      ? [normal('DriftCorrected', `restored what was changed outside the operator: ${listed(corrected)}`)]
      : []),
    ...(claim.kind === 'lost' ? [ROW_LOST] : []),
    ...(updated.length > 0 ? [normal('Updated', listed(updated))] : []),
    ...changesOf(outcomes).flatMap(({ change }) =>
      change.event ? [{ type: 'Normal' as const, ...change.event }] : [],
    ),
    ...changesOf(outcomes).flatMap(({ change }) => (change.loss ? [{ type: 'Warning' as const, ...change.loss }] : [])),
  ];
}

/** Announced when it changes, not at each comparison. */
function tuned(before: HospitalStatus | undefined, outcomes: Outcomes, after: HospitalStatus): Announcement[] {
  return Object.values(outcomes).flatMap(({ backend: { name }, report }) => {
    const tuning = report?.tuning ?? [];
    const now = after.backends?.[name]?.message;
    if (tuning.length === 0 || now === before?.backends?.[name]?.message) return [];
    return [normal(TUNED, `${name}: ${tuningSentence(tuning)}`)];
  });
}

function suspension(before: HospitalStatus | undefined, after: HospitalStatus): Announcement[] {
  const was = conditionOf(before, 'Suspended')?.status;
  const is = conditionOf(after, 'Suspended')?.status;
  if (was === is) return [];
  if (is === 'True') return [normal('Suspended', 'all access is closed; all data is kept')];
  if (is === 'False' && was !== undefined) return [normal('Resumed', 'the hospital is served again')];
  return [];
}

/** Announced when the reason of Ready becomes an error's, not at each attempt. */
export function trouble(
  before: HospitalStatus | undefined,
  after: HospitalStatus,
  outcomes: Outcomes,
): readonly Announcement[] {
  const [first] = failures(outcomes);
  const ready = conditionOf(after, 'Ready');
  if (!first || !ready || conditionOf(before, 'Ready')?.reason === ready.reason) return [];
  return [{ type: 'Warning', reason: ready.reason, message: ready.message }];
}

/** Whether every backend has reached its desired state at least once. */
function complete(backends: readonly string[], status: HospitalStatus | undefined): boolean {
  return backends.every((name) => status?.backends?.[name]?.appliedHash !== undefined);
}

function normal(reason: string, message: string): Announcement {
  return { type: 'Normal', reason, message };
}
