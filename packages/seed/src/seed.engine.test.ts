/** The seed on PostgreSQL alone: what a run leaves that was interrupted at many points. */
import { setTimeout as delay } from 'node:timers/promises';
import { connect, openTenantPool, type TenantPool } from '@hms/database';
import { employees, setAccount } from '@hms/domain/employees';
import { checkInvariants } from '@hms/domain/payments';
import { newId, records, workFor } from '@hms/service';
import { createIssuer, createTestHospital, type Issuer, type TestHospital } from '@hms/service/testing';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { platform } from '../../../test/platform.ts';
import { FIRST } from './run.ts';
import { type SeedOptions, seedHospital } from './seed.ts';

const SLOW = 120_000;
/** In the night after a Thursday. */
const NOW = new Date('2026-03-12T22:00:00Z');
/** After so many transactions. The last of them are days. */
const INTERRUPTIONS = [4, 9, 12, 3, 2, 5];
const { databaseUrls } = platform();
const operator = connect(databaseUrls.operator);
const tenants = openTenantPool(databaseUrls.app, { poolSize: 2 });
/** Plans are kept for one hospital. */
const pools = [1, 2].map(() => openTenantPool(databaseUrls.app, { poolSize: 2, prepared: true })) as [
  TenantPool,
  TenantPool,
];
const sealer = { wrote: () => undefined };
let issuer: Issuer;
let one: TestHospital;
let other: TestHospital;

beforeAll(async () => {
  issuer = await createIssuer();
  [one, other] = [await createTestHospital(operator, issuer), await createTestHospital(operator, issuer)];
});
afterAll(async () => {
  await Promise.all([tenants.end(), ...pools.map((pool) => pool.end()), operator.destroy(), issuer.close()]);
});

/** No module creates accounts, so that the staff gets them here. */
async function seed(of: TestHospital, changes: Partial<SeedOptions> = {}) {
  const { hospital } = of;
  let isOver = false;
  const appointing = (async () => {
    while (!isOver) {
      await workFor({ tenants, sealer }, hospital, 'test', async (work) => {
        const { data } = await records(work, employees).list(FIRST);
        for (const { id, accountId } of data) if (accountId === null) await setAccount(work, id, newId());
      });
      await delay(20);
    }
  })();
  try {
    return await seedHospital({
      ...{ tenants: pools[of === one ? 0 : 1], hospital: { ...hospital, timezone: 'Europe/Dublin' }, sealer, now: NOW },
      ...{ patients: 400, days: 6, seed: 1, documentDays: 0, patience: 30_000 },
      part: (_, work) => work(() => undefined),
      ...changes,
    });
  } finally {
    isOver = true;
    await appointing;
  }
}

/** Transactions, of which the last one ends as if the process was killed in it. */
function interrupted(after: number): TenantPool {
  let left = after;
  return {
    ...pools[1],
    inTenant: (hospital, work, begin) =>
      pools[1].inTenant(
        hospital,
        async (trx) => {
          const result = await work(trx);
          left -= 1;
          if (left < 0) throw new Error('killed');
          return result;
        },
        begin,
      ),
  };
}

const rowsOf = async ({ hospital }: TestHospital, sql: string) => {
  const { rows } = await operator.raw<{ rows: object[] }>(
    sql.replaceAll('@', `h_${hospital.prefix.replaceAll('-', '_')}.`),
  );
  return rows;
};

/** Everything but ids. */
const CONTENT = [
  'SELECT patient_code, last_name, created_at FROM @patients ORDER BY 1',
  'SELECT appointment_no, status, starts_at, seat, end_reason, created_at FROM @appointments ORDER BY 1',
  'SELECT service_date, label, status, joined_at, first_called_at, started_at, ended_at, calls FROM @queue_entries ORDER BY 1, 2',
  'SELECT order_no, status, created_at, collected_at, verified_at FROM @lab_orders ORDER BY 1',
  // Background tasks mark those whose last day is over, whenever they get their turn.
  "SELECT rx_no, replace(status, 'expired', 'active') AS status, created_at FROM @prescriptions ORDER BY 1",
  'SELECT kind, quantity, balance, moved_at FROM @stock_movements ORDER BY moved_at, quantity, balance',
  'SELECT invoice_no, status, total, paid, issued_at, created_at FROM @invoices ORDER BY created_at, 1',
  'SELECT receipt_no, amount, paid_at FROM @payments ORDER BY 1',
  'SELECT status, priority, created_at FROM @waiting_list ORDER BY created_at',
] as const;

it(
  'leaves the same however often it is interrupted, and makes nothing twice',
  async () => {
    await seed(one);
    let kills = 0;
    for (const after of INTERRUPTIONS) {
      await seed(other, { tenants: interrupted(after) }).catch((error: Error) => {
        if (error.message !== 'killed') throw error;
        kills += 1;
      });
    }
    expect(kills).toBe(INTERRUPTIONS.length);
    const { created } = await seed(other);
    expect(created.tokens).toBeGreaterThan(0);
    for (const sql of CONTENT) {
      const whole = await rowsOf(one, sql);
      expect([sql, whole.length > 0]).toEqual([sql, true]);
      expect(await rowsOf(other, sql)).toEqual(whole);
    }
    const { created: again } = await seed(one);
    expect(Object.entries(again).filter(([, made]) => made !== 0)).toEqual([]);
  },
  SLOW,
);

it(
  'goes on with the day that had begun, and with the days that came since',
  async () => {
    const waiting = `SELECT label FROM @queue_entries WHERE status IN ('waiting', 'called', 'serving')`;
    const planned = `SELECT id FROM @appointments WHERE status IN ('booked', 'confirmed') AND starts_at < '2026-03-13T21:00:00Z'`;
    const noon = await seed(one, { now: new Date('2026-03-13T09:40:00Z') });
    expect(noon.created.tokens).toBeGreaterThan(0);
    expect((await rowsOf(one, planned)).length).toBeGreaterThan(0);
    const before = await rowsOf(one, 'SELECT id FROM @queue_entries');
    const { created } = await seed(one, { now: new Date('2026-03-13T22:00:00Z') });
    expect(created.tokens).toBeGreaterThan(3);
    expect(await rowsOf(one, 'SELECT id FROM @queue_entries')).toHaveLength(before.length + created.tokens);
    expect(await rowsOf(one, waiting)).toEqual([]);
    expect(await rowsOf(one, planned)).toEqual([]);
    const rules = await workFor({ tenants, sealer }, one.hospital, 'test', (work) => checkInvariants(work));
    expect(rules.flatMap(({ broken }) => broken)).toEqual([]);
  },
  SLOW,
);
