/** Appointments that are booked, confirmed, moved and cancelled, and the waiting list. */
import {
  type Appointment,
  appointments,
  book,
  cancelAppointment,
  confirm,
  newAppointment,
  reschedule,
} from '@hms/domain/appointments';
import { addDays } from '@hms/domain/schedules';
import { addToWaitingList, newWaitingEntry, waitingList, withdraw } from '@hms/domain/waiting-list';
import { Problem, records, type Work } from '@hms/service';
import { MOST_DAYS_BEFORE, type PlannedAppointment, plannedOn } from './calendar.ts';
import { isFor } from './clinics.ts';
import type { Day } from './day.ts';
import { Random } from './random.ts';
import { FIRST } from './run.ts';

const REASONS = ['Blood pressure', 'Cough', 'Check-up', 'Back pain', 'Results', 'Headache', 'Vaccination', 'Rash'];
const CANCELLED = ['Feels better', 'Has to work', 'Goes to another doctor', 'Is ill at home'];
/** Chance that somebody is put on the waiting list on a day, and days until they wait no more. */
const WAITS = 0.4;
const WAIT_DAYS = 12;

/** @param share of the times of doctors that are booked */
export function planBookings(day: Day, share: number): void {
  const { doctors } = day.place.staff;
  for (let ahead = 0; ahead <= MOST_DAYS_BEFORE; ahead += 1) {
    for (const planned of plannedOn(day.run, doctors, addDays(day.date, ahead), share)) {
      if (day.isNew(planned.bookedAt)) day.plan(planned.bookedAt, () => bookOne(day, planned));
      if (planned.fate !== 'comes' && planned.fate !== 'is missing' && day.isNew(planned.changedAt)) {
        day.plan(planned.changedAt, () => changeOne(day, planned));
      }
    }
  }
}

async function bookOne(day: Day, { key, doctor, startsAt, bookedAt }: PlannedAppointment): Promise<void> {
  const { book: known, staff, prices } = day.place;
  const random = new Random(key, 'booking');
  const patientId = known.somebody(random, bookedAt, (age) => isFor(doctor.clinic, age), startsAt);
  if (patientId === undefined) return;
  const body = newAppointment.parse({
    ...{ patientId, doctorId: doctor.employeeId, startsAt: startsAt.toISOString() },
    ...{ visitTypeId: prices.visitTypeOf(doctor.slotMinutes), reason: random.oneOf(REASONS) },
  });
  const booked = await refusedOr(day.as(random.oneOf(staff.receptionists), bookedAt, (work) => book(work, body)));
  if (booked) day.counts.appointments += 1;
}

async function changeOne(day: Day, planned: PlannedAppointment): Promise<void> {
  const { key, doctor, startsAt, changedAt, fate, movesTo } = planned;
  const random = new Random(key, 'change');
  await day.as(random.oneOf(day.place.staff.receptionists), changedAt, async (work) => {
    const filters = { doctorId: doctor.employeeId, status: 'booked', startsFrom: startsAt.toISOString() };
    const startsBefore = new Date(startsAt.getTime() + 1).toISOString();
    const [found] = (await records(work, appointments).list({ ...FIRST, filters: { ...filters, startsBefore } })).data;
    if (!found) return;
    if (fate === 'confirms') await confirm(work, found.id, undefined);
    if (fate === 'cancels') await cancelAppointment(work, found.id, { reason: random.oneOf(CANCELLED) });
    if (fate !== 'moves' || !movesTo) return;
    await reschedule(work, found.id, { startsAt: movesTo.toISOString() });
    day.counts.appointments += 1;
  });
}

/** The appointments of the day to which somebody may still come. */
export async function expected(day: Day, moment: Date): Promise<readonly Appointment[]> {
  const filters = { startsFrom: day.moment(0).toISOString(), startsBefore: day.moment(24 * 60).toISOString() };
  return day.as(day.place.staff.admin, moment, async (work) => {
    const all: Appointment[] = [];
    for (let page = 1; ; page += 1) {
      const { data } = await records(work, appointments).list({ ...FIRST, page, filters });
      all.push(...data.filter(({ status }) => status === 'booked' || status === 'confirmed'));
      if (data.length < FIRST.limit) return all;
    }
  });
}

/** Now and then, somebody waits for a doctor who has no time that suits, and after some days not any more. */
export function planWaitingList(day: Day): void {
  const { staff, book: known } = day.place;
  const random = new Random(day.run.options.seed, 'waiting list', day.date);
  const [moment, over] = [day.moment(9 * 60 + random.next() * 7 * 60), day.moment(8.5 * 60)];
  const receptionist = random.oneOf(staff.receptionists);
  if (random.chance(WAITS) && day.isNew(moment)) {
    const doctor = random.oneOf(staff.doctors);
    const patientId = known.somebody(random, moment, (age) => isFor(doctor.clinic, age));
    const body = {
      ...{ patientId, doctorId: doctor.employeeId, clinicId: doctor.clinicId, reason: random.oneOf(REASONS) },
      ...{ fromDate: addDays(day.date, 1), untilDate: addDays(day.date, WAIT_DAYS) },
      priority: random.chance(0.2) ? 'urgent' : 'usual',
    };
    day.plan(moment, async () => {
      if (patientId === undefined) return;
      const wish = newWaitingEntry.parse(body);
      const added = await refusedOr(
        day.as(receptionist, moment, async (work) => {
          // A violated constraint would end the transaction, which is that of the whole day.
          const others = await waitingOnes(work, { doctorId: doctor.employeeId });
          const waits = others.some((one) => one.patientId === patientId);
          return waits ? undefined : addToWaitingList(work, wish);
        }),
      );
      if (added) day.counts.waiting += 1;
    });
  }
  if (!day.isNew(over)) return;
  day.plan(over, () =>
    day.as(receptionist, over, async (work) => {
      for (const { id, untilDate } of await waitingOnes(work)) {
        if (untilDate && untilDate.slice(0, 10) < day.date)
          await withdraw(work, id, { reason: 'Nothing was free in time' });
      }
    }),
  );
}

async function waitingOnes(work: Work, of: Readonly<Record<string, string>> = {}) {
  const { data } = await records(work, waitingList).list({ ...FIRST, filters: { ...of, status: 'waiting' } });
  return data;
}

/** Undefined if a rule refuses it, such as that the patient has another appointment at that time. */
export async function refusedOr<T>(done: Promise<T>): Promise<T | undefined> {
  try {
    return await done;
  } catch (error) {
    if (error instanceof Problem) return undefined;
    throw error;
  }
}
