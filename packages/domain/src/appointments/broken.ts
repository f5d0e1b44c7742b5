/** Appointments that no slot of their doctor fits any more, since a schedule or an absence has changed. */
import { createHash } from 'node:crypto';
import { build } from '@hms/database';
import { type ErrorKind, Problem, records, type Work } from '@hms/service';
import { z } from 'zod';
import { employees } from '../employees/employees.ts';
import { readWorkingTimes } from '../schedules/schedules.ts';
import { inZone, type Period } from '../schedules/times.ts';
import { appointments, type ShownAppointment } from './record.ts';
import { showAppointments } from './show.ts';
import { slotsIn } from './slots.ts';

const MINUTE = 60_000;
/** Planned appointments of all doctors that are compared with the slots. Those of one doctor are all compared. */
const MOST_CHECKED = 500;
/** Appointments that an error names. */
const MOST_NAMED = 100;

export const BREAKS_APPOINTMENTS: ErrorKind = {
  status: 409,
  code: 'BREAKS_APPOINTMENTS',
  message:
    'Appointments would fit no slot any more: details.appointments names them. Reschedule or cancel them first, or send details.breaks as breaks',
};

/** How a request says that it may break appointments. */
export const breaks = z
  .string()
  .regex(/^[A-Za-z0-9_-]{43}$/, 'must be details.breaks of the refusal')
  .optional()
  .describe('`details.breaks` of 409 `BREAKS_APPOINTMENTS`, if the appointments that it names may break');

/** In the order of their times. */
export async function readBroken(work: Work, doctorId: string | undefined): Promise<ShownAppointment[]> {
  const broken = await findBroken(work, doctorId);
  const found = await records(work, appointments).byIds(broken.map(({ id }) => id));
  const byId = new Map(found.map((one) => [one.id, one]));
  return showAppointments(
    work,
    broken.flatMap(({ id }) => byId.get(id) ?? []),
  );
}

/**
 * Makes a change of when a doctor works, unless it breaks appointments that the caller has not seen. Nobody books with the
 * doctor meanwhile.
 * @param accepted what an earlier refusal named as `breaks`: another set of appointments is another value
 * @throws Problem EMPLOYEE_NOT_FOUND, BREAKS_APPOINTMENTS, and those of the change
 */
export async function unlessBroken<Changed>(
  work: Work,
  { doctorId, accepted }: { readonly doctorId: string; readonly accepted: string | undefined },
  change: () => Promise<Changed>,
): Promise<Changed> {
  await records(work, employees).lock(doctorId);
  const before = new Set((await findBroken(work, doctorId)).map(({ id }) => id));
  const changed = await change();
  const broken = (await findBroken(work, doctorId)).filter(({ id }) => !before.has(id));
  if (broken.length === 0) return changed;
  const all = createHash('sha256')
    .update(broken.map(({ id }) => id).join())
    .digest('base64url');
  if (accepted === all) return changed;
  const named = broken.slice(0, MOST_NAMED).map(({ id, appointmentNo, from }) => {
    return { id, appointmentNo, startsAt: inZone(from, work.hospital.timezone) };
  });
  throw new Problem(BREAKS_APPOINTMENTS, { details: { appointments: named, count: broken.length, breaks: all } });
}

interface Planned extends Period {
  readonly id: string;
  readonly appointmentNo: string;
  readonly doctorId: string;
  readonly clinicId: string;
  readonly seat: number;
  /** How long it takes, if it has a type of visit: the type may have changed since. Otherwise slots have one length. */
  readonly minutes: number | undefined;
}

async function findBroken(work: Work, doctorId: string | undefined): Promise<readonly Planned[]> {
  const planned = await readPlanned(work, doctorId);
  const { timezone } = work.hospital;
  const capacities = new Map<string, number>();
  for (const [of, own] of Map.groupBy(planned, (one) => one.doctorId)) {
    const days = own.map(({ from }) => inZone(from, timezone).slice(0, 10));
    const { times } = await readWorkingTimes(work, { doctorId: of }, [...new Set(days)].sort());
    for (const minutes of new Set(own.map((one) => one.minutes)))
      for (const slot of times.flatMap((one) => slotsIn(one, minutes)))
        capacities.set(keyOf({ ...slot, minutes }), slot.capacity);
  }
  return planned.filter((one) => {
    const capacity = capacities.get(keyOf(one)) ?? 0;
    return one.seat > capacity && before(one, planned).length >= capacity;
  });
}

/** Those at the same time with the doctor who have a seat before that of an appointment. */
function before({ doctorId, from, to, seat }: Planned, planned: readonly Planned[]): readonly Planned[] {
  return planned.filter((one) => one.doctorId === doctorId && one.from < to && one.to > from && one.seat < seat);
}

async function readPlanned({ trx }: Work, doctorId: string | undefined): Promise<readonly Planned[]> {
  const rows = build.from('appointments').whereIn('status', ['booked', 'confirmed']).whereNull('deleted_at');
  rows.where('starts_at', '>', trx.moment).orderBy('starts_at').orderBy('id');
  if (doctorId === undefined) rows.limit(MOST_CHECKED);
  else rows.where('doctor_id', doctorId);
  const found = await trx.run<{
    id: string;
    appointment_no: string;
    doctor_id: string;
    clinic_id: string;
    seat: number;
    starts_at: Date;
    ends_at: Date;
    is_typed: boolean;
  }>(
    rows
      .select('id', 'appointment_no', 'doctor_id', 'clinic_id', 'seat', 'starts_at', 'ends_at')
      .select(build.raw('visit_type_id IS NOT NULL AS is_typed')),
  );
  return found.map(
    ({ id, appointment_no: appointmentNo, doctor_id: of, clinic_id: clinicId, seat, is_typed, ...times }) => {
      const [from, to] = [times.starts_at.getTime(), times.ends_at.getTime()];
      const minutes = is_typed ? (to - from) / MINUTE : undefined;
      return { id, appointmentNo, doctorId: of, clinicId, seat, from, to, minutes };
    },
  );
}

/** In another clinic, nobody expects the patient. */
function keyOf({ doctorId, clinicId, from, to, minutes }: Omit<Planned, 'id' | 'appointmentNo' | 'seat'>): string {
  return `${doctorId} ${clinicId} ${from} ${to} ${minutes}`;
}
