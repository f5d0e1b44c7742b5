/** Builds the `status` of a Hospital. Pure. */

import { ANNOTATION, type Endpoints, type HospitalObject, type HospitalStatus } from '@hms/hospitals';
import type { Tenant } from '../backends/backend.ts';
import type { Schema } from '../migration/migrations.ts';
import {
  backendConditions,
  backendStatuses,
  mergeConditions,
  type NewCondition,
  readyCondition,
  suspendedCondition,
  syncedCondition,
} from './conditions.ts';
import { entranceOf, type Outcomes } from './outcome.ts';
import { withBehind } from './schema-turn.ts';

/** @returns ISO 8601 in seconds, as Kubernetes writes times. */
export function timestamp(now: Date): string {
  return now.toISOString().replace(/\.\d+Z$/, 'Z');
}

/** The earlier status merged with new conditions and fields. */
export function statusWith(
  hospital: HospitalObject,
  conditions: readonly NewCondition[],
  fields: Partial<HospitalStatus>,
  now: Date,
): HospitalStatus {
  const requested = hospital.metadata.annotations?.[ANNOTATION.reconcileRequestedAt];
  const ready = conditions.find(({ type }) => type === 'Ready');
  const { plan, teardown, ...earlier } = hospital.status ?? {};
  return {
    ...earlier,
    ...fields,
    ...(ready ? { phase: ready.reason } : {}),
    ...(hospital.metadata.generation === undefined ? {} : { observedGeneration: hospital.metadata.generation }),
    ...(requested === undefined ? {} : { reconcileRequestedAt: requested.slice(0, 128) }),
    conditions: mergeConditions(hospital, conditions, timestamp(now)),
  };
}

/** Nothing was reconciled: the status stays, except for one condition, and no request counts as handled. */
export function pausedStatus(hospital: HospitalObject, condition: NewCondition, now: Date): HospitalStatus {
  return { ...hospital.status, conditions: mergeConditions(hospital, [condition], timestamp(now)) };
}

export interface Provisioned {
  readonly tenant: Tenant;
  readonly outcomes: Outcomes;
  /** What the gateway does not serve yet. */
  readonly missing: string | undefined;
  /** Undefined while it is unknown. */
  readonly schema: Schema | undefined;
  /** Whether a request of a person of the hospital was just served. */
  readonly verified: boolean;
}

/** The status while a hospital is provisioned or resynced, including partial results. */
export function provisionedStatus(
  hospital: HospitalObject,
  { tenant, outcomes: provisioned, missing, schema, verified }: Provisioned,
  now: Date,
): HospitalStatus {
  const outcomes = withBehind(provisioned, schema);
  const ready = readyCondition(hospital, outcomes, missing);
  const conditions = [
    ready,
    ...backendConditions(outcomes),
    syncedCondition(outcomes),
    suspendedCondition(hospital, outcomes, missing),
  ];
  const reports = Object.values(outcomes).flatMap(({ report }) => report ?? []);
  const fields: Partial<HospitalStatus> = {
    hospitalId: tenant.hospitalId,
    endpoints: endpointsOf(tenant),
    ...(entranceOf(outcomes)?.hash ? { hosts: tenant.hosts } : {}),
    backends: { ...hospital.status?.backends, ...backendStatuses(hospital.status, outcomes) },
    ...Object.assign({}, ...reports.map(({ signingKey }) => (signingKey ? { signingKey } : {}))),
    ...(schema ? { schemaVersion: schema.version } : {}),
    ...(verified && isOld(hospital.status?.lastVerifiedTime, now) ? { lastVerifiedTime: timestamp(now) } : {}),
  };
  return statusWith(hospital, conditions, fields, now);
}

/** The time is written at most once an hour, so that a resync without changes writes nothing. */
const VERIFIED_AGAIN_MS = 3_600_000;

function isOld(time: string | undefined, now: Date): boolean {
  return time === undefined || now.getTime() - Date.parse(time) >= VERIFIED_AGAIN_MS;
}

function endpointsOf({ profile: { issuer, portal } }: Tenant): Endpoints {
  return { issuer, api: `${portal}/api`, portal };
}
