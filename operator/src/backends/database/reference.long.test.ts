/** References on a real PostgreSQL: they wait for nobody, meet nothing of others, and leave nothing behind. */
import { compareShapes, connect, TENANT_MIGRATIONS } from '@hms/database';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Knex } from 'knex';
import { platform } from '../../../../test/platform.ts';
import { testCalls } from '../testing.ts';
import { Postgres } from './client.ts';
import { References } from './reference.ts';

const { admin, operator: url } = platform().databaseUrls;
let superuser: Knex;
let one: Postgres;
let other: Postgres;

beforeAll(() => {
  superuser = connect(admin, { poolSize: 1 });
  const settings = { url, applicationName: 'reference', poolSize: 1, statementTimeoutMs: 5_000 };
  one = new Postgres(settings, testCalls('database'));
  other = new Postgres(settings, testCalls('database'));
});
afterAll(() => Promise.all([superuser.destroy(), one.close(), other.close()]));

/** Schemas and roles of references that others see. */
async function leftBehind(): Promise<readonly string[]> {
  const { rows } = await superuser.raw<{ rows: { name: string }[] }>(
    `SELECT nspname AS name FROM pg_namespace WHERE nspname LIKE '%reference%'
      UNION SELECT rolname FROM pg_roles WHERE rolname LIKE '%reference%' ORDER BY name`,
  );
  return rows.map(({ name }) => name);
}

it('are created by two processes at the same time, and nothing of them remains', async () => {
  const before = await leftBehind();
  let inside: Awaited<ReturnType<References['shape']>> = [];
  // The other one starts and ends while the transaction of this one is open.
  const slow = {
    rolledBack: (op: string, work: (trx: Knex.Transaction) => Promise<unknown>) =>
      one.rolledBack(op, async (trx) => {
        const facts = await work(trx);
        inside = await new References(other, TENANT_MIGRATIONS).shape(TENANT_MIGRATIONS.length);
        return facts;
      }),
  } as unknown as Postgres;
  const facts = (await new References(slow, TENANT_MIGRATIONS).shape(TENANT_MIGRATIONS.length)) ?? [];
  expect(facts.length).toBeGreaterThan(100);
  expect(compareShapes(facts, inside ?? [])).toEqual([]);
  expect(await leftBehind()).toEqual(before);
});
