/**
 * Each table has one owner, by the statements that really run: a hospital is seeded, and each route of each module is asked.
 * Statements whose tables are parameters are seen with their names.
 */
import { startTestModule, type TestHospital, type TestModule } from '@hms/service/testing';
import { BUILT_MODULES, hospitalNames } from '@hms/tenancy';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import pg from 'pg';
import { seededHospital, startReports } from '../../services/report/src/testing/hospital.ts';
import { defineOf } from '../openapi/documents.ts';
import { operationsOf } from '../openapi/operations.ts';
import { ask, requestTo } from '../openapi/requests.ts';
import { platform } from '../platform.ts';
import { folderOf, REPORTS, ROOT, TABLES } from '../support/tables.ts';

const SLOW = 300_000;
/** The auth module asks Keycloak, and the console has no hospital's tables. */
const MODULES = BUILT_MODULES.map(({ name }) => name).filter((name) => name !== 'auth' && name !== 'console');
const ROLES = ['OWNER', 'ADMIN', 'DOCTOR', 'PHARMACIST', 'CASHIER', 'ACCOUNTANT', 'LAB_TECH', 'RECEPTION', 'NURSE'];
/** Code that may own a table. */
const OWNERS = /^(?:packages\/domain\/src|services\/\w+\/src)\//;
/** What only passes statements on. */
const PASSES = 'packages/database/src/';
const NAME = `\\s+(?:ONLY\\s+)?"?(${TABLES.join('|')})\\b`;
const USES = new RegExp(`\\b(?:FROM|JOIN|INTO|UPDATE|TABLE)${NAME}`, 'gi');
const WRITES = new RegExp(`\\b(?:INTO|UPDATE|DELETE\\s+FROM)${NAME}`, 'gi');

/** Folders by table. */
const owners = new Map<string, Set<string>>();
const { query } = pg.Client.prototype;
let reports: TestModule;
let hospital: TestHospital;

/** The files of the calls that lead here, from the project's root, the nearest first. */
function callers(): readonly string[] {
  const { prepareStackTrace, stackTraceLimit } = Error;
  Error.stackTraceLimit = 60;
  Error.prepareStackTrace = (_, calls) => calls.map((call) => call.getFileName() ?? '');
  const files = new Error('statement').stack as unknown as readonly string[];
  Object.assign(Error, { prepareStackTrace, stackTraceLimit });
  const own = files.map((file) => file.replace(/^file:\/\//, '')).filter((file) => file.startsWith(`${ROOT}/`));
  return own.map((file) => file.slice(ROOT.length + 1)).filter((file) => !file.startsWith('node_modules/'));
}

/**
 * The tables that a statement writes to, and those that it reads itself. A query in parentheses can be another folder's: a
 * record is found by what its owner knows of another one.
 */
function tablesIn(statement: string): readonly string[] {
  let outside = statement;
  for (let before = ''; before !== outside; ) {
    before = outside;
    outside = outside.replaceAll(/\([^()]*\)/g, ' ');
  }
  const found = [...statement.matchAll(WRITES), ...outside.matchAll(USES)];
  return [...new Set(found.map(([, table = '']) => table.toLowerCase()))];
}

function note(statement: string): void {
  const tables = tablesIn(statement);
  if (tables.length === 0) return;
  const file = callers().find((one) => !one.startsWith(PASSES) && one !== 'test/journeys/statement-owners.test.ts');
  if (!file || !OWNERS.test(file) || file.startsWith(REPORTS)) return;
  for (const table of tables) owners.set(table, (owners.get(table) ?? new Set()).add(folderOf(file)));
}

beforeAll(async () => {
  pg.Client.prototype.query = function (this: pg.Client, ...args: unknown[]) {
    const [statement] = args as [string | { text?: string } | undefined];
    note((typeof statement === 'string' ? statement : statement?.text) ?? '');
    return Reflect.apply(query, this, args);
  } as typeof query;
  reports = await startReports({});
  hospital = await seededHospital(reports, { timezone: 'Europe/Dublin', now: new Date(), days: 4, patients: 100 });
}, SLOW);
afterAll(async () => {
  pg.Client.prototype.query = query;
  await reports?.close();
});

it('finds the tables of a statement', () => {
  expect(tablesIn('SELECT 1 FROM schedules WHERE doctor_id IN (SELECT id FROM employees)')).toEqual(['schedules']);
  expect(tablesIn('WITH one AS (DELETE FROM rooms RETURNING id) SELECT 1 FROM one JOIN "clinics" c ON true')).toEqual([
    'rooms',
    'clinics',
  ]);
});

it(
  'no two folders run statements on one table',
  async () => {
    const token = await hospital.token(ROLES);
    const ids = await idsOf(hospital);
    for (const name of MODULES) {
      const define = await defineOf(name);
      const module = await startTestModule({ databaseUrls: platform().databaseUrls, define, identity: reports.issuer });
      try {
        for (const operation of await operationsOf(name)) {
          const request = await requestTo(operation);
          for (const id of operation.path.includes('{') ? ids : [''])
            await ask(module.url, operation, { token, id, ...request });
        }
      } finally {
        await module.close();
      }
    }
    const shared = [...owners]
      .filter(([, folders]) => folders.size > 1)
      .map(([table, folders]) => [table, [...folders]]);
    expect(shared).toEqual([]);
    // The others are reached by the shared statements of records alone.
    expect(owners.size).toBeGreaterThan(TABLES.length / 3);
  },
  SLOW,
);

async function idsOf({ hospital: { prefix } }: TestHospital): Promise<readonly string[]> {
  const { schema } = hospitalNames(prefix);
  const { rows } = await reports.operator.raw<{ rows: { name: string }[] }>(
    `SELECT attrelid::regclass::text AS name FROM pg_attribute JOIN pg_class class ON class.oid = attrelid
     WHERE relnamespace = ?::regnamespace AND relkind = 'r' AND attname = 'id' AND atttypid = 'uuid'::regtype`,
    [schema],
  );
  const first = rows.map(async ({ name }) => {
    const found = await reports.operator.raw<{ rows: { id: string }[] }>(`SELECT id FROM ${name} ORDER BY id LIMIT 1`);
    return found.rows[0]?.id;
  });
  return (await Promise.all(first)).filter((id) => id !== undefined);
}
