/**
 * Holds: places that are kept for two minutes for somebody at a desk, who looks for the patient meanwhile. A hold is a row of
 * the table `appointments`, so that its constraint keeps the place, but no appointment: no list, feed or search has it.
 *
 * Each person has one hold at most. It is never in their own way: what they book at its time takes its place.
 */
import { build } from '@hms/database';
import { newId, Problem, records, type TaskName, type Work } from '@hms/service';
import { z } from 'zod';
import { employees, holdDoctor } from '../employees/employees.ts';
import { inZone } from '../schedules/times.ts';
import { useVisitType } from '../visit-types/visit-types.ts';
import { findSeat, findSlot } from './booking.ts';
import { HOLD_NOT_FOUND, type newHold } from './record.ts';
import { clearHolds } from './taking.ts';

const SECOND = 1_000;
const HELD_FOR = 120 * SECOND;

const moment = z.iso.datetime({ offset: true }).describe('With the offset of the hospital at that time');
export const shownHold = z
  .object({
    id: z.uuid(),
    doctorId: z.uuid(),
    startsAt: moment,
    endsAt: moment,
    heldUntil: moment,
  })
  .meta({ id: 'AppointmentHold' });
type ShownHold = z.output<typeof shownHold>;

const input = z.object({ holdId: z.uuid() });
/** Removes a hold that has expired. */
export const holdExpiry: TaskName<z.output<typeof input>> = { name: 'appointment-hold-expiry', input, attempts: 16 };

/**
 * Keeps a place for the caller. A place that they held before is given back, unless it is this one: then it is kept longer.
 * @throws Problem EMPLOYEE_NOT_FOUND, NOT_A_DOCTOR, VISIT_TYPE_NOT_FOUND, VISIT_TYPE_INACTIVE, IN_THE_PAST, TOO_FAR_AHEAD,
 * OUTSIDE_SCHEDULE, SLOT_TAKEN
 */
export async function holdPlace(
  work: Work,
  { doctorId, startsAt, visitTypeId }: z.output<typeof newHold>,
): Promise<ShownHold> {
  await holdDoctors(work, doctorId);
  const visitType = visitTypeId ? await useVisitType(work, visitTypeId) : undefined;
  const slot = await findSlot(work, { doctorId, startsAt, visitType });
  const seat = await findSeat(work, slot);
  await clearHolds(work, slot, 'expired');
  const { sub } = work.caller;
  const heldUntil = new Date(work.trx.moment.getTime() + HELD_FOR);
  const { clinicId, roomId, from, to } = slot;
  const values = [doctorId, clinicId, roomId, seat, new Date(from), new Date(to), heldUntil];
  const [hold] = await work.trx.query<Hold>(HOLD, [newId(), sub, ...values]);
  if (!hold) throw new Error('a hold was not written');
  const runAt = new Date(heldUntil.getTime() + SECOND);
  work.addTask(holdExpiry, { holdId: hold.id }, { key: hold.id, runAt });
  return tell(work, hold);
}

/** Gives a place back that the caller holds. @throws Problem HOLD_NOT_FOUND */
export async function giveBack(work: Work, id: string): Promise<ShownHold> {
  const [hold] = await work.trx.query<Hold>(`${REMOVE} AND created_by = $2 RETURNING ${COLUMNS}`, [
    id,
    work.caller.sub,
  ]);
  if (!hold) throw new Problem(HOLD_NOT_FOUND);
  return tell(work, hold);
}

/** What the task at the end of a hold does. Somebody may have held it longer. */
export async function expireHold(work: Work, id: string): Promise<void> {
  const expired = await work.trx.query(`${REMOVE} AND held_until <= $2 RETURNING id`, [id, work.trx.moment]);
  if (expired.length > 0) work.changed('appointments', id);
}

interface Hold {
  readonly id: string;
  readonly doctor_id: string;
  readonly starts_at: Date;
  readonly ends_at: Date;
  readonly held_until: Date;
}

const COLUMNS = 'id, doctor_id, starts_at, ends_at, held_until';
const REMOVE = `DELETE FROM appointments WHERE id = $1 AND status = 'held'`;
/**
 * Two requests of one person at the same time write the same row, one after the other. Another place has another id, so that
 * nobody gives back what they have taken since.
 */
const HOLD = `
  INSERT INTO appointments (
    id, created_by, updated_by, doctor_id, clinic_id, room_id, seat, starts_at, ends_at, held_until, status
  ) VALUES ($1, $2, $2, $3, $4, $5, $6, $7, $8, $9, 'held')
  ON CONFLICT (created_by) WHERE status = 'held' DO UPDATE SET
    id = CASE
      WHEN (appointments.doctor_id, appointments.starts_at) = (excluded.doctor_id, excluded.starts_at) THEN appointments.id
      ELSE excluded.id
    END,
    doctor_id = excluded.doctor_id, clinic_id = excluded.clinic_id, room_id = excluded.room_id, seat = excluded.seat,
    starts_at = excluded.starts_at, ends_at = excluded.ends_at, held_until = excluded.held_until, updated_at = moment()
  RETURNING ${COLUMNS}`;

/**
 * Locks the doctor, and the one with whom the caller has held a place. In the order of their ids, so that two people who
 * want what the other one has held can't deadlock.
 */
async function holdDoctors(work: Work, doctorId: string): Promise<void> {
  const rows = build.from('appointments').where({ created_by: work.caller.sub, status: 'held' });
  const held = await work.trx.run<{ doctor_id: string }>(rows.select('doctor_id'));
  for (const id of [...new Set([doctorId, ...held.map((one) => one.doctor_id)])].sort()) {
    if (id === doctorId) await holdDoctor(work, id);
    else await records(work, employees).lock(id);
  }
}

/** The hold as its owner sees it. The places of the doctor have changed for everybody else. */
function tell(work: Work, hold: Hold): ShownHold {
  const { timezone } = work.hospital;
  const at = (time: Date) => inZone(time.getTime(), timezone);
  work.changed('appointments', hold.id);
  return {
    ...{ id: hold.id, doctorId: hold.doctor_id },
    ...{ startsAt: at(hold.starts_at), endsAt: at(hold.ends_at), heldUntil: at(hold.held_until) },
  };
}
