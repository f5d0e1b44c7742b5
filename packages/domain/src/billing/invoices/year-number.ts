/** Numbers that begin with 1 in each year of the hospital's calendar, without a gap. */
import { fields, returnNumber, takeNumberAt, type Work } from '@hms/service';

/**
 * Takes the next number of a series. The year, the number and the moment belong together: whoever has waited for another
 * one gets the time after that, so that numbers and times have one order.
 */
export async function takeYearNumber(
  work: Work,
  series: string,
): Promise<{ readonly year: number; readonly number: number; readonly at: string }> {
  const yearOf = (moment: Date) => Number(fields.today(work.hospital.timezone, moment).slice(0, 4));
  let year = yearOf(work.trx.moment);
  for (;;) {
    const { number, at } = await takeNumberAt(work, series, String(year));
    const now = yearOf(at);
    if (now === year) return { year, number, at: at.toISOString() };
    // Another year has begun while this waited.
    await returnNumber(work, series, String(year));
    year = now;
  }
}
