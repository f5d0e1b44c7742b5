/** Numbers that begin with 1 in each year of the hospital's calendar, without a gap. */
import { holdNumbers, takeNumber, type Work } from '@hms/service';

/**
 * Takes the next number of a series. The year, the number and the moment belong together: whoever has waited for another
 * one gets the time after that, so that numbers and times have one order.
 */
export async function takeYearNumber(
  work: Work,
  series: string,
): Promise<{ readonly year: number; readonly number: number; readonly at: string }> {
  const yearOf = (moment: Date) =>
    Number(new Intl.DateTimeFormat('en', { year: 'numeric', timeZone: work.hospital.timezone }).format(moment));
  let year = yearOf(work.trx.moment);
  for (;;) {
    await holdNumbers(work, series, String(year));
    const [{ at } = { at: work.trx.moment }] = await work.trx.query<{ at: Date }>(CLOCK);
    const now = yearOf(at);
    // Another year may have begun while this waited.
    if (now === year) return { year, number: await takeNumber(work, series, String(year)), at: at.toISOString() };
    year = now;
  }
}

/** The time that records of the past are given, or the clock. */
const CLOCK = `SELECT coalesce(nullif(current_setting('hms.moment', true), '')::timestamptz, clock_timestamp()) AS at`;
