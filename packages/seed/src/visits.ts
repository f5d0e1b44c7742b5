/** What happens on each day: people are examined, tests are ordered and done, drugs are prescribed and dispensed. */
import type { Transaction } from '@hms/database';
import {
  acknowledgeResults,
  cancelOrder,
  collect,
  enterResults,
  labOrders,
  newOrder,
  placeOrder,
  readOrder,
  receive,
  reject,
  type ShownOrder,
  verifyResults,
} from '@hms/domain/lab-orders';
import { dispense, newPrescription, prescribe, prescriptions, returnDispensed } from '@hms/domain/prescriptions';
import { Problem, records } from '@hms/service';
import type { Agenda } from './agenda.ts';
import { DRUGS, type SeededDrug } from './drug-catalogue.ts';
import { type Laboratory, valueFor } from './laboratory.ts';
import type { PatientBook } from './patients.ts';
import { Random } from './random.ts';
import { type Actor, after, type SeedRun } from './run.ts';
import { FIRST, type Staff } from './staff.ts';
import type { Pharmacy } from './stock.ts';

/** Visits of a patient in 90 days. */
const VISITS = 0.3;
/** A small hospital has more, so that there is something to see: so many a day, and not more often than in 40 days. */
const FEWEST = 25;
const OFTEN_DAYS = 40;
const LAB = 0.55;
const PRESCRIPTION = 0.7;
/** Drugs of a prescription, on average. */
const ITEMS = 1.6;
const WEEKEND = 0.35;
/** Minutes until a doctor prescribes. */
const CONSULTATION = 6;
/** From 8:00 to 18:00. */
const OPENS = 8 * 60;
const OPEN_MINUTES = 10 * 60;

export interface Place {
  readonly staff: Staff;
  readonly book: PatientBook;
  readonly laboratory: Laboratory;
  readonly pharmacy: Pharmacy;
}

export interface Counts {
  orders: number;
  prescriptions: number;
  dispenses: number;
}

/** Visits of an average day. */
function visitsPerDay(patients: number): number {
  return Math.max(1, (patients * VISITS) / 90, Math.min(FEWEST, patients / OFTEN_DAYS));
}

/** Prescribed drugs of an average day. */
export function itemsPerDay(patients: number): number {
  return visitsPerDay(patients) * PRESCRIPTION * ITEMS;
}

/** The latest orders and prescriptions. A run goes on after them. */
export interface Progress {
  readonly orderedAt: Date;
  readonly prescribedAt: Date;
}

export async function readProgress(run: SeedRun, { admin }: Staff): Promise<Progress> {
  return run.batch((trx) =>
    run.as(trx, admin, new Date(), async (work) => {
      const query = { ...FIRST, limit: 1, sort: [{ field: 'createdAt', descending: true }] };
      const [[order], [prescription]] = await Promise.all([
        records(work, labOrders)
          .list(query)
          .then(({ data }) => data),
        records(work, prescriptions)
          .list(query)
          .then(({ data }) => data),
      ]);
      return { orderedAt: new Date(order?.createdAt ?? 0), prescribedAt: new Date(prescription?.createdAt ?? 0) };
    }),
  );
}

/**
 * Does what is missing of a day.
 * @param agenda of the pharmacy, whose movements have to be in the order of time.
 */
export async function visitDay(
  run: SeedRun,
  place: Place,
  day: string,
  { orderedAt, prescribedAt }: Progress,
  agenda: Agenda,
  counts: Counts,
): Promise<void> {
  const number = Math.round(visitsPerDay(run.options.patients) * (run.isWeekend(day) ? WEEKEND : 1.2));
  const planned = Array.from({ length: number }, (_, index): Visit => {
    const key = `${run.options.seed}/${day}/${index}`;
    const random = new Random(key, 'visit');
    const moment = run.at(day, OPENS + ((index + random.next()) / number) * OPEN_MINUTES);
    const hasLab = random.chance(LAB);
    return { key, moment, hasLab, hasPrescription: !hasLab || random.chance(PRESCRIPTION) };
  });
  const ordered = planned.filter(({ hasLab, moment }) => hasLab && moment > orderedAt && run.isPast(moment));
  for (const { key, moment, hasPrescription } of planned) {
    const at = after(moment, CONSULTATION);
    if (!hasPrescription || at <= prescribedAt || !run.isPast(at)) continue;
    agenda.add(at, async () => {
      const written = await consultation(run, place, { key, moment }, (of) => writePrescription(of, at));
      if (!written) return;
      counts.prescriptions += 1;
      planDispense(run, place, agenda, { ...written, key, moment: at }, counts);
    });
  }
  // Each has counters of its own, so that they do not wait for each other.
  await Promise.all([
    inTurn(ordered, async (visit) => {
      const isOrdered = await consultation(run, place, visit, async (of) => {
        await orderTests(of, visit.moment);
        return true;
      });
      if (isOrdered) counts.orders += 1;
    }),
    agenda.runUntil(run.notAfterNow(run.at(day, 24 * 60))),
  ]);
}

async function inTurn<T>(all: readonly T[], work: (one: T) => Promise<void>): Promise<void> {
  for (const one of all) await work(one);
}

interface Visit {
  /** What is random about it follows from this. */
  readonly key: string;
  readonly moment: Date;
  readonly hasLab: boolean;
  readonly hasPrescription: boolean;
}

/** One transaction with one patient. Undefined if nobody is registered at that time. */
async function consultation<T>(
  run: SeedRun,
  place: Place,
  { key, moment }: Pick<Visit, 'key' | 'moment'>,
  work: (of: Consultation) => Promise<T>,
): Promise<T | undefined> {
  const random = new Random(key, 'consultation');
  const patientId = place.book.somebody(random, moment);
  if (patientId === undefined) return undefined;
  const doctor = random.oneOf(place.staff.doctors);
  return run.batch((trx) => work({ run, place, trx, random, patientId, doctor }));
}

interface Consultation {
  readonly run: SeedRun;
  readonly place: Place;
  readonly trx: Transaction;
  readonly random: Random;
  readonly patientId: string;
  readonly doctor: Actor;
}

/** An order runs through the laboratory as far as the present allows. */
async function orderTests(of: Consultation, start: Date): Promise<void> {
  const { run, place, trx, random, patientId, doctor } = of;
  const { staff, laboratory } = place;
  const urgent = random.chance(0.08);
  const body = newOrder.parse({
    ...{ patientId, doctorId: doctor.employeeId, priority: urgent ? 'stat' : 'routine' },
    ...laboratory.someTests(random),
  });
  const { id } = await run.as(trx, doctor, start, (work) => placeOrder(work, body));
  const step = async <T>(actor: Actor, moment: Date, work: Parameters<typeof run.as<T>>[3]) =>
    run.isPast(moment) ? run.as(trx, actor, moment, work) : undefined;

  let moment = after(start, random.between(5, urgent ? 15 : 40));
  if (random.chance(0.02)) {
    await step(doctor, moment, (work) => cancelOrder(work, id, { reason: 'Patient went home' }, undefined));
    return;
  }
  const nurse = random.oneOf(staff.nurses);
  if (!(await step(nurse, moment, (work) => collect(work, id, {}, undefined)))) return;
  const [technician, verifier] = staff.technicians;
  if (!technician || !verifier) throw new Error('the laboratory needs two technicians');
  moment = after(moment, random.between(5, 30));
  if (!(await step(technician, moment, (work) => receive(work, id, {}, undefined)))) return;
  if (random.chance(0.03)) {
    moment = after(moment, 4);
    const reason = random.oneOf(['Haemolysed', 'Clotted', 'Too little blood', 'Not labelled']);
    const rejected = await step(technician, moment, async (work) => {
      const specimen = (await readOrder(work, id)).specimens.find(({ status }) => status === 'received');
      if (specimen) await reject(work, id, { specimenId: specimen.id, reason }, undefined);
      return true;
    });
    moment = after(moment, random.between(20, 60));
    if (!rejected || !(await step(nurse, moment, (work) => collect(work, id, {}, undefined)))) return;
  }
  moment = after(moment, random.between(20, urgent ? 40 : 150));
  const entered = await step(technician, moment, async (work) => {
    const { items } = await readOrder(work, id);
    const results = items.map((item) => ({ itemId: item.id, value: valueFor(item.code, random), note: undefined }));
    await enterResults(work, id, { results }, undefined);
    return true;
  });
  moment = after(moment, random.between(5, urgent ? 15 : 90));
  if (!entered || (random.chance(0.01) && run.isPast(moment))) return;
  const verified = await step(verifier, moment, async (work) => {
    const order = await readOrder(work, id);
    await verifyResults(work, id, { resultIds: resultsOf(order) }, undefined);
    return resultsOf(order, (result) => result.isCritical);
  });
  if (!verified?.length) return;
  await step(doctor, after(moment, random.between(2, 40)), (work) =>
    acknowledgeResults(work, id, { resultIds: verified }, undefined),
  );
}

type Result = NonNullable<ShownOrder['items'][number]['result']>;

function resultsOf({ items }: ShownOrder, isWanted: (result: Result) => boolean = () => true): string[] {
  return items.flatMap(({ result }) => (result && isWanted(result) ? [result.id] : []));
}

/** A doctor who gets a warning chooses other drugs, or says why these are right. */
async function writePrescription(of: Consultation, moment: Date): Promise<{ readonly id: string }> {
  const { run, trx, random, patientId, doctor } = of;
  for (let tries = 1; ; tries += 1) {
    const items = someDrugs(random).map((drug) => itemOf(of.place.pharmacy, drug));
    const body = newPrescription.parse({ patientId, doctorId: doctor.employeeId, items });
    const findings = await run.as(trx, doctor, moment, async (work) => {
      try {
        return { id: (await prescribe(work, body)).id };
      } catch (error) {
        if (error instanceof Problem && error.details?.findings) return error.details as unknown as Refused;
        throw error;
      }
    });
    if ('id' in findings) return findings;
    if (tries < MOST_TRIES && !random.chance(0.2)) continue;
    const overrides = findings.findings.map(({ finding }) => ({ finding, reason: random.oneOf(REASONS) }));
    const accepted = { ...body, overrides };
    return { id: (await run.as(trx, doctor, moment, (work) => prescribe(work, accepted))).id };
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

interface Prescribed {
  readonly id: string;
  readonly key: string;
  readonly moment: Date;
}

/** Most people go to the pharmacy at once. Some get a part, and a few bring something back. */
function planDispense(
  run: SeedRun,
  { staff }: Place,
  agenda: Agenda,
  { id, key, moment }: Prescribed,
  counts: Counts,
): void {
  const random = new Random(key, 'pharmacy');
  const pharmacist = random.oneOf(staff.pharmacists);
  const givenAt = after(moment, random.between(5, 90));
  const backAt = after(givenAt, random.between(1, 5) * 24 * 60);
  if (!random.chance(0.88)) return;
  agenda.add(givenAt, async () => {
    const partially = random.chance(0.9);
    const done = await run.batch((trx) =>
      run.as(trx, pharmacist, givenAt, async (work) => {
        try {
          return await dispense(work, id, { partially, overrides: [] });
        } catch (error) {
          // Nothing in stock, or what somebody was prescribed meanwhile does not go with it: it stays open.
          if (error instanceof Problem) return undefined;
          throw error;
        }
      }),
    );
    if (!done) return;
    counts.dispenses += 1;
    const [line] = done.lines;
    if (!line || line.quantity < 2 || !random.chance(0.01)) return;
    const lines = [{ lineId: line.id, quantity: Math.ceil(line.quantity / 2) }];
    agenda.add(backAt, async () => {
      await run.batch((trx) =>
        run.as(trx, pharmacist, backAt, (work) => returnDispensed(work, done.id, { lines, reason: 'Not tolerated' })),
      );
    });
  });
}

function itemOf({ drugIds }: Pharmacy, { code, usual: [dose, timesPerDay, durationDays], instructions }: SeededDrug) {
  return { drugId: drugIds.get(code) ?? '', dose, timesPerDay, durationDays, instructions };
}

function someDrugs(random: Random): readonly SeededDrug[] {
  const wanted = random.chance(0.55) ? 1 : random.between(2, 3);
  const chosen = new Set<SeededDrug>();
  while (chosen.size < wanted) chosen.add(random.byShare(DRUGS, ({ share }) => share));
  return [...chosen];
}
