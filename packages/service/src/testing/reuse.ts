/**
 * For tests: the schema of a hospital whose test has ended becomes that of a new hospital, with another name and id and
 * without rows. A new schema is some 400 files, which take PostgreSQL 20 times as long.
 */
import {
  deleteHospital,
  dropTasksOf,
  type Hospital,
  markTenantRole,
  markTenantSchema,
  ownerMark,
  quote,
} from '@hms/database';
import { type HospitalNames, hospitalNames } from '@hms/tenancy';
import type { Knex } from 'knex';

/** What Jest sets up before it loads a suite. Missing in programs such as a benchmark, which reuse nothing. */
interface Hooks {
  beforeEach?(hook: () => void): void;
  afterEach?(hook: () => void): void;
}

/** Hospitals of the running test, and of those that have ended. What `beforeAll` creates is in neither. */
const [current, ended]: [Hospital[], Hospital[]] = [[], []];
let isInTest = false;

const { beforeEach, afterEach } = globalThis as Hooks;
beforeEach?.(() => {
  isInTest = true;
});
afterEach?.(() => {
  isInTest = false;
  ended.push(...current.splice(0));
});

/** The next test may reuse the schema of this hospital. */
export function endsWithTest(hospital: Hospital): void {
  if (isInTest) current.push(hospital);
}

/**
 * Gives the schema and the role of an ended test to this hospital.
 * @param operator connection of the role hms_operator.
 * @returns false if there is none that is as it was created.
 */
export async function reuseSchema(operator: Knex, hospital: Hospital): Promise<boolean> {
  const former = isInTest ? ended.pop() : undefined;
  if (!former) return false;
  // Something of the former test may still run: it is waited for, but not longer than a new schema takes.
  return operator.transaction((trx) => takeOver(trx, former, hospital)).catch(() => false);
}

/** The shape of a new schema. Another one means that a test has changed it. */
let shapeOfNew: string | undefined;

/** Call it with the names of a schema that was just created. */
export async function rememberShape(operator: Knex, names: HospitalNames): Promise<void> {
  shapeOfNew ??= await shapeOf(operator, names);
}

/** Tables, indexes, columns, privileges, constraints, triggers and functions, as one text. */
async function shapeOf(db: Knex, { schema, role }: HospitalNames): Promise<string> {
  const { rows } = await db.raw<{ rows: { shape: string }[] }>(
    `WITH n AS (SELECT oid FROM pg_namespace WHERE nspname = ?),
     c AS (SELECT c.* FROM pg_class c JOIN n ON n.oid = c.relnamespace),
     parts AS (
       SELECT concat_ws('.', relname, relkind, relnatts, relchecks, relacl) AS part FROM c
       UNION ALL SELECT concat_ws('.', conname, contype, convalidated) FROM pg_constraint JOIN n ON n.oid = connamespace
       UNION ALL SELECT concat_ws('.', tgname, tgenabled) FROM pg_trigger JOIN c ON c.oid = tgrelid WHERE NOT tgisinternal
       UNION ALL SELECT concat_ws('.', proname, proargtypes) FROM pg_proc JOIN n ON n.oid = pronamespace
     )
     SELECT replace(string_agg(part, ' ' ORDER BY part), ?, '') AS shape FROM parts`,
    [schema, role],
  );
  return rows[0]?.shape ?? '';
}

async function takeOver(trx: Knex.Transaction, former: Hospital, hospital: Hospital): Promise<boolean> {
  const [from, to] = [hospitalNames(former.prefix), hospitalNames(hospital.prefix)];
  if ((await shapeOf(trx, from)) !== shapeOfNew) return false;
  const { rows } = await trx.raw<{ rows: { name: string }[] }>(
    `SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables
     WHERE schemaname = ? AND tablename <> 'schema_migrations' ORDER BY tablename`,
    [from.schema],
  );
  const tables = rows.map(({ name }) => name);
  await trx.raw(`SET LOCAL lock_timeout = '1s'`);
  await trx.raw(`LOCK TABLE ${tables.join(', ')} IN ACCESS EXCLUSIVE MODE`);
  // One statement, so that foreign keys are checked when all rows are gone.
  await trx.raw(`WITH ${tables.map((table, n) => `t${n} AS (DELETE FROM ${table})`).join(', ')} SELECT`);
  await trx.raw(
    `SELECT setval(format('%I.%I', schemaname, sequencename)::regclass, 1, false) FROM pg_sequences WHERE schemaname = ?`,
    [from.schema],
  );
  await trx.raw(`ALTER SCHEMA ${quote(from.schema)} RENAME TO ${quote(to.schema)}`);
  await trx.raw(`ALTER ROLE ${quote(from.role)} RENAME TO ${quote(to.role)}`);
  const domain = `ALTER DOMAIN ${quote(to.schema)}.own_hospital_id`;
  await trx.raw(`${domain} SET DEFAULT '${hospital.id}'`);
  await trx.raw(`${domain} DROP CONSTRAINT own_hospital_id_check`);
  await trx.raw(`${domain} ADD CONSTRAINT own_hospital_id_check CHECK (VALUE = '${hospital.id}')`);
  const mark = ownerMark({ hospitalId: hospital.id });
  await markTenantRole(trx, to, mark);
  await markTenantSchema(trx, to, mark);
  await dropTasksOf(trx, from.role);
  await deleteHospital(trx, former.prefix);
  return true;
}
