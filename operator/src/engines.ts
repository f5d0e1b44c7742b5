import { createHmac } from 'node:crypto';
import { TENANT_MIGRATIONS } from '@hms/database';
import { mailServerOf } from '@hms/mail';
import type { Backend, BackendName } from './backends/backend.ts';
import { Calls, type CallsOptions } from './backends/calls.ts';
import { DatabaseBackend } from './backends/database/backend.ts';
import { Postgres } from './backends/database/client.ts';
import { GatewayBackend } from './backends/gateway/backend.ts';
import { Kong } from './backends/gateway/client.ts';
import { IdentityBackend } from './backends/identity/backend.ts';
import { Keycloak } from './backends/identity/client.ts';
import type { SmtpSettings } from './backends/identity/realm.ts';
import { Realms, signingKey } from './backends/identity/realms.ts';
import { StorageBackend } from './backends/storage/backend.ts';
import { Bucket } from './backends/storage/client.ts';
import type { Config } from './config.ts';
import { FIELD_MANAGER } from './hospital/status-writer.ts';
import { Budget, type BudgetOptions } from './runtime/budget.ts';

/** A migration of a large table takes long. */
const MIGRATION_MS = 120_000;

/**
 * The budgets of the engines. Keycloak does not create realms faster with more parallel requests, and the others
 * must keep room for the modules.
 */
const BUDGETS: Readonly<Record<BackendName, BudgetOptions>> = {
  identity: { concurrency: 4, perSecond: 50 },
  storage: { concurrency: 16, perSecond: 200 },
  database: { concurrency: 8, perSecond: 200 },
  gateway: { concurrency: 16, perSecond: 400 },
};

/** The engines and their backends. */
export interface Engines {
  readonly postgres: Postgres;
  readonly keycloak: Keycloak;
  readonly realms: Realms;
  readonly bucket: Bucket;
  readonly kong: Kong;
  readonly backends: Readonly<Record<BackendName, Backend>>;
}

/** Opens no connection yet: each engine is connected on demand. */
export function connectEngines(config: Config, shared: Omit<CallsOptions, 'backend' | 'budget'>): Engines {
  const calls = (backend: BackendName) => new Calls({ ...shared, backend, budget: new Budget(BUDGETS[backend]) });
  const postgres = new Postgres(
    {
      url: config.DATABASE_URL,
      applicationName: FIELD_MANAGER,
      poolSize: BUDGETS.database.concurrency + 2,
      statementTimeoutMs: MIGRATION_MS,
    },
    calls('database'),
  );
  const keycloak = new Keycloak(
    {
      url: config.KEYCLOAK_URL,
      clientId: config.KEYCLOAK_CLIENT_ID,
      clientSecret: config.KEYCLOAK_CLIENT_SECRET,
    },
    calls('identity'),
  );
  const realms = new Realms(keycloak);
  const bucket = new Bucket(
    {
      endpoint: config.S3_ENDPOINT,
      region: config.S3_REGION,
      bucket: config.S3_BUCKET,
      accessKeyId: config.S3_ACCESS_KEY_ID,
      secretAccessKey: config.S3_SECRET_ACCESS_KEY,
    },
    calls('storage'),
  );
  const kong = new Kong(config.KONG_ADMIN_URL, calls('gateway'));
  return {
    postgres,
    keycloak,
    realms,
    bucket,
    kong,
    backends: {
      identity: new IdentityBackend(keycloak, realms, identitySettings(config)),
      storage: new StorageBackend(bucket),
      database: new DatabaseBackend(postgres, TENANT_MIGRATIONS),
      gateway: new GatewayBackend(kong, config.KONG_PROXY_URL, ({ names }) => signingKey(keycloak, names.realm)),
    },
  };
}

/**
 * The mail server of every realm. The mark is keyed with a secret of the operator, because people who may read a
 * realm's attributes must not be able to guess the password with it.
 */
function realmMail(config: Config): SmtpSettings {
  const server = mailServerOf(config);
  const { login } = server;
  if (!login) return { ...server, login };
  const passwordMark = createHmac('sha256', config.KEYCLOAK_CLIENT_SECRET).update(login.password).digest('base64url');
  return { ...server, login: { ...login, passwordMark } };
}

/** The settings of every realm. */
export function identitySettings(config: Config) {
  return {
    authJwksUrl: config.AUTH_JWKS_URL,
    smtp: realmMail(config),
  };
}
