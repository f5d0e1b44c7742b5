/** Administrators read the audit log: who did what, and who looked at a patient. */
import type { Schemas } from '@hms/api-client';
import { createTestHospital, startTestModule, type TestHospital, type TestModule } from '@hms/service/testing';
import { type HospitalRole, hospitalNames } from '@hms/tenancy';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { parse } from 'csv-parse/sync';
import { auditRoutes } from '../../services/auth/src/audit.routes.ts';
import { impersonationStore } from '../../services/auth/src/impersonations/impersonations.repository.ts';
import { hmsModule } from '../../services/hms/src/module.ts';
import { platform } from '../platform.ts';
import { until } from '../support/until.ts';

type Event = Schemas['ShownAuditEvent'];

const JANE = { firstName: 'Jane', lastName: 'Doe', phone: '+35312345678', dateOfBirth: '1990-05-17' };
let hms: TestModule;
let auth: TestModule;
let mary: TestHospital;
let owner: string;
let nurse: string;
let patient: Schemas['Patient'];

beforeAll(async () => {
  const { databaseUrls } = platform();
  hms = await startTestModule({ databaseUrls, define: hmsModule });
  auth = await startTestModule({
    databaseUrls,
    databaseRole: 'auth',
    identity: hms.issuer,
    define: ({ db }) => {
      // Without Keycloak, the log has everything but the names of those who are no employees.
      const accounts = { byId: () => Promise.reject(new Error('Keycloak is away')) };
      const routes = auditRoutes({ accounts, store: impersonationStore(db) });
      return { name: 'auth', version: '1', title: 'Audit', routes };
    },
  });
});
afterAll(() => Promise.all([hms.close(), auth.close()]));

const tokenOf = (at: TestHospital, role: HospitalRole, email = `${role.toLowerCase()}@example.org`) =>
  at.token([role], { claims: { sub: `sub-${role}`, email } });
const create = async (token: string, body = JANE) =>
  (await hms.send('POST', '/api/hms/patients', { token, body })).data<Schemas['Patient']>();
const log = async (query = '', token = owner) =>
  (await auth.send('GET', `/api/auth/audit?${query}`, { token })).data<readonly Event[]>();
const access = (id: string, query = '', token = owner) =>
  hms.send('GET', `/api/hms/patients/${id}/access?${query}`, { token });
const deeds = (events: readonly Event[]) =>
  events.map(({ actorEmail, action, record }) => [actorEmail, action, record]);

/** Adds events as they would be after years. */
const addEvents = (count: number, at = 'now()') =>
  hms.platform.tenants.inTenant(mary.hospital, (trx) =>
    trx.query(
      `INSERT INTO audit_events (at, actor, actor_roles, action, record, patient_id, details)
       SELECT ${at}, 'someone', '{NURSE}', 'list', 'patients', gen_random_uuid(),
         jsonb_build_object('ids', jsonb_build_array(gen_random_uuid()))
       FROM generate_series(1, ${count}) AS n`,
    ),
  );

beforeEach(async () => {
  mary = await createTestHospital(hms.operator, hms.issuer);
  owner = await tokenOf(mary, 'OWNER');
  nurse = await tokenOf(mary, 'NURSE');
  patient = await create(nurse);
});

describe('the audit log', () => {
  it('says who did what, latest first, with the values before and after', async () => {
    const body = { lastName: 'Roe' };
    const requestId = '0198a5a0-0000-7000-8000-000000000001';
    const headers = { 'X-Request-ID': requestId };
    await hms.send('PUT', `/api/hms/patients/${patient.id}`, { token: nurse, body, headers });
    const [change, creation, ...rest] = await log('record=patients');
    expect(rest).toEqual([]);
    expect(change).toMatchObject({
      actor: 'sub-NURSE',
      actorEmail: 'nurse@example.org',
      actorRoles: ['NURSE'],
      impersonator: null,
      action: 'update',
      record: 'patients',
      recordId: patient.id,
      patientId: patient.id,
      patientCode: patient.patientCode,
      before: { lastName: 'Doe' },
      after: { lastName: 'Roe' },
      requestId,
    });
    expect(creation).toMatchObject({ action: 'create', recordId: patient.id });
    expect((change?.seq ?? 0) > (creation?.seq ?? 0)).toBe(true);
  });

  it('has the position in the chain once an event is sealed', async () => {
    const [event] = await until(
      'a sealed event',
      () => log('action=create&record=patients'),
      ([first]) => first?.position != null,
    );
    expect(event?.position).toBeGreaterThan(0);
  });

  it('says since when it has all events, also in the export and for a patient', async () => {
    const [first] = await hms.platform.tenants.inTenant(mary.hospital, (trx) =>
      trx.query<{ at: Date }>('SELECT min(at) AS at FROM audit_events'),
    );
    const exported = await fetch(`${auth.url}/api/auth/audit/export`, {
      headers: { Authorization: `Bearer ${owner}` },
    });
    await exported.text();
    const page = await auth.send('GET', '/api/auth/audit', { token: owner });
    expect([page, exported, await access(patient.id)].map(({ headers }) => headers.get('Audit-Since'))).toEqual(
      Array.from({ length: 3 }, () => first?.at.toISOString()),
    );
  });

  it('is filtered by person, action, record, patient and period', async () => {
    const other = await create(await tokenOf(mary, 'DOCTOR'));
    await hms.send('GET', `/api/hms/patients/${other.id}`, { token: nurse });
    expect(deeds(await log(`recordId=${other.id}`))).toEqual([
      ['nurse@example.org', 'read', 'patients'],
      ['doctor@example.org', 'create', 'patients'],
    ]);
    expect(deeds(await log('actorEmail=Doctor@example.org&record=patients'))).toEqual([
      ['doctor@example.org', 'create', 'patients'],
    ]);
    expect(await log('actor=sub-NURSE&action=read')).toHaveLength(1);
    expect(await log(`patientId=${patient.id}&action=read`)).toEqual([]);
    const [{ at } = { at: '' }] = await log('action=read');
    expect(await log(`action=read&from=${at}`)).toHaveLength(1);
    expect(await log(`action=read&to=${at}`)).toEqual([]);
    expect(await log('action=read&to=2020-01-01')).toEqual([]);
  });

  it('contains the looks at itself', async () => {
    await log('actor=sub-NURSE');
    const [look] = await log('record=audit_events');
    expect(look).toMatchObject({ actorEmail: 'owner@example.org', action: 'list' });
    expect(look?.details).toMatchObject({ filters: { actor: 'sub-NURSE' } });
  });

  it('is for administrators of the hospital only', async () => {
    const elsewhere = await createTestHospital(hms.operator, hms.issuer);
    expect(await log('', await tokenOf(elsewhere, 'OWNER'))).toEqual([]);
    const foreign = await access(patient.id, '', await tokenOf(elsewhere, 'OWNER'));
    expect(foreign).toMatchObject({ status: 404, error: { code: 'PATIENT_NOT_FOUND' } });
    for (const role of ['DOCTOR', 'NURSE', 'ACCOUNTANT', 'DISPLAY'] as const) {
      const token = await tokenOf(mary, role);
      const answers = [
        await auth.send('GET', '/api/auth/audit', { token }),
        await auth.send('GET', '/api/auth/audit/export', { token }),
        await access(patient.id, '', token),
      ];
      expect(answers.map(({ status }) => status)).toEqual([403, 403, 403]);
    }
  });

  it.each([
    ['recordId=x', /^recordId /],
    ['action=destroy', /^action must be one of create, read/],
    ['from=yesterday', /^from must be a date, like 2026-01-31/],
    ['page=0', /^page must be a whole number of at least 1/],
  ])('names what is wrong with %s', async (query, message) => {
    const answer = await auth.send('GET', `/api/auth/audit?${query}`, { token: owner });
    expect(answer).toMatchObject({ status: 400, error: { message: expect.stringMatching(message) } });
  });

  it('counts up to 10,000 events, and finds those of one patient by an index', async () => {
    await addEvents(30_000, `now() - n * interval '1 minute'`);
    const answer = await auth.send('GET', '/api/auth/audit?limit=1', { token: owner });
    expect(answer.meta).toEqual({ page: 1, limit: 1, total: 10_000 });
    const scans = async () => {
      const { rows } = await hms.operator.raw<{ rows: { name: string; scans: string }[] }>(
        'SELECT indexrelname AS name, idx_scan AS scans FROM pg_stat_user_indexes WHERE schemaname = ?',
        [hospitalNames(mary.hospital.prefix).schema],
      );
      return Object.fromEntries(rows.map(({ name, scans }) => [name, Number(scans)]));
    };
    await hms.operator.raw('ANALYZE ??.audit_events', [hospitalNames(mary.hospital.prefix).schema]);
    const before = await scans();
    expect((await access(patient.id)).meta?.total).toBe(2);
    // PostgreSQL writes its statistics up to a second later.
    const after = await until('the statistics', scans, (now) => now.audit_events_shown !== before.audit_events_shown);
    expect(after.audit_events_patient).not.toBe(before.audit_events_patient);
    expect(after.audit_events_at).toBe(before.audit_events_at);
  });
});

describe('who looked at a patient', () => {
  it('names everybody who read or changed the record, or saw it in a list', async () => {
    const other = await create(nurse, { ...JANE, firstName: 'Other', phone: '+35387654321' });
    await hms.send('GET', `/api/hms/patients/${patient.id}`, { token: await tokenOf(mary, 'DOCTOR') });
    await hms.send('GET', '/api/hms/patients?q=jane', { token: await tokenOf(mary, 'CASHIER') });
    await hms.send('GET', '/api/hms/patients?q=other', { token: await tokenOf(mary, 'ACCOUNTANT') });
    const answer = await access(patient.id);
    expect(deeds(answer.data<readonly Event[]>()).sort()).toEqual([
      ['cashier@example.org', 'list', 'patients'],
      ['doctor@example.org', 'read', 'patients'],
      ['nurse@example.org', 'create', 'family_members'],
      ['nurse@example.org', 'create', 'patients'],
    ]);
    expect(answer.meta).toEqual({ page: 1, limit: 20, total: 4 });
    expect(deeds((await access(other.id)).data<readonly Event[]>())[0]).toEqual([
      'accountant@example.org',
      'list',
      'patients',
    ]);
    const [look] = (await access(patient.id)).data<readonly Event[]>();
    expect(look).toMatchObject({ actorEmail: 'owner@example.org', record: 'audit_events', patientId: patient.id });
  });

  it('answers for a deleted patient, and not for one who never existed', async () => {
    await hms.send('DELETE', `/api/hms/patients/${patient.id}`, { token: owner });
    expect((await access(patient.id)).data<readonly Event[]>()[0]).toMatchObject({ action: 'delete' });
    expect(await access('0198a5a0-0000-7000-8000-000000000000')).toMatchObject({
      status: 404,
      error: { code: 'PATIENT_NOT_FOUND' },
    });
  });
});

describe('the export', () => {
  const exported = async (query = '') => {
    const response = await fetch(`${auth.url}/api/auth/audit/export?${query}`, {
      headers: { Authorization: `Bearer ${owner}` },
    });
    expect(response.headers.get('Content-Type')).toBe('text/csv; charset=utf-8');
    expect(response.headers.get('Content-Disposition')).toBe('attachment; filename="audit.csv"');
    return parse<Readonly<Record<string, string>>>(await response.text(), { columns: true });
  };

  it('begins with one byte order mark if a spreadsheet needs it', async () => {
    // More than are read at once.
    await addEvents(300);
    for (const [query, start] of [
      ['', 'position'],
      ['?bom=false', 'position'],
      ['?bom=true', '\uFEFFposition'],
      ['?bom=true&to=2020-01-01', '\uFEFFposition'],
      ['?action=list&bom=false', 'position'],
    ] as const) {
      const response = await fetch(`${auth.url}/api/auth/audit/export${query}`, {
        headers: { Authorization: `Bearer ${owner}` },
      });
      const text = Buffer.from(await response.arrayBuffer()).toString();
      expect([query, text.startsWith(`${start},`)]).toEqual([query, true]);
      expect([query, text.lastIndexOf('\uFEFF')]).toEqual([query, start.lastIndexOf('\uFEFF')]);
    }
  });

  it('has every event exactly once, oldest first', async () => {
    // All in one transaction, with the same time.
    await addEvents(2_500);
    const events = await exported();
    expect(events).toHaveLength(2_503);
    const numbers = events.map(({ seq }) => Number(seq));
    expect(new Set(numbers).size).toBe(2_503);
    expect(numbers[0]).toBe(Math.min(...numbers));
    const creation = events.find(({ actor, record }) => actor === 'sub-NURSE' && record === 'patients');
    expect(creation).toMatchObject({
      actorEmail: 'nurse@example.org',
      actorRoles: '["NURSE"]',
      action: 'create',
      recordId: patient.id,
    });
    expect(JSON.parse(creation?.after ?? '')).toMatchObject({ lastName: 'Doe' });
    expect((await log('record=audit_events'))[0]?.details).toMatchObject({ export: true });
  });

  it('takes the filters of the list', async () => {
    await create(await tokenOf(mary, 'DOCTOR'));
    expect(await exported('actor=sub-DOCTOR&record=patients')).toHaveLength(1);
    expect(await exported('to=2020-01-01')).toEqual([]);
  });

  it('runs twice at a time for a hospital, so that slow clients do not fill the memory', async () => {
    // More than the buffers of a connection hold.
    await hms.platform.tenants.inTenant(mary.hospital, (trx) =>
      trx.query(
        `INSERT INTO audit_events (actor, actor_roles, action, record, details)
         SELECT 'someone', '{NURSE}', 'list', 'patients', jsonb_build_object('q', repeat('x', 20000))
         FROM generate_series(1, 2000)`,
      ),
    );
    const slow = new AbortController();
    const start = (token: string, signal = AbortSignal.timeout(20_000)) =>
      fetch(`${auth.url}/api/auth/audit/export`, { headers: { Authorization: `Bearer ${token}` }, signal });
    for (let n = 0; n < 2; n += 1) expect((await start(owner, slow.signal)).status).toBe(200);
    const refused = await auth.send('GET', '/api/auth/audit/export', { token: owner });
    expect(refused).toMatchObject({ status: 429, error: { code: 'TOO_MANY_EXPORTS' } });
    const other = await createTestHospital(hms.operator, hms.issuer);
    const others = await start(await tokenOf(other, 'OWNER'));
    expect([others.status, await others.text()]).toEqual([200, expect.stringContaining('position')]);
    slow.abort();
    const status = async () => {
      const again = await start(owner);
      await again.body?.cancel();
      return again.status;
    };
    await until('the end of the slow exports', status, (found) => found === 200);
  });

  it('contains nothing that a spreadsheet runs', async () => {
    await create(await tokenOf(mary, 'DOCTOR', '=HYPERLINK("http://evil.example")@example.org'));
    const [event] = await exported('actor=sub-DOCTOR');
    expect(event?.actorEmail).toBe(`'=HYPERLINK("http://evil.example")@example.org`);
  });

  // What OWASP names: https://owasp.org/www-community/attacks/CSV_Injection
  it.each(['+1', '-1', '@SUM(A1)', '\t=1+1', '\r=1+1', '\n=1+1', '\r\n@SUM(A1)', '＝1', '＋1', '－1', '＠SUM(A1)'])(
    'has an apostrophe before %j',
    async (text) => {
      await hms.platform.tenants.inTenant(mary.hospital, (trx) =>
        trx.query(
          "INSERT INTO audit_events (actor, actor_email, actor_roles, action, record) VALUES ('a', $1, '{}', 'read', $1)",
          [text],
        ),
      );
      const [event] = await exported('actor=a');
      expect([event?.actorEmail, event?.record]).toEqual([`'${text}`, `'${text}`]);
    },
  );
});
