import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { EVERY_HOSPITAL } from '@hms/database';
import { ANNOTATION, mayChange } from '@hms/hospitals';
import { KubernetesClient } from '@hms/kubernetes';
import { CONSOLE_REALM } from '@hms/tenancy';
import type { KubeConfig } from '@kubernetes/client-node';
import type { Logger } from 'pino';
import { BACKENDS, type BackendEntry, connectBackends } from './backends/all.ts';
import { CallMetrics } from './backends/calls.ts';
import { Requests } from './backends/database/requests.ts';
import { GATEWAY } from './backends/gateway/backend.ts';
import { type Config, servedModules } from './config.ts';
import type { Context } from './context.ts';
import { connectEngines } from './engines.ts';
import { hospitalController } from './hospital/controller.ts';
import { hostSettings } from './hospital/hosts.ts';
import { HospitalMetrics } from './hospital/metrics.ts';
import { fileOrigins } from './hospital/origins.ts';
import { Outages, RETRY } from './hospital/outages.ts';
import { limitedReconcile } from './hospital/requested-reconcile.ts';
import { FIELD_MANAGER } from './hospital/status-writer.ts';
import { Watch } from './hospital/watch.ts';
import { tenantMigrations } from './migration/tenant-migrations.ts';
import { ModuleWatch } from './platform/module-watch.ts';
import { sharedParts } from './platform/shared-parts.ts';
import { PlatformReport } from './report/platform-report.ts';
import { PlatformWatch } from './report/platform-watch.ts';
import { EventRecorder } from './runtime/events.ts';
import { serveHealth } from './runtime/health.ts';
import { LeaderElection, leaderTiming } from './runtime/leader.ts';
import { Metrics } from './runtime/metrics.ts';
import { startTracing } from './runtime/start-tracing.ts';
import { PRIORITY, Workqueue } from './runtime/workqueue.ts';

export interface Operator {
  /** Accepts no more work, finishes what is in progress and closes every connection. */
  stop(): Promise<void>;
}

/** Minimum time between two checks of the gateway because of a new key of the realm `console`. */
const CONSOLE_KEY_CHECK_MS = 5_000;

export interface OperatorOptions {
  readonly config: Config;
  readonly kubeConfig: KubeConfig;
  readonly logger: Logger;
  /** The process must end immediately, because another one leads now. */
  readonly onLost: () => void;
  /** All backends, if missing. */
  readonly entries?: readonly BackendEntry[];
}

/** Assembles and starts the operator. It waits for unavailable engines. A port in use is an error. */
export async function startOperator(options: OperatorOptions): Promise<Operator> {
  const { config, kubeConfig, logger, onLost, entries = BACKENDS } = options;
  const identity = `${hostname()}_${randomUUID()}`;
  const tracing = await startTracing(config.OTEL_EXPORTER_OTLP_ENDPOINT, FIELD_MANAGER, identity);
  const client = new KubernetesClient(kubeConfig);
  const queue = new Workqueue(RETRY);
  const metrics = new Metrics();
  const requestedKey = () => leader.lease?.metadata.annotations?.[ANNOTATION.rotateKeyRequestedAt];
  /** As the last check of the gateway read it. */
  let readKey: string | undefined;
  const leader = new LeaderElection({
    client,
    namespace: config.LEASE_NAMESPACE,
    name: FIELD_MANAGER,
    identity,
    logger,
    onElected: () => {
      watch.lead();
      platform.start();
      report.start();
      controller.start();
      requests.start();
      modules.start();
    },
    onRenewed: () => {
      if (requestedKey() !== readKey) platform.hasten(GATEWAY.name, CONSOLE_KEY_CHECK_MS);
    },
    onLost,
    timing: leaderTiming(config.LEASE_SECONDS),
  });
  const { fence } = leader;
  const engines = connectEngines(config, { metrics: new CallMetrics(metrics.registry), tracing, fence });
  const events = new EventRecorder({ client, logger, component: FIELD_MANAGER, fence });
  const context: Context = { config, client, engines, queue, leader, events, metrics, tracing, logger };

  const connected = connectBackends(entries, config, engines);
  const backends = connected.map(({ backend }) => backend);
  const outages = new Outages({
    backends,
    requirePlatform: (name) => platform.require(name),
    logger,
    onRecovered: (name, hospitals) => {
      void platform.answers(name);
      // Retried immediately: before resyncs, after deletions.
      for (const hospital of hospitals) queue.add(hospital, PRIORITY.change);
    },
  });
  const watch = new Watch(context, {
    onDeleted: (name) => migrations.forget(name),
    onGone: (name) => outages.forget(name),
  });
  const { hospitals } = watch;
  const platformWatch = new PlatformWatch(context, {
    onState: () => migrations.stateChanged(),
    onRetry: () => migrations.retryFailed(),
  });
  const migrations = tenantMigrations(context, {
    versions: () => hospitals.list().flatMap(({ status }) => status?.schemaVersion ?? []),
    state: () => platformWatch.migrationState,
  });
  const hospitalMetrics = new HospitalMetrics(metrics.registry, watch);
  const platform = sharedParts(context, connected, {
    mayChange: (prefix) => mayChange(hospitals.get(prefix)),
    isHospital: (prefix) =>
      !hospitals.synced || hospitals.get(prefix) !== undefined || watch.orphans.get(prefix) !== undefined,
    fileOrigins: () =>
      hospitals.synced ? fileOrigins(hospitals.list(), hostSettings(config), config.PORTAL_ORIGIN) : undefined,
    keyRequest: () => {
      readKey = requestedKey();
      return readKey;
    },
    onReady: () => watch.enqueueHospitals(),
    onDrift: (name) => hospitalMetrics.driftCorrected(name),
    onFindings: (name, findings) => report.found(name, findings),
  });
  const report = new PlatformReport(context, {
    platform: platformWatch,
    backends,
    outcomeOf: (name) => platform.outcomeOf(name),
    waiting: (name) => outages.waiting(name),
    migrations,
    hospitals: () => (hospitals.synced ? hospitals.list() : undefined),
  });
  const modules = new ModuleWatch({
    kong: engines.kong,
    modules: servedModules(config),
    logger,
    onChanged: (module, isDown) => {
      const sentence = isDown
        ? `no process of module ${module} answers the gateway`
        : `module ${module} is served again`;
      if (isDown) logger.error({ module }, sentence);
      else logger.info({ module }, sentence);
      // Their status says at once what people meet.
      watch.enqueueHospitals();
      if (!leader.lease) return;
      const [type, reason] = isDown ? (['Warning', 'ModuleDown'] as const) : (['Normal', 'ModuleUp'] as const);
      const recorded = events.record(leader.lease, type, reason, sentence);
      recorded.catch((error: unknown) => logger.warn({ err: error }, 'could not write an event about a module'));
    },
  });
  const parts = { backends, watch, outages, platform, migrations, metrics: hospitalMetrics, modules };
  const controller = hospitalController(context, parts);
  const requestReconcile = limitedReconcile(queue, (name) => hospitals.get(name) !== undefined);
  const requests = new Requests({
    url: config.DATABASE_URL,
    applicationName: FIELD_MANAGER,
    logger,
    onRequest: (realm) => {
      if (realm === CONSOLE_REALM) platform.hasten(GATEWAY.name, CONSOLE_KEY_CHECK_MS);
      else if (realm === EVERY_HOSPITAL) for (const { metadata } of hospitals.list()) requestReconcile(metadata.name);
      else requestReconcile(realm);
    },
  });
  metrics.watchQueue('hospital', queue);
  metrics.watchLeader(FIELD_MANAGER, leader);
  metrics.watchReflector(hospitals);
  const health = await serveHealth({
    host: config.HOST,
    port: config.PORT,
    metrics: metrics.registry,
    // A standby is ready as soon as it has read the hospitals.
    notReady: () => [
      ...watch.problems(),
      ...platformWatch.problems(),
      ...(leader.isLeader ? [...platform.notReady(), ...outages.problems()] : []),
    ],
  });
  watch.start();
  platformWatch.start();
  leader.start();
  logger.info({ port: config.PORT }, 'the operator runs');

  return {
    async stop() {
      const platformStopped = platform.stop();
      await requests.stop();
      outages.stop();
      await Promise.all([watch.stop(), report.stop(), platformWatch.stop(), modules.stop()]);
      await Promise.all([controller.stop(), platformStopped]);
      await leader.stop();
      health.close();
      await engines.postgres.close();
      await tracing.stop();
    },
  };
}
