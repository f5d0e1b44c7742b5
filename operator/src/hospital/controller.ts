import type { KubernetesClient } from '@hms/kubernetes';
import { MODULE_NAMES } from '@hms/tenancy';
import type { Logger } from 'pino';
import type { Backend } from '../backends/backend.ts';
import { takenHosts } from '../backends/gateway/taken-hosts.ts';
import { inviteOwner } from '../backends/identity/invitation.ts';
import { ProbeTokens } from '../backends/identity/probe-tokens.ts';
import type { Config } from '../config.ts';
import type { Engines } from '../engines.ts';
import type { Migrations } from '../migration/migrations.ts';
import type { Platform } from '../platform/platform.ts';
import { Controller } from '../runtime/controller.ts';
import type { EventRecorder } from '../runtime/events.ts';
import type { Metrics } from '../runtime/metrics.ts';
import type { Tracing } from '../runtime/tracing.ts';
import { PRIORITY, type Workqueue } from '../runtime/workqueue.ts';
import { Registry } from './claim.ts';
import { Hosts, hostSettings } from './hosts.ts';
import type { HospitalMetrics } from './metrics.ts';
import { Orphans } from './orphans.ts';
import type { Outages } from './outages.ts';
import { Proof } from './proof.ts';
import { Provisioner } from './provision.ts';
import { HospitalReconciler } from './reconciler.ts';
import { HospitalWriter } from './status-writer.ts';
import type { Watch } from './watch.ts';

export interface HospitalControllerOptions {
  readonly config: Config;
  readonly client: KubernetesClient;
  readonly engines: Engines;
  readonly backends: readonly Backend[];
  readonly watch: Watch;
  readonly queue: Workqueue;
  readonly outages: Outages;
  readonly platform: Platform;
  readonly migrations: Migrations;
  readonly events: EventRecorder;
  readonly metrics: Metrics;
  readonly hospitalMetrics: HospitalMetrics;
  readonly tracing: Tracing;
  readonly logger: Logger;
  /** Throws if this process may no longer write. */
  readonly fence: () => void;
}

/** The workers that reconcile hospitals, with everything that they work with. */
export function hospitalController(options: HospitalControllerOptions): Controller {
  const { config, queue, metrics, tracing, logger } = options;
  const reconciler = reconcilerOf(options);
  return new Controller({
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
}

function reconcilerOf({ config, client, engines, watch, queue, logger, fence, ...shared }: HospitalControllerOptions) {
  const { backends, outages, platform, events } = shared;
  const { postgres, keycloak, kong } = engines;
  const { hospitals } = watch;
  const settings = hostSettings(config);
  const registry = new Registry(postgres, settings);
  return new HospitalReconciler({
    ...shared,
    metrics: shared.hospitalMetrics,
    get: (name) => hospitals.get(name),
    list: () => hospitals.list(),
    writer: new HospitalWriter(client, hospitals, fence),
    registry,
    hosts: new Hosts({
      postgres,
      settings,
      takenInGateway: async (prefix, hosts) => takenHosts(prefix, hosts, await kong.listAll('routes')),
    }),
    wake: (name) => queue.add(name, PRIORITY.resync),
    provisioner: new Provisioner({ backends, requirePlatform: (name) => platform.require(name), logger }),
    orphans: new Orphans({ client, cache: watch.orphans, fence, registry, backends, outages, events }),
    proof: new Proof(new ProbeTokens(keycloak), {
      proxyUrl: config.KONG_PROXY_URL,
      baseUrl: config.BASE_URL,
      modules: MODULE_NAMES.filter((name) => config.MODULE_TARGETS[name]),
    }),
    inviteOwner: ({ names }, owner) => inviteOwner(keycloak, names.realm, owner),
    settings,
    defaultResyncSeconds: config.RESYNC_INTERVAL,
  });
}
