/** The platform's database, for commands of administrators. */
import { connect } from '@hms/database';
import { DATA_DIR, livingState } from '@hms/local';
import type { Knex } from 'knex';
import { EXIT, Exit } from './exit.ts';

/** For the help of the commands. @param command as in `hmsctl <command>` */
export function databaseHelp(command: string): string {
  return `\nThe database is that of the platform on this machine, or DATABASE_URL with the operator's account, as in\nthe operator's container: kubectl exec deploy/<release>-operator -- bin/hms hmsctl ${command}\n`;
}

/** Runs `work` with a connection as the role that owns the platform's schemas. @throws Exit if there is no platform. */
export async function withDatabase<T>(work: (db: Knex) => Promise<T>): Promise<T> {
  const url = process.env.DATABASE_URL ?? livingState(DATA_DIR)?.databaseUrls.operator;
  if (!url)
    throw new Exit(
      EXIT.notFound,
      "the platform is not running on this machine: start it with make up, or set DATABASE_URL to the operator's account, like postgres://hms_operator:password@host:5432/hms.",
    );
  const db = connect(url, { poolSize: 2, applicationName: 'hmsctl' });
  try {
    return await work(db);
  } finally {
    await db.destroy();
  }
}
