import { addTaskOf, OWNER_APPOINTED } from '@hms/database';
import type { Backend } from '../backends/backend.ts';
import { takenHosts } from '../backends/gateway/taken-hosts.ts';
import { inviteOwner } from '../backends/identity/invitation.ts';
import { ProbeTokens } from '../backends/identity/probe-tokens.ts';
import { servedModules } from '../config.ts';
import type { Context } from '../context.ts';
import type { Migrations } from '../migration/migrations.ts';
import type { ModuleWatch } from '../platform/module-watch.ts';
import type { Platform } from '../platform/platform.ts';
import { Controller } from '../runtime/controller.ts';
import { PRIORITY } from '../runtime/workqueue.ts';
import { Registry } from './claim.ts';
import { Hosts, hostSettings } from './hosts.ts';
import type { HospitalMetrics } from './metrics.ts';
import { Orphans } from './orphans.ts';
import type { Outages } from './outages.ts';
import { Proof } from './proof.ts';
import { HospitalReconciler } from './reconciler.ts';
import { HospitalWriter } from './status-writer.ts';
import type { Watch } from './watch.ts';

export interface HospitalParts {
  readonly backends: readonly Backend[];
  readonly watch: Watch;
  readonly outages: Outages;
  readonly platform: Platform;
  readonly migrations: Migrations;
  readonly metrics: HospitalMetrics;
  readonly modules: ModuleWatch;
}

/** The workers that reconcile hospitals, with everything that they work with. */
export function hospitalController(context: Context, parts: HospitalParts): Controller {
  const { config, client, engines, queue, leader, events, metrics, tracing, logger } = context;
  const { postgres, keycloak, kong } = engines;
  const { hospitals, orphans: cache } = parts.watch;
  const { fence } = leader;
  const settings = hostSettings(config);
  const registry = new Registry(postgres, settings);
  const reconciler = new HospitalReconciler({
    ...parts,
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
    orphans: new Orphans({ ...parts, client, cache, fence, registry, events }),
    proof: new Proof(
      new ProbeTokens(keycloak),
      { proxyUrl: config.KONG_PROXY_URL, baseUrl: config.BASE_URL, modules: servedModules(config) },
      () => parts.modules.problem(),
    ),
    inviteOwner: ({ names, hospitalId }, owner) =>
      inviteOwner(keycloak, names.realm, owner, (appointment) =>
        postgres.call('appoint', (db) => addTaskOf(db, { role: names.role, hospitalId }, OWNER_APPOINTED, appointment)),
      ),
    events,
    settings,
    defaultResyncSeconds: config.RESYNC_INTERVAL,
    logger,
  });
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
