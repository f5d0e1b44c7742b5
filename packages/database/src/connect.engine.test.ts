/** Statements that were decided on before a process was frozen. */
import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import type { Knex } from 'knex';
import { platform } from '../../../test/platform.ts';
import { connect } from './index.ts';

let mayWrite = true;
let db: Knex;

beforeAll(async () => {
  const beforeStatement = () => {
    if (!mayWrite) throw new Error('not any more');
  };
  db = connect(platform().databaseUrls.operator, { poolSize: 1, beforeStatement });
  await db.raw('CREATE TEMPORARY TABLE notes (text text)');
});
beforeEach(() => {
  mayWrite = true;
});
afterAll(() => db.destroy());

const notes = async () => (await db.raw<{ rows: { text: string }[] }>('SELECT text FROM notes')).rows;

it('a statement that waits for a connection is checked when it gets one', async () => {
  const busy = await db.transaction();
  const late = db.raw("INSERT INTO notes VALUES ('late')");
  const outcome = late.then(
    () => 'written',
    (error: Error) => error.message,
  );
  mayWrite = false;
  await busy.rollback();
  expect(await outcome).toContain('not any more');
  mayWrite = true;
  expect(await notes()).toEqual([]);
});

it('a transaction that may not go on is rolled back', async () => {
  const work = db.transaction(async (trx) => {
    await trx.raw("INSERT INTO notes VALUES ('half')");
    mayWrite = false;
    await trx.raw("INSERT INTO notes VALUES ('done')");
  });
  await expect(work).rejects.toThrow('not any more');
  mayWrite = true;
  expect(await notes()).toEqual([]);
});
