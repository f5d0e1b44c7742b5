/** Which hospitals may be migrated now. Pure. */

export interface WaveLimits {
  /** Hospitals that must succeed before the others start. */
  readonly canaries: number;
  /** Most hospitals at a time. */
  readonly parallelism: number;
  /** As many failures stop the wave. */
  readonly maxFailures: number;
}

/** How many hospitals are where, since the process leads. */
export interface WaveCounts {
  readonly running: number;
  readonly done: number;
  /** Failed, and nobody has asked for another try. */
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
