/** The days of the hospital, one after the other. */
import { lastNumbers, takeNumber } from '@hms/service';
import { planLatePayments } from './billing.ts';
import { planBookings, planWaitingList } from './bookings.ts';
import { slotsOf } from './calendar.ts';
import { planShift } from './cash-desk.ts';
import { ITEMS, PRESCRIPTION } from './consultations.ts';
import { type Counts, Day, type Place } from './day.ts';
import { Reception } from './reception.ts';
import type { SeedRun } from './run.ts';
import type { Staff } from './staff.ts';
import { planVisitors } from './visitors.ts';

/** Visits of a patient in 90 days. */
const VISITS = 0.3;
/** A small hospital has more, so that there is something to see: so many a day, and not more often than in 40 days. */
const FEWEST = 25;
const OFTEN_DAYS = 40;
/** The shares of a doctor's times that are booked, and that are left for people without an appointment, at most. */
const BOOKED = 0.65;
const WALK_INS = 0.25;
/** Weekdays have more people than weekends. */
const WEEKDAY = 1.2;
const WEEKEND = 0.35;
/** What one doctor sees on a day of a weekend. */
const ON_DUTY = 22;

/** People of an average day of the week. No more than the doctors can see. */
function visitsPerDay({ options: { patients } }: SeedRun, { doctors }: Pick<Staff, 'doctors'>): number {
  const most = doctors.reduce((sum, doctor) => sum + slotsOf(doctor), 0) * (BOOKED + WALK_INS);
  const wanted = Math.max(1, (patients * VISITS) / 90, Math.min(FEWEST, patients / OFTEN_DAYS));
  return Math.min(most, wanted * WEEKDAY);
}

/** Prescribed drugs of an average day. */
export function itemsPerDay(run: SeedRun, staff: Pick<Staff, 'doctors'>): number {
  return visitsPerDay(run, staff) * PRESCRIPTION * ITEMS;
}

/** The numbers by which a hospital knows how far it was lived: each is taken once, for a moment. */
const SERIES = 'seed';

/** Until when an earlier run has lived. A run goes on after it. */
export async function readProgress(run: SeedRun): Promise<Date> {
  const done = await run.batch((trx) => trx.query<{ period: string }>(lastNumbers(SERIES)));
  return new Date(Math.max(0, ...done.map(({ period }) => Date.parse(period))));
}

/** Does what is missing of a day, in one transaction: it is there as a whole or not at all. */
export async function liveDay(run: SeedRun, place: Place, date: string, from: Date, counts: Counts): Promise<void> {
  const visits = visitsPerDay(run, place.staff);
  const slots = place.staff.doctors.reduce((sum, doctor) => sum + slotsOf(doctor), 0);
  const share = (visits / slots) * (BOOKED / (BOOKED + WALK_INS));
  const walkIns = run.isWeekend(date) ? Math.min(ON_DUTY, visits * WEEKEND) : visits * (WALK_INS / (BOOKED + WALK_INS));
  const before = { ...counts };
  try {
    await run.batch(async (trx) => {
      const day = new Day(trx, { run, place, date, from, counts });
      planBookings(day, share);
      planWaitingList(day);
      planShift(day);
      await planLatePayments(day);
      await planVisitors(day);
      await new Reception(day).open(share, Math.round(walkIns));
      await day.live();
      const until = run.notAfterNow(run.at(date, 24 * 60)).toISOString();
      await day.as(place.staff.admin, run.options.now, (work) => takeNumber(work, SERIES, until));
    });
  } catch (error) {
    Object.assign(counts, before);
    throw error;
  }
}
