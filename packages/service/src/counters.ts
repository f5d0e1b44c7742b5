import type { Knex } from 'knex';

/**
 * Takes the next number of a series, such as `HSP-000123`. Others wait until the transaction ends, and a number of a
 * transaction that is rolled back is reused, so there are no duplicates and no gaps.
 */
export async function takeNumber(trx: Knex.Transaction, series: string, letters: string): Promise<string> {
  const [row]: { value: number }[] = await trx
    .into('counters')
    .insert({ series, value: 1 })
    .onConflict(['series', 'period'])
    .merge({ value: trx.raw('counters.value + 1') })
    .returning('value');
  if (!row) throw new Error(`the counter ${series} gave no number`);
  return `${letters}-${String(row.value).padStart(6, '0')}`;
}
