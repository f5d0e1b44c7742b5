/**
 * Fills a hospital with believable people and their history: created by the rules of the modules, at the times at which
 * it would have happened. Whoever runs it again completes what is missing, so it may end at any point.
 */
import { patients, registeredBy } from '@hms/domain/patients';
import { records } from '@hms/service';
import type { Counts, Place } from './day.ts';
import { itemsPerDay, liveDay, readProgress } from './days.ts';
import { ensureLaboratory } from './laboratory.ts';
import { PatientBook } from './patients.ts';
import { ensurePrices } from './prices.ts';
import { FIRST, type SeedOptions, SeedRun } from './run.ts';
import { ensureStaff, founderOf, receptionistsOf } from './staff.ts';
import { ensureCatalogue, recallOnce, stockDay } from './stock.ts';

export type { Person } from './names.ts';
export { type LabelledPair, labelledPairs } from './pairs.ts';
export { detailsAt, type Origin, personAt, type Registered } from './people.ts';
export type { SeedOptions } from './run.ts';

/** How many patients the hospital has whom the seed did not register. */
export async function otherPatients(options: SeedOptions): Promise<number> {
  const run = new SeedRun(options);
  const founder = await founderOf(run);
  return run.batch((trx) =>
    run.as(trx, founder, new Date(), async (work) => {
      const [accounts, { meta }] = await Promise.all([
        receptionistsOf(work),
        records(work, patients).list({ ...FIRST, limit: 1 }),
      ]);
      const own = await registeredBy(work, accounts);
      return (meta?.total ?? 0) - own.filter(({ isDeleted }) => !isDeleted).length;
    }),
  );
}

export interface SeedOutcome {
  /** What this run has created. */
  readonly created: Readonly<Counts> & { readonly patients: number };
  /** The codes of all seeded patients, by their number. */
  readonly codes: readonly string[];
}

/** @throws Error if the staff gets no accounts, and whatever PostgreSQL throws. What was committed stays. */
export async function seedHospital(options: SeedOptions): Promise<SeedOutcome> {
  const run = new SeedRun(options);
  const opened = run.at(run.days[0] ?? '', 0);
  const staff = await ensureStaff(run, opened);
  const perDay = itemsPerDay(run, staff);
  const laboratory = await ensureLaboratory(run, staff, opened);
  const pharmacy = await ensureCatalogue(run, staff, opened, perDay);
  const prices = await ensurePrices(run, staff, opened);
  const { book, created } = await PatientBook.fill(run, staff);
  const place: Place = { staff, book, laboratory, pharmacy, prices };
  const counts: Counts = {
    ...{ appointments: 0, waiting: 0, tokens: 0, orders: 0, prescriptions: 0, dispenses: 0, invoices: 0, payments: 0 },
    visitors: 0,
  };
  await options.part(`living ${run.days.length} ${run.days.length === 1 ? 'day' : 'days'}`, async (progress) => {
    const done = await readProgress(run);
    for (const [index, day] of run.days.entries()) {
      progress(() => `day ${index + 1} of ${run.days.length}, ${counts.tokens} visits, ${counts.invoices} invoices`);
      if (run.at(day, 24 * 60) <= done) continue;
      await stockDay(run, staff, pharmacy, day, perDay);
      if (index === Math.floor(run.days.length / 2)) await recallOnce(run, staff, day);
      await liveDay(run, place, day, done, counts);
    }
  });
  return { created: { patients: created, ...counts }, codes: book.codes };
}
