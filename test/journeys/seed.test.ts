/** hmsctl seed on a hospital of its own, and what the hospital's people see of it afterwards. */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { dataOf, envelopeOf } from '@hms/api-client';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { freshFolder, hmsctl, startHmsctl } from '../../cli/src/testing.ts';
import { platform } from '../platform.ts';
import { Engines } from '../support/engines.ts';
import { api, tokenOf } from '../support/gateway.ts';
import { freshHospital } from '../support/hospitals.ts';
import { until } from '../support/until.ts';

const SLOW = 180_000;
const PATIENTS = 240;
const DAYS = 12;
const engines = new Engines(platform());
const env = { HMS_DATA_DIR: platform().dataDir };
const pairs = path.join(freshFolder(), 'pairs.csv');
let name: string;
let doctor: ReturnType<typeof api>;

const args = () => [
  ...['seed', '--hospital', name, '--patients', String(PATIENTS), '--days', String(DAYS)],
  ...['--documents', '1', '--pairs', pairs, '-o', 'json'],
];
const schema = () => `h_${name}`;
const count = async (sql: string) => {
  const { rows } = await engines.db.raw<{ rows: { n: number }[] }>(`SELECT count(*)::integer AS n ${sql}`);
  return rows[0]?.n ?? Number.NaN;
};

/** How many records there are of each kind. */
const KINDS = [
  ...['patients', 'family_members', 'vip_memberships', 'appointments', 'waiting_list', 'queue_entries', 'queue_waits'],
  ...['lab_orders', 'prescriptions', 'dispenses', 'charges', 'price_items', 'prices', 'visit_types', 'visitors'],
  ...['invoices', 'invoice_lines', 'payments', 'payment_parts'],
];
const counts = async () =>
  Object.fromEntries(
    await Promise.all(KINDS.map(async (table) => [table, await count(`FROM ${schema()}.${table}`)] as const)),
  );

beforeAll(async () => {
  name = (await freshHospital()).metadata.name;
  doctor = api(await tokenOf(name, 'DOCTOR'));
}, SLOW);
afterAll(() => engines.close());

describe('hmsctl seed', () => {
  it(
    'is killed twice, and completes what is missing',
    async () => {
      for (const [table, least] of [
        ['patients', 100],
        ['queue_entries', 10],
      ] as const) {
        const run = startHmsctl(args(), { env });
        const isThere = () => count(`FROM ${schema()}.${table}`);
        await until(`${least} ${table}`, isThere, (number) => number >= least || run.child.exitCode !== null, SLOW);
        run.child.kill('SIGKILL');
        expect((await run.ended).code).toBe('SIGKILL');
      }
      const { code, stdout, stderr } = await hmsctl(args(), { env });
      expect([code, code === 0 ? '' : stderr]).toEqual([0, '']);
      expect(JSON.parse(stdout)).toMatchObject({ orders: expect.any(Number), visitors: expect.any(Number) });
      expect(await count(`FROM ${schema()}.patients`)).toBe(PATIENTS);
      const everything = await counts();
      const again = await hmsctl(args(), { env });
      expect(again.code).toBe(0);
      expect(Object.entries(JSON.parse(again.stdout)).filter(([, made]) => made !== 0)).toEqual([]);
      // The day has gone on meanwhile: whoever was waiting may have been called.
      const { queue_waits: called, ...rest } = await counts();
      expect({ ...rest, queue_waits: everything.queue_waits }).toEqual(everything);
      expect(called).toBeGreaterThanOrEqual(everything.queue_waits ?? 0);
      for (const [kind, made] of Object.entries(everything)) expect([kind, made > 0]).toEqual([kind, true]);
    },
    SLOW,
  );

  it('leaves no number out, and no record in the future or out of order', async () => {
    const patients = `FROM ${schema()}.patients`;
    expect(await count(`${patients} WHERE patient_code = 'HSP-' || lpad('${PATIENTS}', 6, '0')`)).toBe(1);
    expect(await count(`${patients} WHERE created_at > now()`)).toBe(0);
    const former = `${patients} p JOIN ${schema()}.patients q ON q.patient_code > p.patient_code`;
    expect(await count(`${former} WHERE q.created_at < p.created_at`)).toBe(0);
    for (const table of ['family_members', 'vip_memberships', 'stock_movements', 'dispenses', 'visitors']) {
      const column = table === 'stock_movements' ? 'moved_at' : 'created_at';
      expect([table, await count(`FROM ${schema()}.${table} WHERE ${column} > now()`)]).toEqual([table, 0]);
    }
    const early = `FROM ${schema()}.lab_orders o JOIN ${schema()}.patients p ON p.id = o.patient_id`;
    expect(await count(`${early} WHERE o.created_at < p.created_at`)).toBe(0);
    const steps = 'created_at, collected_at, received_at, resulted_at, verified_at'.split(', ');
    for (const [index, step] of steps.slice(1).entries()) {
      expect(await count(`FROM ${schema()}.lab_orders WHERE ${step} < ${steps[index]} OR ${step} > now()`)).toBe(0);
    }
    expect(await count(`FROM ${schema()}.lab_orders WHERE created_at < now() - interval '3 days'`)).toBeGreaterThan(2);
    // The audit log says when the seed wrote it.
    expect(await count(`FROM ${schema()}.audit_events WHERE at < now() - interval '1 hour'`)).toBe(0);
  });

  it('keeps the rules: the ledger equals the stock, and nobody verifies what they entered', async () => {
    const ledger = `SELECT batch_id, sum(quantity) AS units FROM ${schema()}.stock_movements GROUP BY batch_id`;
    const batches = `FROM ${schema()}.stock_batches b JOIN (${ledger}) l ON l.batch_id = b.id`;
    expect(await count(batches)).toBeGreaterThan(20);
    expect(await count(`${batches} WHERE b.on_hand <> l.units OR b.on_hand < 0`)).toBe(0);
    const movements = `FROM ${schema()}.stock_movements m JOIN ${schema()}.stock_movements n ON n.batch_id = m.batch_id`;
    expect(await count(`${movements} WHERE n.number > m.number AND n.moved_at < m.moved_at`)).toBe(0);
    expect(await count(`FROM ${schema()}.lab_verifications`)).toBeGreaterThan(0);
    expect(await count(`FROM ${schema()}.lab_verifications WHERE entered_by = verified_by`)).toBe(0);
    expect(await count(`FROM ${schema()}.dispense_lines WHERE expires_on < dispensed_on`)).toBe(0);
  });

  it('keeps the books, and the benefits of memberships are on invoices', async () => {
    const accountant = api(await tokenOf(name, 'ACCOUNTANT'));
    const rules = await dataOf(accountant.GET('/api/payment/reconciliation/invariants'));
    expect(rules.flatMap(({ rule, broken }) => broken.map((what) => [rule, what]))).toEqual([]);
    for (const status of ['paid', 'partially_paid', 'issued']) {
      expect([status, await count(`FROM ${schema()}.invoices WHERE status = '${status}'`)]).not.toEqual([status, 0]);
    }
    for (const method of ['CARD', 'CASH', 'INSURANCE']) {
      expect([method, await count(`FROM ${schema()}.payment_parts WHERE method = '${method}'`)]).not.toEqual([
        method,
        0,
      ]);
    }
    expect(
      await count(`FROM ${schema()}.invoice_lines WHERE benefit > 0 AND membership_no IS NOT NULL`),
    ).toBeGreaterThan(0);
    const invoices = `FROM ${schema()}.invoices i JOIN ${schema()}.invoices j ON j.number > i.number`;
    expect(await count(`${invoices} WHERE j.issued_at < i.issued_at`)).toBe(0);
    expect(await count(`FROM ${schema()}.payments WHERE paid_at > now()`)).toBe(0);
  });

  it('has whole families, with one who pays', async () => {
    const members = `SELECT family_id FROM ${schema()}.family_members WHERE left_at IS NULL GROUP BY family_id`;
    expect(await count(`FROM (${members} HAVING count(*) > 2) large`)).toBeGreaterThan(3);
    for (const relation of ['self', 'spouse', 'child']) {
      const related = `FROM ${schema()}.family_members WHERE relation = '${relation}'`;
      expect([relation, await count(related)]).not.toEqual([relation, 0]);
    }
    expect(await count(`FROM ${schema()}.families WHERE payer_id <> primary_contact_id`)).toBe(0);
    expect(await count(`FROM ${schema()}.vip_memberships WHERE family_id IS NOT NULL`)).toBeGreaterThan(0);
  });

  it('has appointments of the past and ahead, and queues in which people waited', async () => {
    for (const status of ['completed', 'no_show', 'cancelled', 'rescheduled', 'booked', 'confirmed']) {
      expect([status, await count(`FROM ${schema()}.appointments WHERE status = '${status}'`)]).not.toEqual([
        status,
        0,
      ]);
    }
    const late = `FROM ${schema()}.appointments WHERE status IN ('booked', 'confirmed')`;
    expect(await count(`${late} AND starts_at > now() + interval '1 day'`)).toBeGreaterThan(3);
    // Whoever has not come is missing half an hour later.
    expect(await count(`${late} AND starts_at < now() - interval '1 hour'`)).toBe(0);
    const done = `FROM ${schema()}.queue_entries WHERE status = 'done'`;
    expect(await count(`${done} AND NOT (joined_at < first_called_at AND first_called_at < started_at)`)).toBe(0);
    expect(await count(`${done} AND ended_at > now()`)).toBe(0);
    const { rows } = await engines.db.raw<{ rows: { minutes: number }[] }>(
      `SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY extract(epoch FROM called_at - queued_at) / 60)::float AS minutes
       FROM ${schema()}.queue_waits`,
    );
    expect(rows[0]?.minutes).toBeGreaterThan(2);
    expect(rows[0]?.minutes).toBeLessThan(45);
    const alike = `FROM ${schema()}.queue_entries e JOIN ${schema()}.queue_entries f USING (room_id) WHERE e.id <> f.id`;
    expect(await count(`${alike} AND f.started_at > e.started_at AND f.started_at < e.ended_at`)).toBe(0);
  });

  it('is what the people of the hospital see', async () => {
    const orders = await envelopeOf(doctor.GET('/api/hms/lab-orders', { params: { query: { limit: 1 } } }));
    expect(orders.meta?.total).toBeGreaterThan(0);
    const [order] = orders.data;
    expect(order?.doctor?.name).toMatch(/^\S+ \S+$/);
    const staff = await dataOf(
      api(await tokenOf(name, 'OWNER')).GET('/api/hms/employees', { params: { query: { limit: 100 } } }),
    );
    expect(staff.filter(({ status }) => status === 'active').length).toBeGreaterThanOrEqual(15);
    const { rows } = await engines.db.raw<{ rows: { patient_id: string }[] }>(
      `SELECT patient_id FROM ${schema()}.prescriptions ORDER BY created_at DESC LIMIT 1`,
    );
    const id = rows[0]?.patient_id ?? '';
    const timeline = await dataOf(
      doctor.GET('/api/hms/patients/{id}/timeline', { params: { path: { id }, query: { limit: 50 } } }),
    );
    expect(timeline.length).toBeGreaterThan(1);
    const verify = () => hmsctl(['audit', 'verify', name], { env });
    await until('a complete chain', verify, ({ code }) => code === 0);
  });

  it('labels those who are registered twice, and the API finds most of them', async () => {
    const [head, ...lines] = (await readFile(pairs, 'utf8')).trim().split('\n');
    expect(head).toBe(
      'patientCode,firstName,lastName,dateOfBirth,phone,againPatientCode,againFirstName,againLastName,againDateOfBirth,againPhone,errors',
    );
    expect(lines.length).toBeGreaterThan(0);
    let found = 0;
    for (const line of lines) {
      const [code, , , , , againCode] = line.split(',');
      const [again] = await dataOf(
        doctor.GET('/api/hms/patients', { params: { query: { patientCode: againCode ?? '' } } }),
      );
      const candidates = await dataOf(
        doctor.GET('/api/hms/patients/{id}/duplicates', { params: { path: { id: again?.id ?? '' } } }),
      );
      if (candidates.some(({ patientCode }) => patientCode === code)) found += 1;
    }
    expect(found / lines.length).toBeGreaterThan(0.5);
  });

  it('refuses a hospital with patients of its own, and names what is wrong with an option', async () => {
    const other = (await freshHospital()).metadata.name;
    await dataOf(
      api(await tokenOf(other, 'RECEPTION')).POST('/api/hms/patients', {
        body: { firstName: 'Jane', lastName: 'Doe', phone: '+353861234567', dateOfBirth: '1990-01-31' },
      }),
    );
    const refused = await hmsctl(['seed', '--hospital', other], { env });
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining('has 1 patient of its own')]);
    expect(await hmsctl(['seed', '--hospital', 'nowhere'], { env })).toMatchObject({
      code: 3,
      stderr: expect.stringContaining('there is no hospital nowhere.'),
    });
    expect(await hmsctl(['seed', '--hospital', name, '--patients', '0'], { env })).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('Write from 1 to 1000000 patients.'),
    });
  });
});
