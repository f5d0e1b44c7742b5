/** Numbers that people read, in series without a gap: the table `counters`. */
import type { Work } from '../work.ts';

/**
 * Takes the next number of a series. Others wait for it until the transaction ends, and a number of a transaction that is
 * rolled back is reused: there are no duplicates and no gaps. So it is taken as late as possible.
 * @param period such as a day. Each begins with 1.
 */
export async function takeNumber(work: Pick<Work, 'trx'>, series: string, period = ''): Promise<number> {
  return (await takeNumberAt(work, series, period)).number;
}

/** As `takeNumber`. @returns also when it was taken, so that numbers and times have one order. */
export async function takeNumberAt(
  { trx }: Pick<Work, 'trx'>,
  series: string,
  period = '',
): Promise<{ readonly number: number; readonly at: Date }> {
  const [row] = await trx.query<{ value: string; at: Date }>(TAKE, [series, period]);
  if (!row) throw new Error(`no number of ${series} was returned`);
  return { number: Number(row.value), at: row.at };
}

/** Gives back the number that this transaction has taken last. */
export async function returnNumber({ trx }: Pick<Work, 'trx'>, series: string, period = ''): Promise<void> {
  await trx.query(RETURN, [series, period]);
}

/** Lets nobody take a number of the series until the transaction ends. @returns the last number. */
export async function holdNumbers({ trx }: Pick<Work, 'trx'>, series: string, period = ''): Promise<number> {
  const [row] = await trx.query<{ value: string }>(HOLD, [series, period]);
  return Number(row?.value);
}

/** SQL that reads the last number of each period of a series, in the columns `period` and `value`. */
export function lastNumbers(series: string): string {
  return `SELECT period, value FROM counters WHERE series = '${series}'`;
}

/** The time that records of the past are given, or the clock. It is read when nobody else holds the series any more. */
const NOW = `coalesce(nullif(current_setting('hms.moment', true), '')::timestamptz, clock_timestamp())`;

const TAKE = `
  INSERT INTO counters (series, period, value) VALUES ($1, $2, 1)
  ON CONFLICT (series, period) DO UPDATE SET value = counters.value + 1 RETURNING value, ${NOW} AS at`;

const RETURN = 'UPDATE counters SET value = value - 1 WHERE series = $1 AND period = $2';

const HOLD = `
  INSERT INTO counters (series, period, value) VALUES ($1, $2, 0)
  ON CONFLICT (series, period) DO UPDATE SET value = counters.value RETURNING value`;
