/** `migrate` as a process, on its own database. */
import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import pg from 'pg';
import { platform } from '../../test/platform.ts';
import { until } from '../../test/support/until.ts';

const NAME = `migrate_${randomBytes(4).toString('hex')}`;

let admin: pg.Client;
/** A client of the new database that locks the table of the migrations, so that it can be read but not written. */
let user: pg.Client;
beforeAll(async () => {
  const { databaseUrls } = platform();
  admin = new pg.Client({ connectionString: databaseUrls.admin });
  await admin.connect();
  await admin.query(`CREATE DATABASE ${NAME} OWNER hms_operator`);
  user = new pg.Client({ connectionString: databaseOf(databaseUrls.operator) });
  await user.connect();
  await user.query(`CREATE SCHEMA platform; CREATE TABLE platform.schema_migrations (version integer PRIMARY KEY,
    name text NOT NULL, checksum text NOT NULL, applied_at timestamptz NOT NULL DEFAULT now())`);
});
afterAll(async () => {
  await user.end();
  await admin.query(`DROP DATABASE ${NAME} WITH (FORCE)`);
  await admin.end();
});

it('limits its wait for a locked table, and stops on a signal', async () => {
  await user.query('BEGIN; LOCK TABLE platform.schema_migrations IN EXCLUSIVE MODE');
  const early = migrate();
  const waits = `SELECT FROM pg_stat_activity WHERE datname = '${NAME}' AND wait_event_type = 'Lock'`;
  await until(
    'the migration to wait for the table',
    async () => (await admin.query(waits)).rowCount,
    (count) => count === 1,
  );
  early.process.kill('SIGTERM');
  expect(await early.ended).toEqual({ code: 1, output: 'stopped by SIGTERM\n' });

  expect(await migrate().ended).toMatchObject({ code: 1, output: expect.stringContaining('lock timeout') });
  await user.query('ROLLBACK');
  expect(await migrate().ended).toMatchObject({ code: 0, output: expect.stringMatching(/version 0 to \d+\n$/) });
  expect(await migrate().ended).toMatchObject({ code: 0, output: expect.stringContaining('already') });
}, 60_000);

function databaseOf(url: string): string {
  return Object.assign(new URL(url), { pathname: NAME }).href;
}

function migrate(): { process: ChildProcess; ended: Promise<{ code: number | null; output: string }> } {
  const env = { ...process.env, DATABASE_URL: databaseOf(platform().databaseUrls.operator) };
  const child = spawn(process.execPath, [path.join(import.meta.dirname, 'migrate.ts')], { env });
  const ended = Promise.all([once(child, 'exit'), text(child.stdout), text(child.stderr)]).then(
    ([[code], stdout, stderr]) => ({ code: code as number | null, output: `${stdout}${stderr}` }),
  );
  return { process: child, ended };
}
