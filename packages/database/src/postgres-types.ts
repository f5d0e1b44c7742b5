/** How values of PostgreSQL arrive: `date` as its text, `int8` as a number, `timestamptz` as a Date. */
import type { Knex } from 'knex';
import pg from 'pg';

const DATE = pg.types.builtins.DATE;
const INT8 = pg.types.builtins.INT8;

/** A parser for a type, in pg's form. A `date` as a Date would be local midnight, another day elsewhere. */
export const getTypeParser: Knex.PgGetTypeParser = (oid, format) => {
  if (oid === DATE) return (text: string) => text;
  if (oid === INT8) return safeInteger;
  return pg.types.getTypeParser(oid, format === 'binary' ? 'binary' : 'text');
};

/** @throws RangeError if a number can't hold the value. */
function safeInteger(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new RangeError(`${text} is too large for a number`);
  return value;
}
