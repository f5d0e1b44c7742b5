/** Hospital objects as the interface shows them. Pure. */
import { ANNOTATION, type Condition, type HospitalObject } from '@hms/hospitals';
import type { EventObject } from '../cluster/objects.ts';
import type { HospitalEvent, HospitalSummary, ManagedHospital } from './hospitals.schema.ts';
import { manifestOfObject } from './manifest.ts';

export function summaryOf(hospital: HospitalObject, asOf: Date): HospitalSummary {
  const { metadata, spec, status } = hospital;
  const ready = conditionOf(hospital, 'Ready');
  const { primaryColor = null, logo = null, favicon = null } = spec.theme ?? {};
  return {
    id: status?.hospitalId ?? null,
    prefix: metadata.name,
    name: spec.displayName,
    theme: { primaryColor, logo, favicon },
    status: statusOf(hospital),
    state: spec.state,
    reason: ready?.reason ?? null,
    message: ready?.message ?? null,
    since: ready?.lastTransitionTime ?? null,
    portal: status?.endpoints?.portal ?? null,
    schemaVersion: status?.schemaVersion ?? null,
    createdAt: metadata.creationTimestamp,
    asOf: asOf.toISOString(),
    version: metadata.generation ?? 0,
  };
}

/** @param usual seconds until a condition is True, by its type. */
export function detailOf(hospital: HospitalObject, asOf: Date, usual: ReadonlyMap<string, number>): ManagedHospital {
  const { metadata, spec, status } = hospital;
  return {
    ...summaryOf(hospital, asOf),
    spec: { ...spec },
    manifest: manifestOfObject(hospital),
    managers: managersOf(hospital),
    conditions: (status?.conditions ?? []).map(
      ({ type, status: value, reason, message, lastTransitionTime, observedGeneration }) => ({
        ...{ type, status: value, reason, message },
        since: lastTransitionTime,
        isCurrent: observedGeneration === metadata.generation,
        usualSeconds: usual.get(type) ?? null,
      }),
    ),
    teardown: (status?.teardown ?? []).map(({ backend, done, remaining = null }) => ({ backend, done, remaining })),
    plan: [...(status?.plan ?? [])],
    hosts: [...(status?.hosts ?? [])],
    isPaused: metadata.annotations?.[ANNOTATION.paused] === 'true',
    deletingSince: metadata.deletionTimestamp ?? null,
    lastVerifiedAt: status?.lastVerifiedTime ?? null,
  };
}

export function eventOf(event: EventObject): HospitalEvent {
  const { metadata, lastTimestamp, firstTimestamp, type, reason, message, count = 1 } = event;
  return { id: metadata.name, at: lastTimestamp ?? firstTimestamp ?? null, type, reason, message, count };
}

/** A creation that took longer met an outage, and says nothing about the usual, in s. */
const LONGEST_USUAL = 600;

/**
 * How long it usually takes from the creation of a hospital until each of its conditions is True, in seconds. Computed
 * once for each list.
 */
export function usualSeconds(hospitals: readonly HospitalObject[]): ReadonlyMap<string, number> {
  const known = usual.get(hospitals);
  if (known) return known;
  const computed = mediansOf(hospitals);
  usual.set(hospitals, computed);
  return computed;
}

const usual = new WeakMap<readonly HospitalObject[], ReadonlyMap<string, number>>();

function mediansOf(hospitals: readonly HospitalObject[]): ReadonlyMap<string, number> {
  const times = new Map<string, number[]>();
  for (const { metadata, status } of hospitals) {
    for (const { type, status: value, lastTransitionTime } of status?.conditions ?? []) {
      const seconds = (Date.parse(lastTransitionTime) - Date.parse(metadata.creationTimestamp)) / 1000;
      if (value === 'True' && seconds >= 0 && seconds <= LONGEST_USUAL)
        times.set(type, [...(times.get(type) ?? []), seconds]);
    }
  }
  return new Map([...times].map(([type, all]) => [type, median(all)]));
}

function median(numbers: readonly number[]): number {
  const sorted = numbers.toSorted((one, other) => one - other);
  return sorted[Math.floor((sorted.length - 1) / 2)] ?? 0;
}

function statusOf(hospital: HospitalObject): HospitalSummary['status'] {
  const { metadata, spec } = hospital;
  if (metadata.deletionTimestamp !== undefined) return 'Deleting';
  const ready = conditionOf(hospital, 'Ready');
  const isPresent = ready?.observedGeneration === metadata.generation;
  if (spec.state === 'Suspended' && conditionOf(hospital, 'Suspended')?.status === 'True') return 'Suspended';
  if (ready?.status === 'True') return 'Active';
  return !ready || !isPresent || UNDERWAY.has(ready.reason) ? 'Provisioning' : 'Failing';
}

/** Reasons of Ready=False that pass without anybody's help. */
const UNDERWAY: ReadonlySet<string> = new Set(['Provisioning', 'NotServedYet', 'Waiting', 'Suspended']);

function conditionOf({ status }: HospitalObject, type: string): Condition | undefined {
  return status?.conditions?.find((condition) => condition.type === type);
}

/** Programs of the platform, whose writes conflict with nobody's. */
const OWN_MANAGERS: ReadonlySet<string> = new Set(['hms-console', 'hms-operator', 'hmsctl']);

function managersOf({ metadata }: HospitalObject): string[] {
  const managers = (metadata.managedFields ?? []).flatMap(({ manager, fieldsV1 }) =>
    manager !== undefined && fieldsV1?.['f:spec'] !== undefined && !OWN_MANAGERS.has(manager) ? [manager] : [],
  );
  return [...new Set(managers)];
}
