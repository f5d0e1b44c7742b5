/** Numbers that people read, in series without a gap: the table `counters`. */
import type { Work } from '../work.ts';

/**
 * Takes the next number of a series. Others wait for it until the transaction ends, and a number of a transaction that is
 * rolled back is reused: there are no duplicates and no gaps. So it is taken as late as possible.
 * @param period such as a day. Each begins with 1.
 */
export async function takeNumber({ trx }: Pick<Work, 'trx'>, series: string, period = ''): Promise<number> {
  const [row] = await trx.query<{ value: string }>(TAKE, [series, period]);
  return Number(row?.value);
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

const TAKE = `
  INSERT INTO counters (series, period, value) VALUES ($1, $2, 1)
  ON CONFLICT (series, period) DO UPDATE SET value = counters.value + 1 RETURNING value`;

const HOLD = `
  INSERT INTO counters (series, period, value) VALUES ($1, $2, 0)
  ON CONFLICT (series, period) DO UPDATE SET value = counters.value RETURNING value`;
