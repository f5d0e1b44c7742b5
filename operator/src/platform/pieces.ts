/** The shared part of each engine: a function that sets it up or restores it. */
import { PLATFORM_TAG } from '@hms/tenancy';
import type { Change } from '../backends/backend.ts';
import type { Collection } from '../backends/gateway/entities.ts';
import { applyEntities, entityChanges, observeEntities } from '../backends/gateway/sync.ts';
import type { Config } from '../config.ts';
import { type Engines, identitySettings } from '../engines.ts';
import { ensureBucket } from './bucket.ts';
import { ensureConsoleRealm } from './console-realm.ts';
import { PlatformDatabase } from './database.ts';
import { type Foreign, foreignIn, readLists } from './foreign.ts';
import { hostsOf, platformEntities } from './gateway-entities.ts';
import type { Ensure } from './platform.ts';

const PLATFORM_COLLECTIONS: readonly Collection[] = ['upstreams', 'services', 'routes', 'plugins'];

interface PieceOptions {
  /** Whether the operator may change this hospital's entities: it is neither paused nor only observed. */
  readonly mayChange: (prefix: string) => boolean;
  /** Called at each check with the foreign parts of the engine. */
  readonly onForeign: (foreign: readonly Foreign[]) => void;
}

export type Piece = (config: Config, engines: Engines, options: PieceOptions) => Ensure;

export const consoleRealm: Piece = (config, { realms }) => {
  const settings = { ...identitySettings(config), consoleOrigin: config.CONSOLE_ORIGIN };
  return () => ensureConsoleRealm(realms, settings);
};

export const sharedBucket: Piece =
  (_, { bucket }) =>
  () =>
    ensureBucket(bucket);

export const sharedDatabase: Piece = (_, { postgres }, { onForeign }) => {
  const database = new PlatformDatabase(postgres);
  return async () => {
    const { changes, foreign } = await database.ensure();
    onForeign(foreign);
    return changes;
  };
};

export const sharedGateway: Piece = (config, { kong }, { mayChange, onForeign }) => {
  const platformHosts = hostsOf(config);
  const entities = platformEntities({
    targets: config.MODULE_TARGETS,
    keycloakUrl: config.KEYCLOAK_URL,
    metricsAddress: config.KONG_METRICS_ADDRESS,
    metricsAllowed: config.METRICS_ALLOWED,
    portalOrigin: config.PORTAL_ORIGIN,
    consoleOrigin: config.CONSOLE_ORIGIN,
  });
  return async (): Promise<readonly Change[]> => {
    const observed = await observeEntities(kong, PLATFORM_TAG, entities, PLATFORM_COLLECTIONS);
    const changes = entityChanges(entities, observed, await kong.schemasFor(entities));
    await applyEntities(kong, changes);
    const lists = await readLists((collection) => kong.listAll(collection));
    const { attachments, foreign } = foreignIn(lists, { platformHosts, mayChange });
    for (const { path } of attachments) await kong.deleteAt(path);
    onForeign(foreign);
    return [...changes, ...attachments.map(({ object }) => ({ action: 'delete', object }) as const)];
  };
};
