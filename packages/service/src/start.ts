/** A module as a process: settings, what it is built from, and its end. */
import { connect, openTenantPool } from '@hms/database';
import { FileStorage } from '@hms/storage';
import { servesHospitals } from '@hms/tenancy';
import type { z } from 'zod';
import { createApp } from './app.ts';
import { Sealer } from './audit/sealer.ts';
import { EventStreams } from './changes/streams.ts';
import { drain } from './drain.ts';
import { createLog } from './log.ts';
import type { ModuleDefinition, Platform } from './module.ts';
import { createRegistry } from './registry.ts';
import { RequestCounter } from './request-counter.ts';
import { serve, startProcess } from './serve.ts';
import { MODULE_SETTINGS, readSettings } from './settings.ts';
import { TaskWorker } from './tasks/worker.ts';
import { Totals } from './totals.ts';

export interface ModuleProcess<Shape extends z.ZodRawShape> {
  readonly name: string;
  /** The module's own settings, in addition to those of every module. */
  readonly settings?: Shape;
  /** Builds the module. May throw a `SettingsError`. */
  define(platform: Platform, settings: z.output<z.ZodObject<Shape>>): ModuleDefinition | Promise<ModuleDefinition>;
}

/** Runs a module until SIGTERM or SIGINT. Ends the process with 0 after a stop, or 1 if it can't start. */
export async function startModule<Shape extends z.ZodRawShape>(definition: ModuleProcess<Shape>): Promise<void> {
  await startProcess(definition.name, () => run(definition));
}

async function run<Shape extends z.ZodRawShape>({ name, settings, define }: ModuleProcess<Shape>): Promise<void> {
  const common = readSettings(MODULE_SETTINGS, process.env);
  const own = readSettings((settings ?? {}) as Shape, process.env);
  const log = createLog(name, common.LOG_LEVEL);
  const applicationName = `hms-${name}`;
  const db = connect(common.DATABASE_URL, { poolSize: REGISTRY_CONNECTIONS, applicationName });
  const tenants = openTenantPool(common.DATABASE_URL, { poolSize: common.DATABASE_POOL_SIZE, applicationName });
  const sealer = new Sealer({ db, tenants, log });
  const requestCounter = new RequestCounter({ db, log });
  const registry = createRegistry(db);
  const streams = new EventStreams({ databaseUrl: common.DATABASE_URL, log, registry });
  const platform: Platform = {
    db,
    tenants,
    sealer,
    requestCounter,
    streams,
    totals: new Totals(streams),
    replica: openTenantPool(common.DATABASE_REPLICA_URL ?? common.DATABASE_URL, {
      poolSize: common.DATABASE_REPLICA_POOL_SIZE,
      statementTimeoutMs: common.DATABASE_REPLICA_TIMEOUT * 1000,
      readOnly: true,
      applicationName,
    }),
    registry,
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
  await serve({
    host: common.HOST,
    port: common.PORT,
    handler: app.handler,
    log,
    stop: async (server) => {
      app.stopping();
      // Without the end of its streams, the server would wait until the end of the grace period.
      await Promise.all([platform.streams.end(), drain(server, log), worker.end()]);
      await module.end?.();
      await Promise.all([sealer.end(), requestCounter.end()]);
      platform.storage.end();
      await Promise.all([db.destroy(), platform.tenants.end(), platform.replica.end()]);
    },
  });
  if (servesHospitals(name)) {
    sealer.start();
    requestCounter.start();
  }
  worker.start();
}

/** The registry is cached, and few requests need it. */
const REGISTRY_CONNECTIONS = 3;
