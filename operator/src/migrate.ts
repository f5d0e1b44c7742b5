/**
 * Migrates the schema `platform` to the version of this release and ends. An upgrade runs it before it replaces any
 * process. It needs only DATABASE_URL. The running operator migrates the hospitals' schemas.
 */
import { connect, migratePlatform } from '@hms/database';
import { FIELD_MANAGER } from './hospital/status-writer.ts';
import { exitOnSignal } from './signals.ts';

// PostgreSQL rolls back the transaction of a stopped process.
exitOnSignal();

const url = process.env.DATABASE_URL;
if (!url) {
  process.stderr.write('DATABASE_URL is not set: set it to postgres://hms_operator:password@host:5432/hms\n');
  process.exit(1);
}

const db = connect(url, { applicationName: `${FIELD_MANAGER}-migrate`, poolSize: 1 });
try {
  const { from, to } = await migratePlatform(db);
  process.stdout.write(
    from === to ? `schema platform is at version ${to} already\n` : `schema platform: version ${from} to ${to}\n`,
  );
} catch (error) {
  process.stderr.write(`schema platform could not be migrated: ${error instanceof Error ? error.message : error}\n`);
  process.exitCode = 1;
} finally {
  await db.destroy();
}
