/** Visitors of patients. Some are still in the hospital, some are expected, and now and then one is sent away. */
import { checkIn, checkOut, createVisitor, denyVisitor, listInside, newVisitor } from '@hms/domain/visitors';
import { refusedOr } from './bookings.ts';
import type { Day } from './day.ts';
import { countryOf, familyName, firstName, lastName, phone, type Sex } from './names.ts';
import type { PatientBook } from './patients.ts';
import { Random } from './random.ts';
import { type Actor, after, latest } from './run.ts';

/** Visitors of an average day for each patient, and at most. */
const SHARE = 0.008;
const MOST = 40;
/** They come in these hours. */
const OPENS = 10 * 60;
const OPEN_MINUTES = 9 * 60;
const RELATIONS = {
  female: ['Daughter', 'Wife', 'Mother', 'Sister', 'Friend', 'Neighbour'],
  male: ['Son', 'Husband', 'Father', 'Brother', 'Friend', 'Neighbour'],
} as const;
const KIN = new Set<string>(['Daughter', 'Son', 'Sister', 'Brother', 'Father']);
const DENIED = ['Has a fever', 'The patient does not want to see them', 'Was loud in the ward yesterday'];

/** Plans who comes on a day, and when those leave who are there. */
export async function planVisitors(day: Day): Promise<void> {
  const { run, date } = day;
  const { staff, book } = day.place;
  await letOut(day);
  const share = 0.6 + 0.8 * new Random(run.options.seed, 'visitors', date).next();
  const number = Math.round(Math.min(MOST, book.count * SHARE) * share * (run.isWeekend(date) ? 1.3 : 1));
  for (let index = 0; index < number; index += 1) {
    const random = new Random(run.options.seed, 'visitor', date, index);
    const moment = day.moment(OPENS + ((index + random.next()) / number) * OPEN_MINUTES);
    const patientId = book.somebody(random, moment);
    if (patientId === undefined || !day.isNew(moment)) continue;
    const receptionist = random.oneOf(staff.receptionists);
    const body = newVisitor.parse({ patientId, ...visitorOf(book, patientId, random) });
    day.plan(moment, async () => {
      const { id } = await day.as(receptionist, moment, (work) => createVisitor(work, body));
      day.counts.visitors += 1;
      // Not everybody comes who was announced.
      if (!random.chance(0.05)) planEntry(day, id, moment, receptionist, random);
    });
  }
}

function planEntry(day: Day, id: string, moment: Date, receptionist: Actor, random: Random): void {
  const inAt = after(moment, random.between(1, 15));
  const outAt = after(inAt, random.between(20, 150));
  const denied = random.chance(0.03) ? random.oneOf(DENIED) : undefined;
  day.plan(inAt, async () => {
    if (denied !== undefined) {
      await day.as(receptionist, inAt, (work) => denyVisitor(work, id, denied, undefined));
      return;
    }
    // Enough others may be with the patient.
    const isIn = await refusedOr(day.as(receptionist, inAt, (work) => checkIn(work, id, {})));
    if (isIn) day.plan(outAt, () => leave(day, id, receptionist, outAt));
  });
}

/** Those whom an earlier run has left inside. */
async function letOut(day: Day): Promise<void> {
  const { admin } = day.place.staff;
  const opened = latest(day.moment(0), day.from);
  for (const { id, passNo } of await day.as(admin, opened, (work) => listInside(work))) {
    const outAt = after(opened, new Random(passNo).between(5, 60));
    day.plan(outAt, () => leave(day, id, admin, outAt));
  }
}

async function leave(day: Day, id: string, actor: Actor, moment: Date): Promise<void> {
  await day.as(actor, moment, (work) => checkOut(work, id, undefined));
}

/** Who visits a patient. */
function visitorOf(book: PatientBook, patientId: string, random: Random) {
  const patient = book.personOf(patientId);
  const country = countryOf(patient.country);
  const sex: Sex = random.chance(0.5) ? 'female' : 'male';
  const relation = random.oneOf(RELATIONS[sex]);
  const last = KIN.has(relation) ? familyName(patient.country, patient.lastName, sex) : lastName(country, sex, random);
  return {
    name: `${firstName(country, sex, random)} ${last}`,
    ...(random.chance(0.85) ? { relation } : {}),
    ...(random.chance(0.6) ? { phone: phone(country, random) } : {}),
    ...(random.chance(0.35) ? { idLast4: String(random.below(10_000)).padStart(4, '0') } : {}),
    ...(random.chance(0.5) ? { place: `Ward ${random.between(1, 4)}, room ${random.between(1, 18)}` } : {}),
  };
}
