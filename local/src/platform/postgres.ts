/** The PostgreSQL server: its data folder, its process, its roles and databases. */
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { DATABASE_ROLES, MODULE_ROLES } from '@hms/tenancy';
import { Client, escapeIdentifier, escapeLiteral } from 'pg';
import { type Account, postgresAccount } from '../engines/postgres.ts';
import { PROJECT } from '../layout.ts';
import { Problem } from '../problem.ts';
import { lastLines, openLog } from '../process/log.ts';
import type { AnyStep } from '../process/spec.ts';
import type { Platform } from './options.ts';
import { listens } from './probe.ts';
import { processStep } from './step.ts';

const OPERATOR_ROLE = 'hms_operator';
const KEYCLOAK_ROLE = 'keycloak';
/** The script that administrators of other servers also run. */
const PRIVILEGES = path.join(PROJECT, 'packages', 'database', 'privileges.sql');

export function postgresSteps(platform: Platform): AnyStep[] {
  const { engines, dirs, ports, fast } = platform;
  fs.mkdirSync(dirs.postgres, { recursive: true, mode: 0o700 });
  const account = postgresAccount(engines.postgres.postgres, dirs.postgres);
  const settings: Record<string, string> = {
    listen_addresses: '127.0.0.1',
    port: String(ports.postgres),
    unix_socket_directories: '',
    max_connections: '200',
    shared_buffers: '64MB',
    log_min_messages: 'warning',
    // A commit still reaches the operating system: tests kill the process and expect what it has confirmed.
    ...(fast ? { fsync: 'off', full_page_writes: 'off' } : {}),
  };
  const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const [command = '', ...args] = [...account.through, engines.postgres.postgres, '-D', dirs.postgres, ...flags];
  const step = processStep(platform, {
    name: 'postgres',
    after: [],
    command,
    args,
    ...spawnAs(account),
    // A folder that the account can enter.
    cwd: '/',
    address: `127.0.0.1:${ports.postgres}`,
    prepare: () => initialise(platform, account),
    ready: async (signal) => (await listens(ports.postgres, signal)) && canLogIn(platform),
    // "Fast shutdown": open connections are closed, https://www.postgresql.org/docs/18/server-shutdown.html
    stopSignal: 'SIGINT',
    stopTimeout: 20_000,
  });
  return [step, { kind: 'task', name: 'database', after: ['postgres'], run: () => bootstrap(platform) }];
}

function spawnAs({ uid, gid, through }: Account): { uid?: number; gid?: number } {
  return through.length === 0 && uid !== undefined && gid !== undefined ? { uid, gid } : {};
}

/** Creates the data folder if it is missing. It gets its final name when it is complete. */
async function initialise({ engines, dirs, secrets }: Platform, account: Account): Promise<void> {
  if (fs.existsSync(path.join(dirs.postgres, 'PG_VERSION'))) return;
  fs.rmSync(dirs.postgres, { recursive: true, force: true });
  const fresh = `${dirs.postgres}.tmp`;
  const password = `${dirs.postgres}.password`;
  fs.rmSync(fresh, { recursive: true, force: true });
  fs.mkdirSync(fresh, { mode: 0o700 });
  fs.writeFileSync(password, `${secrets.postgresAdmin}\n`, { mode: 0o600 });
  try {
    if (account.uid !== undefined && account.gid !== undefined) {
      for (const file of [fresh, password]) fs.chownSync(file, account.uid, account.gid);
    }
    const own = ['-D', fresh, '-U', 'postgres', `--pwfile=${password}`, '--auth=scram-sha-256'];
    const usual = ['--encoding=UTF8', '--locale=C.UTF-8', '--no-sync', '--no-instructions'];
    await initdb(path.join(dirs.logs, 'postgres.log'), account, [engines.postgres.initdb, ...own, ...usual]);
  } finally {
    fs.rmSync(password, { force: true });
  }
  fs.renameSync(fresh, dirs.postgres);
}

async function initdb(log: string, account: Account, words: readonly string[]): Promise<void> {
  const [command = '', ...args] = [...account.through, ...words];
  const { descriptor, from } = openLog(log);
  const child = spawn(command, args, { ...spawnAs(account), cwd: '/', stdio: ['ignore', descriptor, descriptor] });
  fs.closeSync(descriptor);
  const code = await new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', resolve);
  });
  if (code === 0) return;
  const lines = lastLines(log, from, 8);
  throw new Problem([`PostgreSQL's data folder can't be created:`, ...lines, `All of it is in ${log}`].join('\n    '));
}

async function canLogIn(platform: Platform): Promise<boolean> {
  await withClient(platform, 'postgres', (client) => client.query('SELECT 1'));
  return true;
}

async function withClient<T>(
  { ports, secrets }: Platform,
  database: string,
  work: (client: Client) => Promise<T>,
): Promise<T> {
  const client = new Client({
    host: '127.0.0.1',
    port: ports.postgres,
    user: 'postgres',
    password: secrets.postgresAdmin,
    database,
  });
  // A broken connection makes the query fail. Without a listener, it would end this process.
  client.on('error', () => undefined);
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** Ensures roles, databases and grants. Idempotent. */
async function bootstrap(platform: Platform): Promise<void> {
  const { secrets } = platform;
  await withClient(platform, 'postgres', async (client) => {
    await role(client, KEYCLOAK_ROLE, 'LOGIN', secrets.postgresKeycloak);
    await role(client, OPERATOR_ROLE, 'LOGIN CREATEROLE', secrets.postgresOperator);
    for (const { key, name } of DATABASE_ROLES)
      await role(client, name, 'LOGIN NOINHERIT', secrets.postgresModules[key]);
    await client.query(`GRANT pg_signal_backend TO ${OPERATOR_ROLE}`);
    await database(client, 'keycloak', KEYCLOAK_ROLE);
    await database(client, 'hms', OPERATOR_ROLE);
    await client.query(
      `REVOKE ALL ON DATABASE hms, keycloak FROM PUBLIC; GRANT CONNECT ON DATABASE hms TO ${MODULE_ROLES.join(', ')}`,
    );
  });
  await withClient(platform, 'hms', async (client) => {
    await client.query('REVOKE ALL ON SCHEMA public FROM PUBLIC');
    await client.query(fs.readFileSync(PRIVILEGES, 'utf8'));
  });
}

async function role(client: Client, name: string, rights: string, password: string): Promise<void> {
  const { rowCount } = await client.query('SELECT 1 FROM pg_roles WHERE rolname = $1', [name]);
  const verb = rowCount === 0 ? 'CREATE' : 'ALTER';
  await client.query(`${verb} ROLE ${escapeIdentifier(name)} ${rights} PASSWORD ${escapeLiteral(password)}`);
}

async function database(client: Client, name: string, owner: string): Promise<void> {
  const { rowCount } = await client.query('SELECT 1 FROM pg_database WHERE datname = $1', [name]);
  if (rowCount === 0) await client.query(`CREATE DATABASE ${escapeIdentifier(name)} OWNER ${escapeIdentifier(owner)}`);
}
