import { addTaskOf, ROLES_LOST, TENANT_MIGRATIONS } from '@hms/database';
import type { Config } from '../config.ts';
import { checkKeycloak } from '../doctor/keycloak.ts';
import { checkAdmin, checkProxy } from '../doctor/others.ts';
import { checkPostgres } from '../doctor/postgres.ts';
import { addressOf, type EngineCheck } from '../doctor/reach.ts';
import { checkS3 } from '../doctor/s3.ts';
import { type Engines, identitySettings } from '../engines.ts';
import { consoleRealm, type Piece, sharedBucket, sharedDatabase, sharedGateway } from '../platform/pieces.ts';
import type { Backend } from './backend.ts';
import { DatabaseBackend } from './database/backend.ts';
import { GatewayBackend } from './gateway/backend.ts';
import { IdentityBackend } from './identity/backend.ts';
import { SigningKeys } from './identity/signing-keys.ts';
import { requireOrder } from './order.ts';
import { StorageBackend } from './storage/backend.ts';

/** A backend with everything that belongs to its engine. */
export interface BackendEntry {
  readonly connect: (config: Config, engines: Engines) => Backend;
  /** Ensures what all hospitals share in the engine. */
  readonly piece?: Piece;
  /** The doctor's checks of the engine. */
  readonly checks: readonly EngineCheck[];
}

/** All backends, in the order of conditions, plans and events. A new one is a folder and an entry here. */
export const BACKENDS: readonly BackendEntry[] = [
  {
    connect: (config, { keycloak, realms, postgres }) =>
      new IdentityBackend(keycloak, realms, identitySettings(config), ({ names: { role }, hospitalId }, roles) =>
        postgres.call('roles-lost', (db) =>
          addTaskOf(db, { role, hospitalId }, ROLES_LOST, { roles }, `${ROLES_LOST}/${role}`),
        ),
      ),
    piece: consoleRealm,
    checks: [{ engine: 'keycloak', address: ({ KEYCLOAK_URL }) => addressOf(KEYCLOAK_URL), ask: checkKeycloak }],
  },
  {
    connect: (_, { bucket }) => new StorageBackend(bucket),
    piece: sharedBucket,
    checks: [{ engine: 's3', address: ({ S3_ENDPOINT }) => addressOf(S3_ENDPOINT), ask: checkS3 }],
  },
  {
    connect: (_, { postgres }) => new DatabaseBackend(postgres, TENANT_MIGRATIONS),
    piece: sharedDatabase,
    checks: [{ engine: 'postgres', address: ({ DATABASE_URL }) => addressOf(DATABASE_URL), ask: checkPostgres }],
  },
  {
    connect: ({ KONG_PROXY_URL }, { kong, keycloak }) =>
      new GatewayBackend(kong, KONG_PROXY_URL, new SigningKeys(keycloak)),
    piece: sharedGateway,
    checks: [
      { engine: 'gateway admin', address: ({ KONG_ADMIN_URL }) => addressOf(KONG_ADMIN_URL), ask: checkAdmin },
      { engine: 'gateway', address: ({ KONG_PROXY_URL }) => addressOf(KONG_PROXY_URL), ask: checkProxy },
    ],
  },
];

export interface ConnectedBackend extends BackendEntry {
  readonly backend: Backend;
}

/** @throws Error if the backends have no order. */
export function connectBackends(
  entries: readonly BackendEntry[],
  config: Config,
  engines: Engines,
): readonly ConnectedBackend[] {
  const connected = entries.map((entry) => ({ ...entry, backend: entry.connect(config, engines) }));
  requireOrder(connected.map(({ backend }) => backend));
  return connected;
}
