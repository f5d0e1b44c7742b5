import type { Knex } from 'knex';
import { answerOf } from './errors.ts';

/**
 * Runs one repair. Another role may have granted a privilege, which only that role or a superuser can revoke.
 * One refusal does not stop other repairs.
 * @returns what PostgreSQL refused, with its message.
 */
export async function tryRepair(
  trx: Knex.Transaction,
  object: string,
  repair: (nested: Knex.Transaction) => Promise<unknown>,
): Promise<readonly string[]> {
  try {
    await trx.transaction(async (nested) => {
      await nested.raw(`SET LOCAL lock_timeout = '5s'`);
      await repair(nested);
    });
    return [];
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && /^(42|2[BF]|0[AL]|55)/.test(String(error.code)))) throw error;
    return [`${object}: ${answerOf(error)}`];
  }
}

/** Runs one repair statement. @returns as `tryRepair` */
export function tryStatement(trx: Knex.Transaction, object: string, statement: string): Promise<readonly string[]> {
  return tryRepair(trx, object, (nested) => nested.raw(statement.replaceAll('?', '\\?')));
}
