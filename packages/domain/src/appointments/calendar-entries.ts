/**
 * Appointments as calendar programs know them. There, an appointment that moves stays the same entry, with another time.
 * Here, it is a new record. So an entry is named after the first record of its chain.
 */
import type { Work } from '@hms/service';
import type { Appointment } from './record.ts';

export interface CalendarEntry
  extends Pick<Appointment, 'id' | 'appointmentNo' | 'clinicId' | 'roomId' | 'status' | 'version'> {
  /** Id of the first record of its chain, which stays when the appointment moves. */
  readonly firstId: string;
  /** How often it has moved. */
  readonly moves: number;
  readonly startsAt: Date;
  readonly endsAt: Date;
  readonly updatedAt: Date;
}

/**
 * What a doctor has from a moment until before another one, by its begin. Of each chain, there is only the last record
 * with the doctor. If the appointment has moved on to another doctor, that record is `rescheduled`.
 */
export function calendarEntriesOf({ trx }: Work, doctorId: string, from: Date, until: Date) {
  return trx.query<CalendarEntry>(
    entriesOf("doctor_id = $1 AND starts_at >= $2 AND starts_at < $3 AND status <> 'held' AND deleted_at IS NULL"),
    [doctorId, from, until],
  );
}

/** Those with these ids, by their begin. */
export function calendarEntries({ trx }: Work, ids: readonly string[]) {
  return trx.query<CalendarEntry>(entriesOf('id = ANY($1) AND deleted_at IS NULL'), [ids]);
}

/** @param chosen condition on appointments. */
function entriesOf(chosen: string): string {
  return `
    WITH RECURSIVE chain AS (
      SELECT id AS entry_id, id, rescheduled_from_id, 0 AS moves FROM appointments WHERE ${chosen}
      UNION ALL
      SELECT chain.entry_id, before.id, before.rescheduled_from_id, chain.moves + 1
      FROM chain JOIN appointments before ON before.id = chain.rescheduled_from_id
    ), latest AS (
      SELECT DISTINCT ON (id) id AS first_id, entry_id, moves FROM chain
      WHERE rescheduled_from_id IS NULL ORDER BY id, moves DESC
    )
    SELECT entry.id, first_id AS "firstId", moves, appointment_no AS "appointmentNo", clinic_id AS "clinicId",
      room_id AS "roomId", status, version, starts_at AS "startsAt", ends_at AS "endsAt", updated_at AS "updatedAt"
    FROM latest JOIN appointments entry ON entry.id = latest.entry_id ORDER BY starts_at, entry.id`;
}
