/** Visitors of the last days. Some are still in the hospital. */
import { checkIn, checkOut, createVisitor, listVisitors, newVisitor } from '@hms/domain/visitors';
import { firstName, lastName, phone, someCountry } from './names.ts';
import type { PatientBook } from './patients.ts';
import { Random } from './random.ts';
import { after, FIRST, type SeedRun } from './run.ts';
import type { Staff } from './staff.ts';

const DAYS = 3;
/** Visitors of a day for each patient, and at most. */
const SHARE = 0.01;
const MOST = 100;

/** @returns how many came. */
export async function seedVisitors(run: SeedRun, staff: Staff, book: PatientBook): Promise<number> {
  const number = Math.min(MOST, Math.round(book.count * SHARE));
  let came = 0;
  for (const day of run.days.slice(-DAYS)) {
    const known = await run.batch((trx) =>
      run.as(trx, staff.admin, new Date(), (work) =>
        listVisitors(work, { ...FIRST, limit: 1, from: { day }, to: { instant: run.at(day, 24 * 60).toISOString() } }),
      ),
    );
    for (let index = known.meta?.total ?? 0; index < number; index += 1) {
      const random = new Random(run.options.seed, 'visitor', day, index);
      const moment = run.at(day, 10 * 60 + ((index + random.next()) / number) * 8 * 60);
      if (!run.isPast(moment)) break;
      const patientId = book.somebody(random, moment);
      if (patientId === undefined) continue;
      came += 1;
      const country = someCountry(random);
      const sex = random.chance(0.5) ? 'female' : 'male';
      const body = newVisitor.parse({
        patientId,
        name: `${firstName(country, sex, random)} ${lastName(country, sex, random)}`,
        ...(random.chance(0.6) ? { phone: phone(country, random) } : {}),
      });
      const receptionist = random.oneOf(staff.receptionists);
      await run.batch(async (trx) => {
        const { id } = await run.as(trx, receptionist, moment, (work) => createVisitor(work, body));
        const inAt = after(moment, 2);
        if (!run.isPast(inAt) || random.chance(0.1)) return;
        await run.as(trx, receptionist, inAt, (work) => checkIn(work, id, {}));
        const outAt = after(inAt, random.between(20, 120));
        if (run.isPast(outAt)) await run.as(trx, receptionist, outAt, (work) => checkOut(work, id, undefined));
      });
    }
  }
  return came;
}
