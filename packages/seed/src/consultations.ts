/** What happens in a consultation and after it: tests, drugs, and the bill. */
import { dispense, newPrescription, prescribe, returnDispensed } from '@hms/domain/prescriptions';
import { Problem } from '@hms/service';
import { planBill } from './billing.ts';
import { refusedOr } from './bookings.ts';
import type { Day, Visit } from './day.ts';
import { DRUGS, type SeededDrug } from './drug-catalogue.ts';
import { orderTests } from './lab-visits.ts';
import { Random } from './random.ts';
import { after } from './run.ts';
import type { Pharmacy } from './stock.ts';

const LAB = 0.4;
export const PRESCRIPTION = 0.6;
/** Drugs of a prescription, on average. */
export const ITEMS = 1.6;

/** Plans what follows from a consultation that has begun. */
export function consult(day: Day, visit: Visit): void {
  const { key, patientId, doctor, begins, ends } = visit;
  const random = new Random(key, 'visit');
  const part = (share: number) => new Date(begins.getTime() + (ends.getTime() - begins.getTime()) * share);
  const ordered = part(0.5);
  if (random.chance(LAB)) day.plan(ordered, () => orderTests(day, visit, ordered));
  const isPrescribed = random.chance(PRESCRIPTION);
  // Most people go to the pharmacy at once.
  const goes = isPrescribed && random.chance(0.88);
  const givenAt = after(ends, random.between(3, 40));
  if (isPrescribed) {
    const written = part(0.8);
    day.plan(written, async () => {
      const id = await writePrescription(day, visit, written);
      day.counts.prescriptions += 1;
      if (goes) day.plan(givenAt, () => giveDrugs(day, key, id, givenAt));
    });
  }
  const itemIds = day.place.prices.itemsOf(doctor.clinic, random);
  planBill(day, after(goes ? givenAt : ends, random.between(3, 9)), { key, patientId, itemIds });
}

/** Some get a part, and a few bring something back. */
async function giveDrugs(day: Day, key: string, id: string, givenAt: Date): Promise<void> {
  const random = new Random(key, 'pharmacy');
  const pharmacist = random.oneOf(day.place.staff.pharmacists);
  const partially = random.chance(0.9);
  // Nothing in stock, or what somebody was prescribed meanwhile does not go with it: it stays open.
  const done = await refusedOr(day.as(pharmacist, givenAt, (work) => dispense(work, id, { partially, overrides: [] })));
  if (!done) return;
  day.counts.dispenses += 1;
  const [line] = done.lines;
  const backAt = after(givenAt, random.between(60, 240));
  if (!line || line.quantity < 2 || !random.chance(0.01)) return;
  const lines = [{ lineId: line.id, quantity: Math.ceil(line.quantity / 2) }];
  day.plan(backAt, async () => {
    await day.as(pharmacist, backAt, (work) => returnDispensed(work, done.id, { lines, reason: 'Not tolerated' }));
  });
}

/** A doctor who gets a warning chooses other drugs, or says why these are right. */
async function writePrescription(day: Day, { key, patientId, doctor }: Visit, moment: Date): Promise<string> {
  const random = new Random(key, 'prescription');
  const age = day.place.book.ageOf(patientId, moment);
  for (let tries = 1; ; tries += 1) {
    const items = someDrugs(random, age).map((drug) => itemOf(day.place.pharmacy, drug));
    const body = newPrescription.parse({ patientId, doctorId: doctor.employeeId, items });
    const findings = await day.as(doctor, moment, async (work) => {
      try {
        return { id: (await prescribe(work, body)).id };
      } catch (error) {
        if (error instanceof Problem && error.details?.findings) return error.details as unknown as Refused;
        throw error;
      }
    });
    if ('id' in findings) return findings.id;
    if (tries < MOST_TRIES && !random.chance(0.2)) continue;
    const overrides = findings.findings.map(({ finding }) => ({ finding, reason: random.oneOf(REASONS) }));
    const accepted = { ...body, overrides };
    return (await day.as(doctor, moment, (work) => prescribe(work, accepted))).id;
  }
}

/** Other drugs that a doctor thinks of. */
const MOST_TRIES = 3;

interface Refused {
  readonly findings: readonly { readonly finding: string }[];
}

const REASONS = [
  'Tolerated it before',
  'The benefit is larger',
  'The patient is monitored',
  'As the cardiologist wrote',
];

function itemOf({ drugIds }: Pharmacy, { code, usual: [dose, timesPerDay, durationDays], instructions }: SeededDrug) {
  return { drugId: drugIds.get(code) ?? '', dose, timesPerDay, durationDays, instructions };
}

function someDrugs(random: Random, age: number): readonly SeededDrug[] {
  const suitable = DRUGS.filter(
    ({ fromAge, untilAge }) => fromAge <= age && (untilAge === undefined || age < untilAge),
  );
  const wanted = random.chance(0.55) ? 1 : random.between(2, 3);
  const chosen = new Set<SeededDrug>();
  while (chosen.size < wanted) chosen.add(random.byShare(suitable, ({ share }) => share));
  return [...chosen];
}
