/** Whether a step of the operator has made no progress for longer than usual. Pure. */
import type { ManagedHospital } from './hospitals.queries.ts';

export interface Step {
  readonly type: string;
  readonly status: 'True' | 'False' | 'Unknown';
  readonly reason: string;
  readonly message: string;
  readonly since: string;
  /** Seconds since the step began, if it is not done. */
  readonly runningFor: number | undefined;
  readonly usualSeconds: number | null;
  readonly isStalled: boolean;
}

/** A step may take this many times the usual, and at least so many seconds, before it counts as stalled. */
const PATIENCE = 4;
const LEAST_SECONDS = 20;

/** @param now in ms since 1970. */
export function stepsOf(hospital: ManagedHospital, now: number): readonly Step[] {
  const shown = hospital.conditions.filter(({ type, status }) => isStep(type) || status !== 'False');
  return shown.sort(byOrder).map(({ type, status, reason, message, since, usualSeconds }) => {
    const isDone = status === 'True' || !isStep(type);
    // A condition that was never True has run since the creation.
    const runningFor = isDone ? undefined : Math.max(0, (now - Date.parse(since)) / 1000);
    const longest = Math.max(LEAST_SECONDS, PATIENCE * (usualSeconds ?? 0));
    const isStalled = runningFor !== undefined && runningFor > longest && isWanted(hospital);
    return { type, status, reason, message, since, runningFor, usualSeconds, isStalled };
  });
}

/** What people ask first comes first. */
const ORDER = [
  'Deleting',
  'Suspended',
  'Ready',
  'IdentityReady',
  'DatabaseReady',
  'StorageReady',
  'GatewayReady',
  'Synced',
];

function byOrder({ type: one }: { readonly type: string }, { type: other }: { readonly type: string }): number {
  const place = (type: string) => (ORDER.includes(type) ? ORDER.indexOf(type) : ORDER.length);
  return place(one) - place(other);
}

/** Whether a condition becomes True when its work is done. */
function isStep(type: string): boolean {
  return type.endsWith('Ready') || type === 'Synced';
}

function isWanted({ state, isPaused, status }: ManagedHospital): boolean {
  return state === 'Active' && !isPaused && status !== 'Deleting';
}
