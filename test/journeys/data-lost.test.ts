/** Lost data: it is reported, and never hidden by new empty objects. Privileges are restored. */
import { dataOf } from '@hms/api-client';
import { deleteHospital as deleteRow } from '@hms/database';
import { hospitalNames } from '@hms/tenancy';
import { afterAll, describe, expect, it } from '@jest/globals';
import { platform } from '../platform.ts';
import { Engines } from '../support/engines.ts';
import { api, tokenOf } from '../support/gateway.ts';
import {
  annotate,
  deleteHospital,
  freshHospital,
  resync,
  whenCondition,
  whenReady,
  whenTold,
} from '../support/hospitals.ts';
import { until } from '../support/until.ts';

const SLOW = 120_000;
const PATIENT = { firstName: 'Ann', lastName: 'Byrne', phone: '+35311111111', dateOfBirth: '1980-01-01' };
const engines = new Engines(platform());
const { db } = engines;
afterAll(() => engines.close());

async function hospitalWithPatient() {
  const { metadata, status } = await freshHospital();
  const { name } = metadata;
  const doctor = api(await tokenOf(name, 'DOCTOR'));
  const { id } = await dataOf(doctor.POST('/api/hms/patients', { body: PATIENT }));
  const patient = async () => (await doctor.GET('/api/hms/patients/{id}', { params: { path: { id } } })).response;
  return { name, version: status?.schemaVersion, patient, ...hospitalNames(name) };
}

const requestReconcile = (name: string) =>
  annotate(name, { 'hms.dev/reconcile-requested-at': String(performance.now()) });
const lost = (name: string) => whenCondition(name, 'DatabaseReady', ({ reason }) => reason === 'DataLost');
const served = (patient: () => Promise<Response>) => until('the patient', patient, ({ status }) => status === 200);

async function tables(schema: string): Promise<readonly string[]> {
  const { rows } = await db.raw<{ rows: { tablename: string }[] }>(
    'SELECT tablename FROM pg_tables WHERE schemaname = ?',
    [schema],
  );
  return rows.map(({ tablename }) => tablename).sort();
}

describe('the schema of a hospital', () => {
  it(
    'is not created again empty if it is missing, and is served as soon as it is restored',
    async () => {
      const { name, schema, patient } = await hospitalWithPatient();
      await db.raw(`ALTER SCHEMA ${schema} RENAME TO ${schema}_away`);
      await requestReconcile(name);
      const { status } = await lost(name);
      const ready = status?.conditions?.find(({ type }) => type === 'Ready');
      expect(ready).toMatchObject({ status: 'False', reason: 'DataLost' });
      expect(ready?.message).toMatch(
        /^schema .* is missing .*every record.*restore it from a backup \(docs\/operations\.md/,
      );
      expect(await tables(schema)).toEqual([]);
      expect(await whenTold(name, 'DataLost')).toMatchObject([{ type: 'Warning' }]);

      // Also if the registry has lost the row, because the object's status still has the version.
      await deleteRow(db, name);
      await requestReconcile(name);
      await until(
        'the row',
        () => engines.row(name),
        (row) => row !== undefined,
      );
      await lost(name);
      expect(await tables(schema)).toEqual([]);

      await db.raw(`ALTER SCHEMA ${schema}_away RENAME TO ${schema}`);
      await whenReady(name);
      await served(patient);
      await deleteHospital(name);
    },
    SLOW,
  );

  it(
    'is created again if the registry is set to have none',
    async () => {
      const { name, schema, version, patient } = await hospitalWithPatient();
      await db.raw(`DROP SCHEMA ${schema} CASCADE`);
      await requestReconcile(name);
      await lost(name);
      await db.raw('UPDATE platform.hospitals SET schema_version = 0 WHERE prefix = ?', [name]);
      await whenReady(name);
      await until('an answer of the module', patient, ({ status }) => status === 404);
      expect(await engines.row(name)).toMatchObject({ schemaVersion: version });
      await deleteHospital(name);
    },
    SLOW,
  );

  it(
    'reports lost tables, even if the table of migrations is lost too',
    async () => {
      const { name, schema, patient } = await hospitalWithPatient();
      await db.raw(`ALTER TABLE ${schema}.families RENAME TO families_away`);
      await db.raw(`ALTER TABLE ${schema}.schema_migrations RENAME TO schema_migrations_away`);
      await requestReconcile(name);
      const { status } = await lost(name);
      expect(status?.conditions?.find(({ type }) => type === 'DatabaseReady')?.message).toContain(
        `schema ${schema} has lost tables families, schema_migrations with all records in it`,
      );
      await db.raw(`ALTER TABLE ${schema}.families_away RENAME TO families`);
      await db.raw(`ALTER TABLE ${schema}.schema_migrations_away RENAME TO schema_migrations`);
      await whenReady(name);
      await served(patient);
      await deleteHospital(name);
    },
    SLOW,
  );

  it(
    'gets the privileges of its role restored, without any on its table of migrations',
    async () => {
      const { name, schema, role, patient } = await hospitalWithPatient();
      await db.raw(`REVOKE ALL ON ALL TABLES IN SCHEMA ${schema} FROM ${role}`);
      await db.raw(`GRANT INSERT ON ${schema}.schema_migrations TO ${role}`);
      await resync(name);
      await served(patient);
      const [drift] = await whenTold(name, 'DriftCorrected');
      expect(drift?.message).toContain(`grant of SELECT on table ${schema}.absences to ${role}`);
      const { rows } = await db.raw<{ rows: { may: boolean }[] }>(
        `SELECT has_table_privilege(?, ?, 'SELECT, INSERT, UPDATE, DELETE') AS may`,
        [role, `${schema}.schema_migrations`],
      );
      expect(rows).toEqual([{ may: false }]);
      await deleteHospital(name);
    },
    SLOW,
  );
});
