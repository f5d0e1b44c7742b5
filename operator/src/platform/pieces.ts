import { migratePlatform } from '@hms/database';
import { PLATFORM_TAG } from '@hms/tenancy';
import { applyEntities, entityChanges, observeEntities } from '../backends/gateway/sync.ts';
import type { Config } from '../config.ts';
import { type Engines, identitySettings } from '../engines.ts';
import { ensureBucket } from './bucket.ts';
import { ensureConsoleRealm } from './console-realm.ts';
import { platformEntities } from './gateway-entities.ts';

/** What exists once in each engine, and how it is made sure of. */
export function platformPieces(config: Config, { postgres, keycloak, bucket, kong }: Engines) {
  const entities = platformEntities({
    targets: config.MODULE_TARGETS,
    keycloakUrl: config.KEYCLOAK_URL,
    metricsAddress: config.KONG_METRICS_ADDRESS,
    metricsAllowed: config.METRICS_ALLOWED,
    portalOrigin: config.PORTAL_ORIGIN,
    consoleOrigin: config.CONSOLE_ORIGIN,
  });
  return {
    identity: () => ensureConsoleRealm(keycloak, { ...identitySettings(config), consoleOrigin: config.CONSOLE_ORIGIN }),
    storage: () => ensureBucket(bucket),
    database: async () => {
      const { from, to } = await postgres.patiently('migrate-platform', (db) => migratePlatform(db));
      return from === to
        ? []
        : [{ action: 'update', object: 'schema platform', detail: `version ${from} to ${to}` } as const];
    },
    gateway: async () => {
      const changes = entityChanges(entities, await observeEntities(kong, PLATFORM_TAG, entities));
      await applyEntities(kong, changes);
      return changes;
    },
  };
}
