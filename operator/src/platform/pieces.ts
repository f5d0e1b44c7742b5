import { PLATFORM_TAG } from '@hms/tenancy';
import type { BackendName } from '../backends/backend.ts';
import type { Collection } from '../backends/gateway/entities.ts';
import { applyEntities, entityChanges, observeEntities } from '../backends/gateway/sync.ts';
import type { Config } from '../config.ts';
import { type Engines, identitySettings } from '../engines.ts';
import { ensureBucket } from './bucket.ts';
import { ensureConsoleRealm } from './console-realm.ts';
import { PlatformDatabase } from './database.ts';
import { type Foreign, foreignIn, readLists } from './foreign.ts';
import { hostsOf, platformEntities } from './gateway-entities.ts';

const PLATFORM_COLLECTIONS: readonly Collection[] = ['upstreams', 'services', 'routes', 'plugins'];

export interface PiecesOptions {
  /** Whether the operator may change this hospital's entities: it is neither paused nor only observed. */
  readonly mayChange: (prefix: string) => boolean;
  /** Called at each check with the foreign parts of an engine. */
  readonly onForeign: (engine: BackendName, foreign: readonly Foreign[]) => void;
}

/** The shared parts of each engine, with the functions that ensure them. */
export function platformPieces(
  config: Config,
  { postgres, realms, bucket, kong }: Engines,
  { mayChange, onForeign }: PiecesOptions,
) {
  const platformHosts = hostsOf(config);
  const database = new PlatformDatabase(postgres);
  const entities = platformEntities({
    targets: config.MODULE_TARGETS,
    keycloakUrl: config.KEYCLOAK_URL,
    metricsAddress: config.KONG_METRICS_ADDRESS,
    metricsAllowed: config.METRICS_ALLOWED,
    portalOrigin: config.PORTAL_ORIGIN,
    consoleOrigin: config.CONSOLE_ORIGIN,
  });
  return {
    identity: () => ensureConsoleRealm(realms, { ...identitySettings(config), consoleOrigin: config.CONSOLE_ORIGIN }),
    storage: () => ensureBucket(bucket),
    database: async () => {
      const { changes, foreign } = await database.ensure();
      onForeign('database', foreign);
      return changes;
    },
    gateway: async () => {
      const observed = await observeEntities(kong, PLATFORM_TAG, entities, PLATFORM_COLLECTIONS);
      const changes = entityChanges(entities, observed, await kong.schemasFor(entities));
      await applyEntities(kong, changes);
      const lists = await readLists((collection) => kong.listAll(collection));
      const { attachments, foreign } = foreignIn(lists, { platformHosts, mayChange });
      for (const { path } of attachments) await kong.deleteAt(path);
      onForeign('gateway', foreign);
      return [...changes, ...attachments.map(({ object }) => ({ action: 'delete', object }) as const)];
    },
  };
}
