/** Who is next. Pure. */

/** What a level of priority counts for, in minutes of waiting. */
const PRIORITY_MINUTES = 20;
/** Whoever is skipped waits behind so many others. */
export const SKIPPED_BEHIND = 3;
const MINUTE = 60_000;

/**
 * When somebody is due: whoever comes early to an appointment waits until it is near, and then goes before those who came
 * without one at that time.
 * @param startsAt of the appointment, if there is one
 */
export function dueAt(joinedAt: string, startsAt: string | undefined): string {
  if (startsAt === undefined) return joinedAt;
  return turnOf(new Date(Math.max(Date.parse(joinedAt), Date.parse(startsAt))).toISOString(), 1);
}

/**
 * The turn of a person: who has the earliest is next. A priority is a head start, so that somebody without one is
 * overtaken only by people who are due within that time.
 * @param due as of `dueAt`
 */
export function turnOf(due: string, priority: number): string {
  return new Date(Date.parse(due) - priority * PRIORITY_MINUTES * MINUTE).toISOString();
}

/**
 * The turn of a person who did not come when called: behind the next ones, or at the end if fewer wait.
 * @param turns of the next people who wait, in their order, `SKIPPED_BEHIND` at most
 */
export function turnAfterSkip(own: string, turns: readonly string[]): string {
  const last = turns.at(-1);
  return last === undefined ? own : new Date(Math.max(Date.parse(last), Date.parse(own)) + 1).toISOString();
}
