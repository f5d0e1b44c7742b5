/** The auth module at a real Keycloak, with a hospital whose realm is as the operator creates it. */
import { generateKeyPairSync } from 'node:crypto';
import { type ApiClient, apiClient } from '@hms/api-client';
import { type Hospital, type SecondFactor, updateHospital } from '@hms/database';
import { moduleEnv } from '@hms/local';
import { createMailer } from '@hms/mail';
import { startTestMailServer, type TestMailServer } from '@hms/mail/testing';
import { insertTestHospital, startTestModule, type TestModule } from '@hms/service/testing';
import { HOSPITAL_ROLES, issuerOf } from '@hms/tenancy';
import type KcAdminClient from '@keycloak/keycloak-admin-client';
import { pino } from 'pino';
import { realmRepresentation } from '../../operator/src/backends/identity/realm.ts';
import { createAccounts } from '../../services/auth/src/accounts.ts';
import { KeyWatch } from '../../services/auth/src/key-watch.ts';
import { createKeycloak, type Keycloak } from '../../services/auth/src/keycloak.ts';
import { authModule } from '../../services/auth/src/module.ts';
import { mailQueue } from '../../services/auth/src/outgoing-mail.ts';
import {
  CODE_LIMITS,
  codeLimits,
  DISPLAY_LIMITS,
  displayLimits,
  LIMITS,
  loginLimits,
  searchLimits,
} from '../../services/auth/src/sessions/login-limits.ts';
import { createSigningKey } from '../../services/auth/src/signing-key.ts';
import { platform } from '../platform.ts';
import { asKeycloakAdmin } from './keycloak-admin.ts';

export const PASSWORD = 'a long passphrase';

interface AuthOptions {
  readonly keycloakUrl?: string;
  readonly limits?: typeof LIMITS;
  readonly codeLimits?: typeof CODE_LIMITS;
  readonly displayLimits?: typeof DISPLAY_LIMITS;
  /** Port of the mail server. Default: that of the scene. */
  readonly mailPort?: number;
  /** Default: the scene's. */
  readonly key?: string;
  /** Milliseconds between two sweeps of expired logins. */
  readonly sweepInterval?: number;
}

export interface AuthScene {
  readonly auth: TestModule;
  /** The typed client of it, without a token. */
  readonly api: ApiClient;
  readonly hospital: Hospital;
  /** Keycloak's administrator, whose token is valid for a minute. */
  admin(): Promise<KcAdminClient>;
  readonly mail: TestMailServer;
  /** Keycloak's token endpoints, as the auth module uses them. */
  readonly keycloak: Keycloak;
  /** Another auth process, which ends with the scene. */
  start(options?: AuthOptions): Promise<TestModule>;
  end(): Promise<void>;
}

/** @param users in addition to `jane`, a doctor and administrator. */
export async function authScene(
  secondFactor: SecondFactor,
  users: Readonly<Record<string, object>> = {},
): Promise<AuthScene> {
  const { baseUrl, keycloakUrl, databaseUrls } = platform();
  const mail = await startTestMailServer({ tls: 'none' });
  const pem = newKey();
  const started: TestModule[] = [];

  async function start(options: AuthOptions = {}): Promise<TestModule> {
    const key = await createSigningKey(options.key ?? pem);
    const mailer = createMailer({ host: '127.0.0.1', port: options.mailPort ?? mail.port, tls: 'none', from: FROM });
    const module = await startTestModule({
      databaseUrls,
      databaseRole: 'auth',
      s3: moduleEnv(platform()),
      identity: { baseUrl, keycloakUrl },
      ttl: 0,
      define: (context) => {
        const { db, registry } = context;
        const keycloakAddress = options.keycloakUrl ?? keycloakUrl;
        const keycloak = createKeycloak({ baseUrl, keycloakUrl: keycloakAddress }, key);
        return authModule({
          platform: context,
          registry,
          baseUrl,
          key,
          keycloak,
          accounts: createAccounts(keycloak, keycloakAddress),
          limits: loginLimits(db, options.limits ?? LIMITS),
          codeLimits: codeLimits(db, options.codeLimits ?? CODE_LIMITS),
          searchLimits: searchLimits(db),
          displayLimits: displayLimits(db, options.displayLimits ?? DISPLAY_LIMITS),
          mailer,
          mails: mailQueue(mailer, pino({ level: 'silent' }), [10]),
          log: pino({ level: 'silent' }),
          keys: new KeyWatch({ onNewKey: async () => undefined, onError: () => undefined }),
          sweepInterval: options.sweepInterval,
        });
      },
    });
    started.push(module);
    return module;
  }

  const auth = await start();
  const hospital = await insertTestHospital(auth.operator, (prefix) => issuerOf(baseUrl, prefix));
  await updateHospital(auth.operator, hospital.prefix, { secondFactor });
  const realm = realmRepresentation({
    name: hospital.prefix,
    id: hospital.id,
    ownerUid: hospital.ownerUid,
    displayName: hospital.displayName,
    enabled: true,
    secondFactor,
    roles: HOSPITAL_ROLES,
    claims: { hospital_id: hospital.id, hospital_prefix: hospital.prefix },
    accessTokenSeconds: 300,
    impersonation: true,
    origins: ['http://localhost:3000'],
    authJwksUrl: `${auth.url}/.well-known/jwks.json`,
    smtp: { host: '127.0.0.1', port: mail.port, tls: 'none', from: FROM },
  });
  const people = { jane: { realmRoles: ['DOCTOR', 'ADMIN'] }, ...users };
  await (await asKeycloakAdmin()).realms.create({
    ...realm,
    users: [...realm.users, ...Object.entries(people).map(([name, changes]) => person(name, changes))],
  });

  return {
    auth,
    api: apiClient(auth.url),
    hospital,
    admin: asKeycloakAdmin,
    mail,
    keycloak: createKeycloak({ baseUrl, keycloakUrl }, await createSigningKey(pem)),
    start,
    end: async () => {
      await Promise.all(started.map((module) => module.close()));
      await (await asKeycloakAdmin()).realms.del({ realm: hospital.prefix });
      await mail.stop();
    },
  };
}

const FROM = 'hms@example.org';

/** PEM of a signing key. */
export function newKey(): string {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  return privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
}

function person(name: string, changes: object) {
  return {
    username: name,
    email: `${name}@example.org`,
    firstName: name,
    lastName: 'Doe',
    enabled: true,
    emailVerified: true,
    credentials: [{ type: 'password', value: PASSWORD }],
    ...changes,
  };
}
