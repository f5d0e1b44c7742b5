/** The shared part of each engine: a function that sets it up or restores it. */
import { CONSOLE_REALM, issuerOf, PLATFORM_TAG } from '@hms/tenancy';
import type { Change } from '../backends/backend.ts';
import type { Kong } from '../backends/gateway/client.ts';
import type { Collection, Entity } from '../backends/gateway/entities.ts';
import { applyEntities, entityChanges, observeEntities } from '../backends/gateway/sync.ts';
import { SigningKeys } from '../backends/identity/signing-keys.ts';
import { KEY_ROTATION_DAYS, rotationOf } from '../backends/key-rotation.ts';
import type { Config } from '../config.ts';
import { type Engines, identitySettings } from '../engines.ts';
import { ensureBucket } from './bucket.ts';
import { CORS } from './bucket-cors.ts';
import { ensureConsoleRealm } from './console-realm.ts';
import { PlatformDatabase } from './database.ts';
import { type Foreign, foreignIn, readLists } from './foreign.ts';
import { consoleEntities, hostsOf, platformEntities } from './gateway-entities.ts';
import type { Ensure } from './platform.ts';

const SHARED_COLLECTIONS: readonly Collection[] = ['upstreams', 'services', 'routes', 'plugins'];
const CONSOLE_COLLECTIONS: readonly Collection[] = ['consumers', 'jwts', 'acls'];

interface PieceOptions {
  /** Whether the operator may change this hospital's entities: it is neither paused nor only observed. */
  readonly mayChange: (prefix: string) => boolean;
  /** Whether there is a hospital of that prefix, or what is left of one. */
  readonly isHospital: (prefix: string) => boolean;
  /** Resolves when the checks of the engines that this one needs have ended, as far as they run. */
  readonly needed: () => Promise<unknown>;
  /** Origins whose pages use files of the bucket, or undefined while the hospitals are not known yet. */
  readonly fileOrigins: () => readonly string[] | undefined;
  /** The request for a new signing key of the realm `console`. */
  readonly keyRequest: () => string | undefined;
  /** Called with a sentence if an engine refuses a setting that it can be used without. */
  readonly onRefused: (sentence: string) => void;
  /** Called at each check with the foreign parts of the engine. */
  readonly onForeign: (foreign: readonly Foreign[]) => void;
  /** Called at each check with what somebody has changed that affects only speed, one phrase each. */
  readonly onTuned: (tuning: readonly string[]) => void;
}

export type Piece = (config: Config, engines: Engines, options: PieceOptions) => Ensure;

export const consoleRealm: Piece = (config, { realms }) => {
  const settings = { ...identitySettings(config), consoleOrigin: config.CONSOLE_ORIGIN };
  return () => ensureConsoleRealm(realms, settings);
};

export const sharedBucket: Piece = (config, { bucket }, { fileOrigins, onRefused, onForeign }) => {
  const modules = config.S3_MODULES_PRINCIPAL;
  let last: string | undefined;
  return async () => {
    const origins = fileOrigins();
    const isNews = origins?.join() !== last;
    const changes = await ensureBucket(bucket, { origins, modules, onRefused, onForeign });
    last = origins?.join() ?? last;
    return changes.map((change) => (isNews && change.detail === CORS ? { ...change, isNews } : change));
  };
};

export const sharedDatabase: Piece = (_, { postgres }, { isHospital, onForeign, onTuned }) => {
  const database = new PlatformDatabase(postgres, isHospital);
  return async () => {
    const { changes, foreign, tuning } = await database.ensure();
    onForeign(foreign);
    onTuned(tuning);
    return changes;
  };
};

export const sharedGateway: Piece = (config, { kong, keycloak }, options) => {
  const { mayChange, isHospital, needed, keyRequest, onForeign } = options;
  const platformHosts = hostsOf(config);
  const entities = platformEntities({
    targets: config.MODULE_TARGETS,
    webTargets: config.WEB_TARGETS,
    keycloakUrl: config.KEYCLOAK_URL,
    metricsAddress: config.KONG_METRICS_ADDRESS,
    metricsAllowed: config.METRICS_ALLOWED,
    portalOrigin: config.PORTAL_ORIGIN,
    consoleOrigin: config.CONSOLE_ORIGIN,
  });
  const signingKeys = new SigningKeys(keycloak);
  const consoleIssuer = issuerOf(config.BASE_URL, CONSOLE_REALM);
  return async (again): Promise<readonly Change[]> => {
    const changes = await ensureEntities(kong, entities, SHARED_COLLECTIONS);
    const lists = await readLists((collection) => kong.listAll(collection));
    const { attachments, foreign } = foreignIn(lists, { platformHosts, mayChange, isHospital });
    for (const { path } of attachments) await kong.deleteAt(path);
    onForeign(foreign);
    // Last, because it needs Keycloak, and after the realm, which may be new and then has a new key.
    await needed();
    const keys = await signingKeys.read(CONSOLE_REALM);
    const wanted = consoleEntities(consoleIssuer, keys.current.pem);
    const ensured = await ensureEntities(kong, wanted, CONSOLE_COLLECTIONS);
    const { change, nextMs } = rotationOf(keys, { ...CONSOLE_ROTATION, request: keyRequest() }, new Date());
    if (nextMs !== undefined) again(nextMs);
    if (change) {
      await signingKeys.apply(CONSOLE_REALM, change.step);
      if (change.step.kind === 'activate')
        await ensureEntities(kong, consoleEntities(consoleIssuer, change.step.key.pem), CONSOLE_COLLECTIONS);
    }
    return [
      ...changes,
      ...attachments.map(({ object }) => ({ action: 'delete', object }) as const),
      ...ensured,
      ...(change ? [change] : []),
    ];
  };
};

const CONSOLE_ROTATION = { everyDays: KEY_ROTATION_DAYS, timezone: 'UTC' };

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
