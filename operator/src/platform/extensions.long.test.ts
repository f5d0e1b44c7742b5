/** Manual changes of the extensions and their schema, in a database of its own: each is restored or reported. */
import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { connect, createExtensions } from '@hms/database';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Knex } from 'knex';
import { platform } from '../../../test/platform.ts';
import { compareExtensions } from './extensions.ts';

const NAME = `extensions_${randomBytes(4).toString('hex')}`;
const PRIVILEGES = path.resolve(import.meta.dirname, '../../../packages/database/privileges.sql');
const { databaseUrls } = platform();
const there = (url: string) => Object.assign(new URL(url), { pathname: NAME }).href;
const admin = connect(databaseUrls.admin, { poolSize: 1 });
const superuser = connect(there(databaseUrls.admin), { poolSize: 1 });
const operator = connect(there(databaseUrls.operator), { poolSize: 1 });
const run = (db: Knex, statement: string) => db.raw(statement.replaceAll('?', '\\?'));
const runScript = () => run(superuser, fs.readFileSync(PRIVILEGES, 'utf8'));
const IN_ORDER = { repairs: [], foreign: [] };

beforeAll(async () => {
  await admin.raw(`CREATE DATABASE ${NAME} OWNER hms_operator`);
});
afterAll(async () => {
  await Promise.all([superuser.destroy(), operator.destroy()]);
  await admin.raw(`DROP DATABASE ${NAME} WITH (FORCE)`);
  await admin.destroy();
});

/** Runs what restores them, as the operator. */
async function restore() {
  const { repairs } = await compareExtensions(operator);
  for (const { statement } of repairs) await operator.raw(statement);
  return repairs.map(({ object }) => object);
}

it('are created by the operator on a server without a superuser, and are the same after the script of one', async () => {
  for (let times = 0; times < 2; times += 1) for (const statement of createExtensions()) await operator.raw(statement);
  expect(await compareExtensions(operator)).toEqual(IN_ORDER);
  for (let times = 0; times < 2; times += 1) await runScript();
  expect(await compareExtensions(operator)).toEqual(IN_ORDER);
});

it.each([
  ['REVOKE USAGE ON SCHEMA extensions FROM PUBLIC', ['privileges of everybody on schema extensions']],
  ['GRANT CREATE ON SCHEMA extensions TO PUBLIC', ['privilege CREATE of PUBLIC on schema extensions']],
  ['GRANT CREATE ON SCHEMA extensions TO hms_app', ['privilege CREATE of hms_app on schema extensions']],
  ['DROP EXTENSION btree_gist', ['extension btree_gist']],
])('are restored after %s', async (change, objects) => {
  await run(superuser, change);
  expect(await restore()).toEqual(objects);
  expect(await compareExtensions(operator)).toEqual(IN_ORDER);
});

it('are restored after the whole schema was dropped, and what only a superuser can restore is reported', async () => {
  await run(superuser, 'DROP SCHEMA extensions CASCADE');
  expect(await restore()).toEqual([
    'schema extensions',
    'privileges of everybody on schema extensions',
    'extension pg_trgm',
    'extension btree_gist',
  ]);
  expect(await compareExtensions(operator)).toEqual({
    repairs: [],
    foreign: ['everybody may call extensions.set_limit(real)'],
  });
  await runScript();
  expect(await compareExtensions(operator)).toEqual(IN_ORDER);
});

it.each([
  [
    'CREATE SCHEMA elsewhere; ALTER EXTENSION pg_trgm SET SCHEMA elsewhere',
    /^extension pg_trgm is in schema elsewhere instead of extensions$/,
    'ALTER EXTENSION pg_trgm SET SCHEMA extensions; DROP SCHEMA elsewhere',
  ],
  [
    'ALTER SCHEMA extensions OWNER TO postgres',
    /^schema extensions belongs to role postgres$/,
    'ALTER SCHEMA extensions OWNER TO hms_operator',
  ],
  [
    'CREATE EXTENSION fuzzystrmatch SCHEMA extensions',
    /^every hospital may use extension fuzzystrmatch in schema extensions$/,
    'DROP EXTENSION fuzzystrmatch',
  ],
  [
    "CREATE FUNCTION extensions.similarity(varchar, varchar) RETURNS real LANGUAGE sql AS 'SELECT 1::real'",
    /^every hospital may use function extensions\.similarity\(character varying,.*\), which belongs to no extension$/,
    'DROP FUNCTION extensions.similarity(varchar, varchar)',
  ],
  [
    'CREATE TABLE extensions.notes ()',
    /^every hospital may use table extensions\.notes, which belongs to no extension$/,
    'DROP TABLE extensions.notes',
  ],
  [
    'REVOKE EXECUTE ON FUNCTION extensions.similarity FROM PUBLIC',
    /^hospitals may not call extensions\.similarity\(text,text\)$/,
    'GRANT EXECUTE ON FUNCTION extensions.similarity TO PUBLIC',
  ],
  [
    'GRANT EXECUTE ON FUNCTION extensions.set_limit TO PUBLIC',
    /^everybody may call extensions\.set_limit\(real\)$/,
    'REVOKE EXECUTE ON FUNCTION extensions.set_limit FROM PUBLIC',
  ],
])('are reported after %s', async (change, message, undo) => {
  await run(superuser, change);
  const { foreign } = await compareExtensions(operator);
  await run(superuser, undo);
  expect(foreign).toEqual([expect.stringMatching(message)]);
  expect(await compareExtensions(operator)).toEqual(IN_ORDER);
});
