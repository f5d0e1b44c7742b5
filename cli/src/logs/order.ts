import type { Entry } from './entry.ts';

/**
 * The entries of all processes by time. Those of one process stay in their original order. Those before its
 * first time come with it, or first if it writes no times.
 */
export function byTime(files: readonly (readonly Entry[])[]): Entry[] {
  const keyed = files.flatMap((entries) => {
    let latest = entries.find(({ time }) => time !== undefined)?.time ?? 0;
    return entries.map((entry) => {
      latest = Math.max(latest, entry.time ?? latest);
      return { entry, latest };
    });
  });
  return keyed.sort((a, b) => a.latest - b.latest).map(({ entry }) => entry);
}
