/** Transactions as a hospital: what they guarantee when something fails. */
import { randomBytes, randomUUID } from 'node:crypto';
import { hospitalNames } from '@hms/tenancy';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Knex } from 'knex';
import { platform } from '../../../test/platform.ts';
import { until } from '../../../test/support/until.ts';
import {
  connect,
  createTenantRole,
  createTenantSchema,
  dropTenantRole,
  dropTenantSchema,
  grantTenantSchema,
  migratePlatform,
  migrateTenant,
  openTenantPool,
  ownerMark,
  setTenantOpen,
  type TenantPool,
  type Transaction,
} from './index.ts';

const mary = hospitalNames(`x${randomBytes(5).toString('hex')}`);
let operator: Knex;
let tenants: TenantPool;

beforeAll(async () => {
  operator = connect(platform().databaseUrls.operator);
  // One connection, so that each transaction gets that of the one before.
  tenants = openTenantPool(platform().databaseUrls.app, { poolSize: 1, applicationName: mary.schema });
  await migratePlatform(operator);
  const mark = ownerMark({ hospitalId: randomUUID() });
  await createTenantRole(operator, mary, mark);
  await operator.transaction(async (trx) => {
    await createTenantSchema(trx, mary, randomUUID(), mark);
    await grantTenantSchema(trx, mary);
    await migrateTenant(trx, mary);
  });
  await setTenantOpen(operator, mary, true);
}, 60_000);

afterAll(async () => {
  await tenants.end();
  await dropTenantSchema(operator, mary);
  await dropTenantRole(operator, mary);
  await operator.destroy();
});

const insert = (trx: Transaction, series: string) =>
  trx.query('INSERT INTO counters (series, value) VALUES ($1, 1)', [series]);
const count = (series: string) =>
  tenants.inTenant(mary, async (trx) => (await trx.query('SELECT FROM counters WHERE series = $1', [series])).length);

it('an error of the work rolls everything back', async () => {
  const failing = tenants.inTenant(mary, async (trx) => {
    await insert(trx, 'a');
    throw new Error('refused');
  });
  await expect(failing).rejects.toThrow('refused');
  expect(await count('a')).toBe(0);
});

it('an error that the work ignores commits nothing', async () => {
  const failing = tenants.inTenant(mary, async (trx) => {
    await insert(trx, 'b');
    await insert(trx, 'b').catch(() => undefined);
  });
  await expect(failing).rejects.toThrow('nothing was committed');
  expect(await count('b')).toBe(0);
});

it('a savepoint keeps what was before it', async () => {
  await tenants.inTenant(mary, async (trx) => {
    await insert(trx, 'c');
    await trx.savepoint('here');
    await insert(trx, 'c').catch(() => undefined);
    await trx.rollBackTo('here');
  });
  expect(await count('c')).toBe(1);
});

it('a handle refuses statements after the end of its transaction', async () => {
  let kept: Transaction | undefined;
  await tenants.inTenant(mary, async (trx) => {
    kept = trx;
  });
  await expect(kept?.query('SELECT 1')).rejects.toThrow('has ended');
});

it('a closed hospital is refused with the error of the role, not with those that follow from it', async () => {
  const unknown = tenants.inTenant({ prefix: 'no-such-hospital' }, (trx) => trx.query('SELECT 1'));
  await expect(unknown).rejects.toMatchObject({ code: '22023' });
  await setTenantOpen(operator, mary, false);
  await expect(tenants.inTenant(mary, (trx) => insert(trx, 'd'))).rejects.toMatchObject({ code: '42501' });
  await setTenantOpen(operator, mary, true);
  expect(await count('d')).toBe(0);
});

it('a connection that PostgreSQL ends between two statements fails its transaction only', async () => {
  const failing = tenants.inTenant(mary, async (trx) => {
    await insert(trx, 'e');
    await operator.raw('SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = ?', [
      mary.schema,
    ]);
    const left = () => operator('pg_stat_activity').where({ application_name: mary.schema }).select<unknown[]>('pid');
    await until('the connection to end', left, ({ length }) => length === 0);
    await insert(trx, 'f');
  });
  await expect(failing).rejects.toThrow(/terminat|not queryable|closed/i);
  expect(await count('e')).toBe(0);
});

it('a transaction that waits for its process is ended, so that others can go on', async () => {
  const { rows } = await operator.raw<{ rows: { idle_in_transaction_session_timeout: string }[] }>(
    'SHOW idle_in_transaction_session_timeout',
  );
  expect(rows).toEqual([{ idle_in_transaction_session_timeout: '15s' }]);
  const [own] = await tenants.inTenant(mary, (trx) => trx.query('SHOW idle_in_transaction_session_timeout'));
  expect(own).toEqual({ idle_in_transaction_session_timeout: '1min' });
});

it('cancels the statements of work that nobody waits for, and no later ones', async () => {
  const superuser = connect(platform().databaseUrls.admin);
  const gone = new AbortController();
  const endless = tenants.inTenant(mary, (trx) =>
    trx.whileWanted(gone.signal, () => trx.query('SELECT count(*) FROM generate_series(1, 100000000000)')),
  );
  const outcome = endless.catch((error: { readonly code?: string }) => error.code);
  const running = () =>
    superuser('pg_stat_activity').where({ application_name: mary.schema, state: 'active' }).select('pid');
  await until('the statement', running, (found) => found.length > 0);
  gone.abort();
  expect(await outcome).toBe('57014');
  await superuser.destroy();
  // On the same connection.
  expect(await count('a')).toBe(0);
  const late = tenants.inTenant(mary, (trx) => trx.whileWanted(AbortSignal.abort('gone'), () => count('a')));
  expect(await late.catch((reason: unknown) => reason)).toBe('gone');
});
