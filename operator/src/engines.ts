import { createHmac } from 'node:crypto';
import { mailServerOf } from '@hms/mail';
import type { Descriptor } from './backends/backend.ts';
import { Calls, type CallsOptions } from './backends/calls.ts';
import { DATABASE } from './backends/database/backend.ts';
import { Postgres } from './backends/database/client.ts';
import { GATEWAY } from './backends/gateway/backend.ts';
import { Kong } from './backends/gateway/client.ts';
import { IDENTITY } from './backends/identity/backend.ts';
import { Keycloak } from './backends/identity/client.ts';
import type { SmtpSettings } from './backends/identity/realm.ts';
import { Realms } from './backends/identity/realms.ts';
import { STORAGE } from './backends/storage/backend.ts';
import { Bucket } from './backends/storage/client.ts';
import type { Config } from './config.ts';
import { FIELD_MANAGER } from './hospital/status-writer.ts';
import { Budget } from './runtime/budget.ts';

/** A migration of a large table takes long. */
const MIGRATION_MS = 120_000;

/** The clients of the engines. */
export interface Engines {
  readonly postgres: Postgres;
  readonly keycloak: Keycloak;
  readonly realms: Realms;
  readonly bucket: Bucket;
  readonly kong: Kong;
  /** The calls to a backend's engine, within its budget. */
  readonly calls: (backend: Descriptor) => Calls;
}

/** Opens no connection yet: each engine is connected on demand. */
export function connectEngines(config: Config, shared: Omit<CallsOptions, 'backend' | 'budget'>): Engines {
  const calls = ({ name, budget }: Descriptor) => new Calls({ ...shared, backend: name, budget: new Budget(budget) });
  const keycloak = new Keycloak(
    {
      url: config.KEYCLOAK_URL,
      clientId: config.KEYCLOAK_CLIENT_ID,
      clientSecret: config.KEYCLOAK_CLIENT_SECRET,
    },
    calls(IDENTITY),
  );
  return {
    postgres: new Postgres(
      {
        url: config.DATABASE_URL,
        applicationName: FIELD_MANAGER,
        poolSize: DATABASE.budget.concurrency + 2,
        statementTimeoutMs: MIGRATION_MS,
      },
      calls(DATABASE),
    ),
    keycloak,
    realms: new Realms(keycloak),
    bucket: new Bucket(
      {
        endpoint: config.S3_ENDPOINT,
        region: config.S3_REGION,
        bucket: config.S3_BUCKET,
        accessKeyId: config.S3_ACCESS_KEY_ID,
        secretAccessKey: config.S3_SECRET_ACCESS_KEY,
      },
      calls(STORAGE),
    ),
    kong: new Kong(config.KONG_ADMIN_URL, calls(GATEWAY)),
    calls,
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
