import { CONSOLE_REALM, issuerOf, PLATFORM_TAG } from '@hms/tenancy';
import type { BackendName, Change } from '../backends/backend.ts';
import type { Kong } from '../backends/gateway/client.ts';
import type { Collection, Entity } from '../backends/gateway/entities.ts';
import { applyEntities, entityChanges, observeEntities } from '../backends/gateway/sync.ts';
import { signingKey } from '../backends/identity/realms.ts';
import type { Config } from '../config.ts';
import { type Engines, identitySettings } from '../engines.ts';
import { ensureBucket } from './bucket.ts';
import { ensureConsoleRealm } from './console-realm.ts';
import { PlatformDatabase } from './database.ts';
import { type Foreign, foreignIn, readLists } from './foreign.ts';
import { consoleEntities, hostsOf, platformEntities } from './gateway-entities.ts';

const SHARED_COLLECTIONS: readonly Collection[] = ['upstreams', 'services', 'routes', 'plugins'];
const CONSOLE_COLLECTIONS: readonly Collection[] = ['consumers', 'jwts', 'acls'];

export interface PiecesOptions {
  /** Whether the operator may change this hospital's entities: it is neither paused nor only observed. */
  readonly mayChange: (prefix: string) => boolean;
  /** Called at each check with the foreign parts of an engine. */
  readonly onForeign: (engine: BackendName, foreign: readonly Foreign[]) => void;
}

/** The shared parts of each engine, with the functions that ensure them. */
export function platformPieces(
  config: Config,
  { postgres, keycloak, realms, bucket, kong }: Engines,
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
  const consoleIssuer = issuerOf(config.BASE_URL, CONSOLE_REALM);
  let consoleRealm: Promise<unknown> = Promise.resolve();
  return {
    identity: () => {
      const settings = { ...identitySettings(config), consoleOrigin: config.CONSOLE_ORIGIN };
      const ensured = ensureConsoleRealm(realms, settings);
      consoleRealm = ensured.catch(() => undefined);
      return ensured;
    },
    storage: () => ensureBucket(bucket),
    database: async () => {
      const { changes, foreign } = await database.ensure();
      onForeign('database', foreign);
      return changes;
    },
    gateway: async () => {
      const changes = await ensureEntities(kong, entities, SHARED_COLLECTIONS);
      const lists = await readLists((collection) => kong.listAll(collection));
      const { attachments, foreign } = foreignIn(lists, { platformHosts, mayChange });
      for (const { path } of attachments) await kong.deleteAt(path);
      onForeign('gateway', foreign);
      // Last, because it needs Keycloak, and after the realm, which may be new and then has a new key.
      await consoleRealm;
      const wanted = consoleEntities(consoleIssuer, await signingKey(keycloak, CONSOLE_REALM));
      return [
        ...changes,
        ...attachments.map(({ object }) => ({ action: 'delete', object }) as const),
        ...(await ensureEntities(kong, wanted, CONSOLE_COLLECTIONS)),
      ];
    },
  };
}

/** Creates or restores shared entities, and deletes others in these collections. @returns the changes. */
async function ensureEntities(
  kong: Kong,
  wanted: readonly Entity[],
  collections: readonly Collection[],
): Promise<readonly Change[]> {
  const observed = await observeEntities(kong, PLATFORM_TAG, wanted, collections);
  const changes = entityChanges(wanted, observed, await kong.schemasFor(wanted));
  await applyEntities(kong, changes);
  return changes;
}
