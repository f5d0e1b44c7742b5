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
  'goes on where few patients come again and again, and a rule refuses what one of them wants twice',
  async () => {
    const few = await createTestHospital(operator, issuer);
    const { created } = await seed(few, { tenants, patients: 30, days: 20 });
    expect(created.waiting).toBeGreaterThan(0);
  },
  SLOW,
);

/** Each finds what must not be there. */
const AGE = "age((e.created_at AT TIME ZONE 'Europe/Dublin')::date, p.date_of_birth) < interval '16 years'";
const WRONG = [
  `SELECT c.code, p.date_of_birth FROM @queue_entries e JOIN @clinics c ON c.id = e.clinic_id
   JOIN @patients p ON p.id = e.patient_id
   WHERE extract(isodow FROM e.service_date) < 6 AND (c.code = 'PED-1') <> (${AGE})`,
  `SELECT c.code, p.date_of_birth FROM @appointments e JOIN @clinics c ON c.id = e.clinic_id
   JOIN @patients p ON p.id = e.patient_id
   WHERE (c.code = 'PED-1') <> (age((e.starts_at AT TIME ZONE 'Europe/Dublin')::date, p.date_of_birth) < interval '16 years')`,
  `SELECT d.code, p.date_of_birth FROM @prescriptions e JOIN @prescription_items i ON i.prescription_id = e.id
   JOIN @drugs d ON d.id = i.drug_id JOIN @patients p ON p.id = e.patient_id
   WHERE (${AGE} AND d.code IN ('AML-5', 'LIS-10', 'BIS-5', 'MET-850', 'ATV-20', 'SIM-20', 'WAR-5', 'CLO-75', 'TRA-50'))
     OR (NOT ${AGE} AND d.form = 'Suspension')`,
  `SELECT f.family_code FROM @families f JOIN @patients p ON p.id = f.primary_contact_id
   JOIN @family_members m ON m.family_id = f.id AND m.left_at IS NULL JOIN @patients q ON q.id = m.patient_id
   WHERE p.date_of_birth > '2010-03-12' AND q.date_of_birth <= '2010-03-12'`,
] as const;

it('treats children as children, and gives their families a grown-up contact', async () => {
  const children = `SELECT e.id FROM @queue_entries e JOIN @patients p ON p.id = e.patient_id WHERE ${AGE}`;
  expect((await rowsOf(one, children)).length).toBeGreaterThan(5);
  const bottles = `SELECT i.id FROM @prescription_items i JOIN @drugs d ON d.id = i.drug_id WHERE d.form = 'Suspension'`;
  expect((await rowsOf(one, bottles)).length).toBeGreaterThan(0);
  for (const sql of WRONG) expect([sql, await rowsOf(one, sql)]).toEqual([sql, []]);
});

it('has a few memberships that are suspended, cancelled or over', async () => {
  const lasting = `SELECT id FROM @vip_memberships WHERE status = 'active' AND valid_to IS NULL`;
  const others = `SELECT id FROM @vip_memberships WHERE status <> 'active' OR valid_to IS NOT NULL`;
  const [all, few] = [await rowsOf(one, lasting), await rowsOf(one, others)];
  expect(few.length).toBeGreaterThan(0);
  expect(few.length).toBeLessThan(all.length / 4);
});

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
