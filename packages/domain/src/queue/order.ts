/**
 * Who is next. Pure.
 *
 * People are called by their turns. A VIP has a head start besides, and goes before those whose turn is up to so much
 * earlier, but never before somebody of a higher priority. So nobody who is urgent waits for a membership.
 */

/** What a level of priority counts for, in minutes of waiting. */
const PRIORITY_MINUTES = 20;
/** Whoever is skipped waits behind so many others. */
export const SKIPPED_BEHIND = 3;
const MINUTE = 60_000;
/** What a unit of the weight of a VIP tier counts for, in seconds of waiting: 100 are ten minutes. */
const WEIGHT_SECONDS = 6;

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

/** The head start of a VIP, in seconds. @param weight of the tier, from 0 to 100 */
export function headStartOf(weight: number): number {
  return weight * WEIGHT_SECONDS;
}

/**
 * The turn of a person who did not come when called: behind the next ones, or at the end if fewer wait. They have no head
 * start any more.
 * @param turns of the next people who wait, `SKIPPED_BEHIND` at most
 */
export function turnAfterSkip(own: string, turns: readonly string[]): string {
  if (turns.length === 0) return own;
  return new Date(Math.max(...[own, ...turns].map((turn) => Date.parse(turn))) + 1).toISOString();
}

/**
 * Those who wait in the clinic $1 on the day $2, as a statement: `id`, `turn` and `nth`, from 1 on.
 * @param more further people, as a statement of `id`, `turn`, `priority` and `head_start`
 */
export function lineSql(more?: string): string {
  return `
  SELECT id, turn, row_number() OVER (ORDER BY place, turn, id)::integer AS nth FROM (
    SELECT id, turn, greatest(
      turn - head_start * interval '1 second',
      CASE priority
        WHEN 0 THEN max(turn) FILTER (WHERE priority > 0) OVER earlier
        WHEN 1 THEN max(turn) FILTER (WHERE priority > 1) OVER earlier
      END
    ) AS place
    FROM (
      SELECT id, turn, priority, head_start FROM queue_entries
      WHERE clinic_id = $1 AND service_date = $2 AND status = 'waiting' AND deleted_at IS NULL
      ${more === undefined ? '' : `UNION ALL ${more}`}
    ) waiting
    WINDOW earlier AS (ORDER BY turn, id)
  ) placed`;
}
