import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { TENANT_MIGRATIONS } from '@hms/database';
import { KubernetesClient } from '@hms/kubernetes';
import { CONSOLE_REALM, MODULE_NAMES } from '@hms/tenancy';
import type { KubeConfig } from '@kubernetes/client-node';
import type { Logger } from 'pino';
import type { Backend, BackendName } from './backends/backend.ts';
import { CallMetrics } from './backends/calls.ts';
import { Requests } from './backends/database/requests.ts';
import { notClosed, notServed } from './backends/gateway/probe.ts';
import { takenHosts } from './backends/gateway/taken-hosts.ts';
import { inviteOwner } from './backends/identity/invitation.ts';
import { ProbeTokens } from './backends/identity/probe-tokens.ts';
import type { Config } from './config.ts';
import { connectEngines, type Engines } from './engines.ts';
import { Registry } from './hospital/claim.ts';
import { Hosts, platformHosts } from './hospital/hosts.ts';
import { HospitalMetrics } from './hospital/metrics.ts';
import { ORPHANS_PATH, type OrphanObject, Orphans } from './hospital/orphans.ts';
import { Outages, RETRY } from './hospital/outages.ts';
import { Proof } from './hospital/proof.ts';
import { Provisioner } from './hospital/provision.ts';
import { HospitalReconciler } from './hospital/reconciler.ts';
import { limitedReconcile } from './hospital/requested-reconcile.ts';
import { HOSPITALS_PATH, type HospitalObject, mayChange } from './hospital/resource.ts';
import { ROUTINE_CHECK_MS } from './hospital/served.ts';
import { FIELD_MANAGER, HospitalWriter } from './hospital/status-writer.ts';
import { isRelevant, urgencyOf, urgencyOfChange } from './hospital/urgency.ts';
import { MigrationMetrics } from './migration/metrics.ts';
import { Migrations } from './migration/migrations.ts';
import { ForeignReport } from './platform/foreign-report.ts';
import { platformPieces } from './platform/pieces.ts';
import { Platform, platformNews } from './platform/platform.ts';
import { Controller } from './runtime/controller.ts';
import { EventRecorder, type EventType } from './runtime/events.ts';
import { serveHealth } from './runtime/health.ts';
import { LeaderElection, leaderTiming } from './runtime/leader.ts';
import { Metrics } from './runtime/metrics.ts';
import { Recovery } from './runtime/recovery.ts';
import { type Change, Reflector } from './runtime/reflector.ts';
import { NO_TRACING, type Tracing } from './runtime/tracing.ts';
import { PRIORITY, Workqueue } from './runtime/workqueue.ts';

export interface Operator {
  /** Accepts no more work, finishes what is in progress and closes every connection. */
  stop(): Promise<void>;
}

/** After this time without data from the API server, the operator's state is stale. */
const SILENT_MS = 180_000;
/** Minimum time between two checks of the gateway because of a new key of the realm `console`. */
const CONSOLE_KEY_CHECK_MS = 5_000;

export interface OperatorOptions {
  readonly config: Config;
  readonly kubeConfig: KubeConfig;
  readonly logger: Logger;
  /** The process must end immediately, because another one leads now. */
  readonly onLost: () => void;
}

/** Assembles and starts the operator. It waits for unavailable engines. A port in use is an error. */
export async function startOperator({ config, kubeConfig, logger, onLost }: OperatorOptions): Promise<Operator> {
  const settings = {
    baseUrl: config.BASE_URL,
    domain: config.PLATFORM_DOMAIN,
    platformHosts: platformHosts(config.PLATFORM_DOMAIN, [
      config.BASE_URL,
      config.PORTAL_ORIGIN,
      config.CONSOLE_ORIGIN,
    ]),
  };
  const queue = new Workqueue(RETRY);
  const metrics = new Metrics();
  metrics.watchQueue('hospital', queue);

  const identity = `${hostname()}_${randomUUID()}`;
  const tracing = await startTracing(config, identity);
  const client = new KubernetesClient(kubeConfig);
  // A standby enqueues nothing: old keys would come before current requests when it becomes the leader.
  let leads = false;
  const leader = new LeaderElection({
    client,
    namespace: config.LEASE_NAMESPACE,
    name: FIELD_MANAGER,
    identity,
    logger,
    onElected: () => {
      leads = true;
      for (const hospital of hospitals.list()) queue.add(hospital.metadata.name, urgencyOf(hospital));
      for (const orphan of orphans.list()) queue.add(orphan.metadata.name, PRIORITY.deletion);
      platform.start();
      controller.start();
      requests.start();
    },
    onLost,
    timing: leaderTiming(config.LEASE_SECONDS),
  });
  metrics.watchLeader(FIELD_MANAGER, leader);
  const engines = connectEngines(config, {
    metrics: new CallMetrics(metrics.registry),
    tracing,
    fence: leader.fence,
  });
  const hospitals = new Reflector<HospitalObject>({
    client,
    path: HOSPITALS_PATH,
    logger,
    onChange: (change) => {
      if (!leads) return;
      enqueue(queue, change);
      if (change.type !== 'deleted') return;
      const { name } = change.object.metadata;
      migrations.forget(name);
      // An orphan has the same key as its hospital.
      if (orphans.get(name)) queue.add(name, PRIORITY.deletion);
      else outages.forget(name);
    },
  });
  metrics.watchReflector(hospitals);
  const orphans = new Reflector<OrphanObject>({
    client,
    path: ORPHANS_PATH,
    logger,
    onChange: (change) => {
      if (leads && isRelevant(change)) queue.add(change.object.metadata.name, PRIORITY.deletion);
    },
  });
  // Keys that failed by an engine are retried immediately when it is available: before resyncs, after deletions.
  const recoveries = recoveriesOf(engines, logger, (backend, names) => {
    void platform.answers(backend);
    for (const name of names) queue.add(name, PRIORITY.change);
  });
  const platform = new Platform({
    pieces: platformPieces(config, engines, {
      mayChange: (prefix) => mayChange(hospitals.get(prefix)),
      onForeign: (engine, foreign) => foreignReport.update(engine, foreign),
    }),
    resyncMs: config.RESYNC_INTERVAL * 1000,
    logger,
    onReady: () => {
      for (const hospital of hospitals.list()) queue.add(hospital.metadata.name, urgencyOf(hospital));
    },
    onChanged: (name, changes, drift) => {
      if (drift) for (const _ of changes) hospitalMetrics.driftCorrected(name);
      recordPlatformEvent('Normal', ...platformNews(name, changes, drift));
    },
  });
  const recordPlatformEvent = (type: EventType, reason: string, message: string) => {
    if (!leader.lease) return;
    const recorded = events.record(leader.lease, type, reason, message);
    recorded.catch((error: unknown) => logger.warn({ err: error }, 'could not write an event about the platform'));
  };
  const foreignReport = new ForeignReport({
    registry: metrics.registry,
    logger,
    record: (reason, message) => recordPlatformEvent('Warning', reason, message),
  });
  const migrations = new Migrations({
    postgres: engines.postgres,
    migrations: TENANT_MIGRATIONS,
    limits: {
      canaries: config.MIGRATION_CANARIES,
      parallelism: config.MIGRATION_PARALLELISM,
      maxFailures: config.MIGRATION_MAX_FAILURES,
    },
    wake: (prefix) => queue.add(prefix, PRIORITY.resync),
    onEnd: (result) => migrationMetrics.ended(result),
  });
  const migrationMetrics = new MigrationMetrics(metrics.registry, {
    versions: () => hospitals.list().flatMap(({ status }) => status?.schemaVersion ?? []),
    halted: () => migrations.halted,
  });
  const requirePlatform = (name: BackendName): Promise<void> => platform.require(name);
  const registry = new Registry(engines.postgres, settings);
  const outages = new Outages(recoveries);
  const events = new EventRecorder({ client, logger, component: FIELD_MANAGER, fence: leader.fence });
  const { backends } = engines;
  const { fence } = leader;
  const hospitalMetrics = new HospitalMetrics(
    metrics.registry,
    () => hospitals.list(),
    () => orphans.list().length,
  );
  const probeTokens = new ProbeTokens(engines.keycloak);
  const probe = {
    proxyUrl: config.KONG_PROXY_URL,
    baseUrl: config.BASE_URL,
    modules: MODULE_NAMES.filter((name) => config.MODULE_TARGETS[name]),
  };
  const proof = new Proof({
    freshToken: (realm) => probeTokens.fresh(realm),
    forgetToken: (realm) => probeTokens.forget(realm),
    lastToken: (realm) => probeTokens.last(realm),
    notServed: (tenant, token) => notServed(probe, tenant, token),
    notClosed: (tenant, token) => notClosed(probe, tenant, token),
  });
  const reconciler = new HospitalReconciler({
    get: (name) => hospitals.get(name),
    list: () => hospitals.list(),
    writer: new HospitalWriter(client, hospitals, leader.fence),
    registry,
    hosts: new Hosts({
      postgres: engines.postgres,
      settings,
      takenInGateway: async (prefix, hosts) => takenHosts(prefix, hosts, await engines.kong.listAll('routes')),
    }),
    wake: (name) => queue.add(name, PRIORITY.resync),
    provisioner: new Provisioner({ backends, requirePlatform, logger }),
    orphans: new Orphans({ client, cache: orphans, fence, registry, backends, outages, events }),
    outages,
    backends,
    requirePlatform,
    notServed: (tenant) => proof.missing(tenant),
    prepareProof: (tenant) => proof.prepare(tenant),
    inviteOwner: ({ names }, owner) => inviteOwner(engines.keycloak, names.realm, owner),
    events,
    metrics: hospitalMetrics,
    sharedGateway: {
      checkSoon: (spacingMs) => {
        platform.hasten('gateway', spacingMs);
        for (const name of ['identity', 'storage', 'database'] as const) platform.hasten(name, ROUTINE_CHECK_MS);
      },
      trouble: () => platform.trouble('gateway'),
    },
    settings,
    migrations,
    defaultResyncSeconds: config.RESYNC_INTERVAL,
  });
  const requestReconcile = limitedReconcile(queue, (name) => hospitals.get(name) !== undefined);
  const requests = new Requests({
    url: config.DATABASE_URL,
    applicationName: FIELD_MANAGER,
    logger,
    onRequest: (realm) => {
      if (realm === CONSOLE_REALM) platform.hasten('gateway', CONSOLE_KEY_CHECK_MS);
      else requestReconcile(realm);
    },
  });
  const controller = new Controller({
    name: 'hospital',
    queue,
    workers: config.WORKERS,
    reconcile: (name) =>
      tracing.span('reconcile', { 'hms.hospital': name }, async (add) => {
        const result = await reconciler.reconcile(name);
        add({ 'hms.outcome': 'retry' in result ? 'retry' : 'ok' });
        return result;
      }),
    metrics,
    logger,
  });
  const health = await serveHealth({
    host: config.HOST,
    port: config.PORT,
    metrics: metrics.registry,
    // A standby is ready as soon as it has read the hospitals.
    notReady: () => [
      ...(hospitals.synced && orphans.synced ? [] : ['the list of hospitals has not been read yet']),
      ...(hospitals.silentMs > SILENT_MS ? ['the API server has been silent for too long'] : []),
      ...(leader.isLeader ? [...platform.notReady(), ...outages.problems()] : []),
    ],
  });
  hospitals.start();
  orphans.start();
  leader.start();
  logger.info({ port: config.PORT }, 'the operator runs');

  return {
    async stop() {
      const platformStopped = platform.stop();
      await requests.stop();
      for (const recovery of Object.values(recoveries)) recovery.stop();
      await Promise.all([hospitals.stop(), orphans.stop()]);
      await Promise.all([controller.stop(), platformStopped]);
      await leader.stop();
      health.close();
      await engines.postgres.close();
      await tracing.stop();
    },
  };
}

/**
 * One for each engine. @param onRecovered called with the engine that answers again, and the hospitals that failed by
 * it.
 */
function recoveriesOf(
  { backends }: Engines,
  logger: Logger,
  onRecovered: (backend: BackendName, names: readonly string[]) => void,
): Readonly<Record<BackendName, Recovery>> {
  const recoveryOf = (backend: Backend) =>
    new Recovery({
      name: backend.name,
      probe: () => backend.ping(),
      onRecovered: (names) => onRecovered(backend.name, names),
      logger,
    });
  return {
    identity: recoveryOf(backends.identity),
    storage: recoveryOf(backends.storage),
    database: recoveryOf(backends.database),
    gateway: recoveryOf(backends.gateway),
  };
}

/** The libraries are loaded only if tracing is configured. */
async function startTracing({ OTEL_EXPORTER_OTLP_ENDPOINT: endpoint }: Config, instance: string): Promise<Tracing> {
  if (!endpoint) return NO_TRACING;
  const { startOtlp } = await import('./runtime/tracing-otlp.ts');
  return startOtlp({ endpoint, service: FIELD_MANAGER, instance });
}

/** The operator's own status writes arrive as changes too, but need no reconcile. */
function enqueue(queue: Workqueue, change: Change<HospitalObject>): void {
  const { metadata } = change.object;
  if (change.type === 'deleted') {
    queue.remove(metadata.name);
    return;
  }
  const urgency = urgencyOfChange(change);
  if (urgency !== undefined) queue.add(metadata.name, urgency);
}
