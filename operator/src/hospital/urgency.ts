import { ANNOTATION, type HospitalObject } from '@hms/hospitals';
import type { Change, KubernetesObject } from '@hms/kubernetes';
import { PRIORITY, type Priority } from '../runtime/workqueue.ts';
import { wasSettled } from './conditions.ts';

/**
 * How urgent a hospital is when an operator lists it for the first time: changes of people come before hospitals
 * that were Ready when the previous operator stopped. Pure.
 */
export function urgencyOf(hospital: HospitalObject): Priority {
  const { metadata, status } = hospital;
  if (metadata.deletionTimestamp) return PRIORITY.deletion;
  const requested = metadata.annotations?.[ANNOTATION.reconcileRequestedAt];
  const isAnswered = requested === undefined || requested.slice(0, 128) === status?.reconcileRequestedAt;
  return wasSettled(hospital) && isAnswered ? PRIORITY.resync : PRIORITY.change;
}

/** How urgent a change of a hospital is, or undefined if it needs no reconcile. Pure. */
export function urgencyOfChange(change: Change<HospitalObject>): Priority | undefined {
  if (!isRelevant(change)) return undefined;
  if (change.type === 'added') return urgencyOf(change.object);
  return change.object.metadata.deletionTimestamp ? PRIORITY.deletion : PRIORITY.change;
}

/** Changes of the status are the operator's own. */
export function isRelevant(change: Change<KubernetesObject>): boolean {
  if (change.type !== 'modified') return true;
  const { metadata } = change.object;
  const before = change.previous.metadata;
  return (
    before.generation !== metadata.generation ||
    before.deletionTimestamp !== metadata.deletionTimestamp ||
    JSON.stringify(before.annotations) !== JSON.stringify(metadata.annotations)
  );
}
