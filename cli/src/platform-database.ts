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
  const db = connect(databaseUrl('operator'), { poolSize: 2, applicationName: 'hmsctl' });
  try {
    return await work(db);
  } finally {
    await db.destroy();
  }
}

const ACCOUNTS = { operator: "the operator's account", app: 'the account of the module hms' } as const;

/** The database as a role: of DATABASE_URL, or of the platform on this machine. @throws Exit if there is no platform. */
export function databaseUrl(role: keyof typeof ACCOUNTS): string {
  const url = process.env.DATABASE_URL ?? livingState(DATA_DIR)?.databaseUrls[role];
  if (url) return url;
  throw new Exit(
    EXIT.notFound,
    `the platform is not running on this machine: start it with make up, or set DATABASE_URL to ${ACCOUNTS[role]}, like postgres://hms_${role}:password@host:5432/hms.`,
  );
}
