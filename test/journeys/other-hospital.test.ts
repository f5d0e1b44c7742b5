/**
 * Records of another hospital do not exist. Each route of each module whose path has the ID of a record gets one of
 * another hospital: it answers 404 and changes nothing. A new route is tested without another line.
 */
import { createTestHospital, startTestModule, type TestHospital, type TestModule } from '@hms/service/testing';
import { BUILT_MODULES, hospitalNames } from '@hms/tenancy';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { seededHospital, startReports } from '../../services/report/src/testing/hospital.ts';
import { defineOf } from '../openapi/documents.ts';
import { type Operation, operationsOf } from '../openapi/operations.ts';
import { ask, collectionOf, namesRecord, requestTo } from '../openapi/requests.ts';
import { platform } from '../platform.ts';

const SLOW = 180_000;
/** The auth module asks Keycloak, and the console's hospitals have names instead of IDs. */
const MODULES = BUILT_MODULES.map(({ name }) => name).filter((name) => name !== 'auth' && name !== 'console');
/** Everybody's rights together, because each route is for somebody else. */
const ROLES = ['OWNER', 'ADMIN', 'DOCTOR', 'PHARMACIST', 'CASHIER', 'ACCOUNTANT', 'LAB_TECH', 'RECEPTION', 'NURSE'];
const { databaseUrls } = platform();
/** Its issuer is that of all modules. */
let reports: TestModule;
let own: TestHospital;
let other: TestHospital;
/** An ID of each table of the other hospital. */
let ids: readonly string[];

beforeAll(async () => {
  reports = await startReports({});
  own = await createTestHospital(reports.operator, reports.issuer);
  other = await seededHospital(reports, { timezone: 'Europe/Dublin', now: new Date(), days: 6, patients: 150 });
  const tables = await tablesOf(other);
  const found = await Promise.all(tables.filter(({ hasId }) => hasId).map(({ name }) => firstId(other, name)));
  ids = found.filter((id) => id !== undefined);
}, SLOW);
afterAll(() => reports?.close());

describe.each(MODULES)('%s', (name) => {
  let module: TestModule;
  let operations: readonly Operation[];
  const tokens = { own: '', other: '' };

  beforeAll(async () => {
    module = await startTestModule({ databaseUrls, define: await defineOf(name), identity: reports.issuer });
    operations = (await operationsOf(name)).filter(namesRecord);
    tokens.own = await own.token(ROLES);
    tokens.other = await other.token(ROLES);
  }, SLOW);
  afterAll(() => module?.close());

  /** The IDs that a route of the other hospital answers for. */
  const readable = async (operation: Operation): Promise<readonly string[]> => {
    const found: string[] = [];
    for (const id of ids)
      if ((await ask(module.url, operation, { token: tokens.other, id })).status === 200) found.push(id);
    return found;
  };

  it(
    'answers 404 for a record of another hospital, and changes neither hospital',
    async () => {
      const known = new Map<string, readonly string[]>();
      for (const operation of operations) {
        const collection = collectionOf(operation);
        if (operation.method === 'GET' && (known.get(collection) ?? []).length === 0)
          known.set(collection, await readable(operation));
      }
      const before = [await fingerprint(own), await fingerprint(other)];
      const wrong: unknown[] = [];
      for (const operation of operations) {
        const those = known.get(collectionOf(operation)) ?? [];
        for (const id of those.length === 0 ? ids : those.slice(0, 1)) {
          const answer = await ask(module.url, operation, { token: tokens.own, id, ...(await requestTo(operation)) });
          if (answer.status !== 404) wrong.push([operation.method, operation.path, answer]);
        }
      }
      expect(wrong).toEqual([]);
      expect(operations.length).toBeGreaterThan(0);
      expect([await fingerprint(own), await fingerprint(other)]).toEqual(before);
    },
    SLOW,
  );
});

interface Table {
  readonly name: string;
  readonly hasId: boolean;
}

async function tablesOf({ hospital }: TestHospital): Promise<readonly Table[]> {
  const { rows } = await reports.operator.raw<{ rows: Table[] }>(
    `SELECT relname AS name, EXISTS (
       SELECT FROM pg_attribute WHERE attrelid = class.oid AND attname = 'id' AND atttypid = 'uuid'::regtype) AS "hasId"
     FROM pg_class class WHERE relnamespace = ?::regnamespace AND relkind = 'r' ORDER BY relname`,
    [hospitalNames(hospital.prefix).schema],
  );
  return rows;
}

async function firstId({ hospital }: TestHospital, table: string): Promise<string | undefined> {
  const { schema } = hospitalNames(hospital.prefix);
  const { rows } = await reports.operator.raw<{ rows: { id: string }[] }>('SELECT id FROM ??.?? ORDER BY id LIMIT 1', [
    schema,
    table,
  ]);
  return rows[0]?.id;
}

/** Each row of each table. Two tables remember who asked: the audit log, and the keys of requests. */
async function fingerprint(of: TestHospital): Promise<Readonly<Record<string, string>>> {
  const { schema } = hospitalNames(of.hospital.prefix);
  const tables = (await tablesOf(of)).filter(({ name }) => !name.startsWith('audit_') && name !== 'idempotency_keys');
  const hashes = tables.map(async ({ name }) => {
    const sql = "SELECT md5(coalesce(string_agg(one::text, ',' ORDER BY one::text), '')) AS hash FROM ??.?? one";
    const { rows } = await reports.operator.raw<{ rows: { hash: string }[] }>(sql, [schema, name]);
    return [name, rows[0]?.hash ?? ''] as const;
  });
  return Object.fromEntries(await Promise.all(hashes));
}
