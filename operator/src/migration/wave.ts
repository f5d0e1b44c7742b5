/** Which hospitals may be migrated now, and how many are. Pure. */
import { type HospitalObject, mayChange } from '@hms/hospitals';

export interface WaveLimits {
  /** Hospitals that must succeed before the others start. */
  readonly canaries: number;
  /** Maximum number of hospitals at a time. */
  readonly parallelism: number;
  /** The number of failures that stops the wave. */
  readonly maxFailures: number;
}

/** How many hospitals are in which state, since the process became the leader. */
export interface WaveCounts {
  readonly running: number;
  readonly done: number;
  /** Failed, without a request for another attempt. */
  readonly failed: number;
}

/** Whether too many have failed for any other to start. */
export function isHalted({ failed }: WaveCounts, { maxFailures }: WaveLimits): boolean {
  return failed >= maxFailures;
}

/** @returns how many more hospitals may start now. */
export function freePlaces(counts: WaveCounts, limits: WaveLimits): number {
  if (isHalted(counts, limits)) return 0;
  const missing = limits.canaries - counts.done;
  const most = missing > 0 ? Math.min(missing, limits.parallelism) : limits.parallelism;
  return Math.max(0, most - counts.running);
}

/**
 * How many hospitals have the newest schema, of those that are to have it, and how many stay behind because they are
 * paused or only observed. Pure. @param migrated those whose status may not show it yet.
 */
export function progress(
  hospitals: readonly HospitalObject[],
  migrated: ReadonlySet<string>,
  newest: number,
): { readonly done: number; readonly all: number; readonly held: number } {
  const withSchema = hospitals.filter(({ status }) => status?.schemaVersion !== undefined);
  const [done, behind] = partition(
    withSchema,
    ({ metadata, status }) => migrated.has(metadata.name) || (status?.schemaVersion ?? 0) >= newest,
  );
  const held = behind.filter((hospital) => !mayChange(hospital)).length;
  return { done: done.length, all: withSchema.length - held, held };
}

function partition<T>(all: readonly T[], isFirst: (one: T) => boolean): readonly [readonly T[], readonly T[]] {
  return [all.filter(isFirst), all.filter((one) => !isFirst(one))];
}
