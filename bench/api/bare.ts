/**
 * The peer of `api.ts`: the module hms as an engineer would write it by hand for one purpose, with Express, pg and jose.
 * It verifies each token and runs the same statements as the module, one after the other. It checks no roles and no
 * input, and has no log, no metrics and no idempotency.
 *
 * With the argument `no-audit` it writes no audit events. With `query-only` it runs only the query itself: no tenant, no audit log, no transaction for reads.
 */
import { randomUUID } from 'node:crypto';
import { build } from '@hms/database';
import { matchTerms } from '@hms/service';
import type pg from 'pg';
import { type Caller, callerOf, createApp, inTenant as inTransaction, listen, nameOf, pool } from './peer.ts';

const queryOnly = process.argv.includes('query-only');
const audited = !queryOnly && !process.argv.includes('no-audit');
/** In `query-only`: the hospital of each connection. */
const current = new WeakMap<object, string>();
const app = createApp();

const COLUMNS =
  'id, hospital_id, patient_code, family_id, photo_id, merged_into_id, survivor_id, has_merged, unknown, first_name, last_name, phone, email, language, date_of_birth, time_of_birth, gender, blood_group, address, allergies, alerts, status, created_at, updated_at, version, deleted_at';

async function inTenant<T>(caller: Caller, writes: boolean, work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
  if (!queryOnly) return inTransaction(caller, work);
  const client = await pool.connect();
  const name = nameOf(caller);
  try {
    // Once for each connection, unless it served another hospital before.
    if (current.get(client) !== name) await client.query(`RESET ROLE; SET ROLE ${name}; SET search_path TO ${name}`);
    current.set(client, name);
    if (writes) await client.query('BEGIN');
    const result = await work(client);
    if (writes) await client.query('COMMIT');
    return result;
  } finally {
    client.release();
  }
}

async function audit(
  client: pg.PoolClient,
  caller: Caller,
  action: string,
  id: string | null,
  more: object,
): Promise<void> {
  if (!audited) return;
  await client.query(
    `INSERT INTO audit_events (actor, actor_roles, action, record, record_id, patient_id, details, address, request_id)
     VALUES ($1, $2, $3, 'patients', $4, $4, $5, '127.0.0.1', $6)`,
    [caller.sub, ['DOCTOR'], action, id, JSON.stringify(more), randomUUID()],
  );
}

type Row = Readonly<Record<string, string | boolean | Date | object | null>>;
const show = (row: Row) => ({
  id: row.id,
  hospitalId: row.hospital_id,
  patientCode: row.patient_code,
  familyId: row.family_id,
  photoId: row.photo_id,
  mergedIntoId: row.merged_into_id,
  survivorId: row.survivor_id,
  hasMerged: row.has_merged,
  unknown: row.unknown,
  firstName: row.first_name,
  lastName: row.last_name,
  phone: row.phone,
  email: row.email,
  language: row.language,
  dateOfBirth: `${row.date_of_birth}T00:00:00.000Z`,
  timeOfBirth: row.time_of_birth,
  gender: row.gender,
  bloodGroup: row.blood_group,
  address: row.address,
  allergies: row.allergies,
  alerts: row.alerts,
  status: row.status,
  createdAt: (row.created_at as Date).toISOString(),
  updatedAt: (row.updated_at as Date).toISOString(),
  version: row.version,
});

app.get('/api/hms/patients/:id', async (request, response) => {
  const caller = await callerOf(request);
  const { id } = request.params;
  const row = await inTenant(caller, false, async (client) => {
    const { rows } = await client.query<Row>(`SELECT ${COLUMNS} FROM patients WHERE id = $1`, [id]);
    await audit(client, caller, 'read', id, {});
    return rows[0];
  });
  response.json({ success: true, data: row && show(row) });
});

app.get('/api/hms/patients', async (request, response) => {
  const caller = await callerOf(request);
  const { q } = request.query as { q?: string };
  const { rows, total } = await inTenant(caller, false, async (client) => {
    const found = build.from('patients').whereNull('deleted_at').where({ status: 'active' });
    if (q) {
      const own = build.from('patients').select('id');
      const survivors = build.from('patients').select('survivor_id').whereNotNull('survivor_id');
      for (const rows of [own, survivors]) matchTerms(rows, { text: 'patients.search', day: 'date_of_birth' }, q);
      found.whereIn('id', own.union(survivors));
    }
    const counted = found.clone().count({ total: '*' }).toSQL().toNative();
    const page = found
      .select(build.raw(COLUMNS))
      .orderBy([
        { column: 'created_at', order: 'desc' },
        { column: 'id', order: 'desc' },
      ])
      .limit(20)
      .toSQL()
      .toNative();
    const total = Number((await client.query<{ total: string }>(counted.sql, [...counted.bindings])).rows[0]?.total);
    const { rows } = await client.query<Row>(page.sql, [...page.bindings]);
    await audit(client, caller, 'list', null, { q, ids: rows.map(({ id }) => id) });
    return { rows, total };
  });
  response.json({ success: true, data: rows.map(show), meta: { page: 1, limit: 20, total } });
});

app.post('/api/hms/patients', async (request, response) => {
  const caller = await callerOf(request);
  const { firstName, lastName, phone, dateOfBirth } = request.body as Record<string, string>;
  const [id, familyId] = [randomUUID(), randomUUID()];
  const number = async (client: pg.PoolClient, series: string) => {
    const { rows } = await client.query<{ value: string }>(
      `INSERT INTO counters (series, value) VALUES ($1, 1)
       ON CONFLICT (series, period) DO UPDATE SET value = counters.value + 1 RETURNING lpad(value::text, 6, '0') AS value`,
      [series],
    );
    return rows[0]?.value;
  };
  const row = await inTenant(caller, true, async (client) => {
    const { rows } = await client.query<Row>(
      `INSERT INTO patients (id, patient_code, family_id, first_name, last_name, phone, date_of_birth, created_by, updated_by)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $8) RETURNING ${COLUMNS}`,
      [id, `HSP-${await number(client, 'patient')}`, familyId, firstName, lastName, phone, dateOfBirth, caller.sub],
    );
    await client.query(
      `INSERT INTO families (id, family_code, name, primary_contact_id, payer_id, created_by, updated_by) VALUES ($1, $2, $3, $4, $4, $5, $5)`,
      [familyId, `FAM-${await number(client, 'family')}`, lastName, id, caller.sub],
    );
    await client.query(
      `INSERT INTO family_members (id, family_id, patient_id, relation, created_by, updated_by) VALUES ($1, $2, $3, 'self', $4, $4)`,
      [randomUUID(), familyId, id, caller.sub],
    );
    for (const action of ['create', 'create', 'create']) await audit(client, caller, action, id, {});
    return rows[0];
  });
  response.status(201).json({ success: true, data: row && show(row) });
});

listen(app);
