/** A module as a process: settings, listener, and a shutdown that loses no request. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { connect, openTenantPool } from '@hms/database';
import { FileStorage } from '@hms/storage';
import type { z } from 'zod';
import { createApp } from './app.ts';
import { Sealer } from './audit/sealer.ts';
import { ChangeListener } from './changes/listener.ts';
import { drain } from './drain.ts';
import { createLog } from './log.ts';
import type { ModuleDefinition, Platform } from './module.ts';
import { createRegistry } from './registry.ts';
import { MODULE_SETTINGS, readSettings, SettingsError } from './settings.ts';
import { TaskWorker } from './tasks/worker.ts';

export interface ModuleProcess<Shape extends z.ZodRawShape> {
  readonly name: string;
  /** The module's own settings, in addition to those of every module. */
  readonly settings?: Shape;
  /** Builds the module. May throw a `SettingsError`. */
  define(platform: Platform, settings: z.output<z.ZodObject<Shape>>): ModuleDefinition | Promise<ModuleDefinition>;
}

/** Runs a module until SIGTERM or SIGINT. Ends the process with 0 after a stop, or 1 if it can't start. */
export async function startModule<Shape extends z.ZodRawShape>(definition: ModuleProcess<Shape>): Promise<void> {
  try {
    await run(definition);
  } catch (error) {
    process.stderr.write(`${definition.name}: ${startProblem(error)}\n`);
    process.exit(1);
  }
}

async function run<Shape extends z.ZodRawShape>({ name, settings, define }: ModuleProcess<Shape>): Promise<void> {
  const common = readSettings(MODULE_SETTINGS, process.env);
  const own = readSettings((settings ?? {}) as Shape, process.env);
  const log = createLog(name, common.LOG_LEVEL);
  const applicationName = `hms-${name}`;
  const db = connect(common.DATABASE_URL, { poolSize: REGISTRY_CONNECTIONS, applicationName });
  const tenants = openTenantPool(common.DATABASE_URL, { poolSize: common.DATABASE_POOL_SIZE, applicationName });
  const sealer = new Sealer({ db, tenants, log });
  const platform: Platform = {
    db,
    tenants,
    sealer,
    changes: new ChangeListener({ databaseUrl: common.DATABASE_URL, log }),
    replica: openTenantPool(common.DATABASE_REPLICA_URL ?? common.DATABASE_URL, {
      poolSize: common.DATABASE_REPLICA_POOL_SIZE,
      statementTimeoutMs: common.DATABASE_REPLICA_TIMEOUT * 1000,
      readOnly: true,
      applicationName,
    }),
    registry: createRegistry(db),
    storage: new FileStorage(common),
    log,
    baseUrl: common.BASE_URL,
    keycloakUrl: common.KEYCLOAK_URL,
  };
  const module = await define(platform, own);
  const app = createApp(module, platform);
  const worker = new TaskWorker({
    databaseUrl: common.DATABASE_URL,
    environment: platform,
    registry: platform.registry,
    tasks: module.tasks ?? [],
    log,
    metrics: app.metrics.tasks,
    concurrency: common.TASK_CONCURRENCY,
  });
  const server = createServer(SERVER_OPTIONS, app.handler);
  await listen(server, common.PORT, common.HOST);

  let ending = false;
  const end = async (signal: string): Promise<void> => {
    if (ending) return;
    ending = true;
    log.info({ signal }, 'stopping');
    setTimeout(() => {
      log.warn('what still runs is abandoned: its transactions are rolled back');
      process.exit(0);
    }, END_MS).unref();
    app.stopping();
    // Without the end of its streams, the server would wait until the end of the grace period.
    await Promise.all([platform.changes.end(), drain(server, log), worker.end()]);
    await module.end?.();
    await sealer.end();
    platform.storage.end();
    await Promise.all([db.destroy(), platform.tenants.end(), platform.replica.end()]);
    log.info('stopped');
    process.exit(0);
  };
  process.on('SIGTERM', (signal) => void end(signal));
  process.on('SIGINT', (signal) => void end(signal));

  // The log line comes after the signal handlers: whoever waits for it may stop the process right away.
  const { address, port } = server.address() as AddressInfo;
  log.info({ address, port }, 'listening');
  sealer.start();
  worker.start();
}

/**
 * After a signal, the process ends this late at most, whatever still runs: requests that go on after their connections
 * were aborted, tasks, or PostgreSQL when it does not answer. The supervisor kills after 30 s, and Kubernetes later.
 */
const END_MS = 28_000;

/** The registry is cached, and few requests need it. */
const REGISTRY_CONNECTIONS = 3;

/**
 * Idle connections outlive the gateway's own limit (60 s), so that it never sends a request on one that is just
 * being closed. Slow clients are disconnected. A head may be as large as the gateway accepts (32 KB), with the
 * gateway's own headers. Node would refuse a larger one without a body or a line in the log.
 */
const SERVER_OPTIONS = {
  keepAliveTimeout: 75_000,
  headersTimeout: 20_000,
  requestTimeout: 60_000,
  maxHeaderSize: 48 * 1024,
};

function listen(server: Server, port: number, host: string): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  server.once('error', reject);
  server.listen(port, host, () => {
    server.off('error', reject);
    resolve();
  });
  return promise;
}

function startProblem(error: unknown): string {
  if (error instanceof SettingsError) return error.message;
  const { code, port, address } = error as { code?: unknown; port?: unknown; address?: unknown };
  if (code === 'EADDRINUSE') {
    return `Port ${port} on ${address} is in use by another process: stop that process or set PORT to another one.`;
  }
  if (code === 'EACCES') return `Port ${port} needs more privileges than this process has: set PORT to one above 1023.`;
  return Error.isError(error) ? (error.stack ?? error.message) : String(error);
}
