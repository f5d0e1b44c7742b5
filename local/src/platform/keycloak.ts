/** The Keycloak server and the operator's account in it. */
import fs from 'node:fs';
import path from 'node:path';
import type KeycloakAdminClient from '@keycloak/keycloak-admin-client';
import type { AnyStep } from '../process/spec.ts';
import { type Addresses, addressesOf, local } from './addresses.ts';
import { keycloakAdmin } from './keycloak-admin.ts';
import type { Platform } from './options.ts';
import { answers } from './probe.ts';
import { processStep } from './step.ts';

/** The first start creates the tables and the realm `master`, which takes minutes on a busy machine. */
export const KEYCLOAK_START_MS = 600_000;

export function keycloakSteps(platform: Platform): AnyStep[] {
  const { engines, ports, secrets, fast } = platform;
  const { home, java, classes } = engines.keycloak;
  const trained = fs.existsSync(classes);
  const training = `${classes}.${path.basename(path.dirname(platform.dirs.secrets))}.${process.pid}.tmp`;
  // Quoted for kc.sh, which splits the options at spaces.
  const archive = trained ? `"-XX:SharedArchiveFile=${classes}"` : `"-XX:ArchiveClassesAtExit=${training}"`;
  // Only the first compiler and the serial collector: half the start time, two thirds of the memory. Tests create many
  // realms, whose keys the second compiler generates five times as fast.
  const compilers = fast ? '' : '-XX:TieredStopAtLevel=1';
  const options = {
    'db-url': `jdbc:postgresql://127.0.0.1:${ports.postgres}/keycloak`,
    'db-username': 'keycloak',
    'db-pool-initial-size': '1',
    'db-pool-max-size': '20',
    'http-enabled': 'true',
    'http-host': '127.0.0.1',
    'http-port': String(ports.keycloak),
    'http-management-port': String(ports.keycloakManagement),
    hostname: `${addressesOf(platform).baseUrl}/auth`,
    // The console is only at this address, because the gateway does not serve it.
    'hostname-admin': addressesOf(platform).keycloakUrl,
    'hostname-backchannel-dynamic': 'true',
    'proxy-headers': 'xforwarded',
    cache: 'local',
    'log-level': 'INFO,io.smallrye.health:WARN',
    ...(fs.existsSync(platform.dirs.trust) ? { 'truststore-paths': platform.dirs.trust } : {}),
    ...(fast ? CHEAP_HASHES : {}),
  };
  const step = processStep(platform, {
    name: 'keycloak',
    after: ['database'],
    command: path.join(home, 'bin', 'kc.sh'),
    args: ['start', '--optimized', ...Object.entries(options).map(([name, value]) => `--${name}=${value}`)],
    env: {
      JAVA: java.binary,
      JAVA_OPTS_APPEND: `${compilers} -XX:-UseG1GC -XX:+UseSerialGC -Xshare:auto -Xlog:cds=off -Xlog:cds+dynamic=off -D${PROCESS_ID} ${archive}`,
      KC_DB_PASSWORD: secrets.postgresKeycloak,
      KC_BOOTSTRAP_ADMIN_USERNAME: 'admin',
      KC_BOOTSTRAP_ADMIN_PASSWORD: secrets.keycloakAdmin,
    },
    address: addressesOf(platform).keycloakUrl,
    ready: (signal) => answers(`${local(ports.keycloakManagement)}/auth/health/ready`, signal),
    startTimeout: KEYCLOAK_START_MS,
    // Writing the class archive at the first stop takes long.
    stopTimeout: trained ? 15_000 : 60_000,
    stopped() {
      if (!trained && fs.existsSync(training)) fs.renameSync(training, classes);
    },
  });
  return [
    step,
    { kind: 'task', name: 'operator-account', after: ['keycloak'], run: () => setUpMaster(addressesOf(platform)) },
  ];
}

/** A login takes a quarter of a second of a processor with Keycloak's defaults. Tests log in a thousand times. */
const CHEAP_HASHES = {
  'spi-password-hashing--argon2--iterations': '1',
  'spi-password-hashing--argon2--memory': '64',
};

/** Without it, Keycloak's transaction manager opens its own port to generate an identifier. */
const PROCESS_ID =
  'CoreEnvironmentBean.processImplementationClassName=com.arjuna.ats.internal.arjuna.utils.UuidProcessId';

/** The settings of the realm `master` that this platform needs. Manual changes are corrected. */
export async function setUpMaster(addresses: Addresses): Promise<void> {
  const { keycloakUrl, keycloakAdmin: account } = addresses;
  await protectMaster(await keycloakAdmin(keycloakUrl, account), keycloakUrl);
  // Another frontend URL is another issuer, so earlier tokens are refused.
  await ensureOperator(await keycloakAdmin(keycloakUrl, account), addresses);
}

/** Turns on brute force protection in `master`, and limits its login to Keycloak's own address. */
async function protectMaster(admin: KeycloakAdminClient, keycloakUrl: string): Promise<void> {
  const known = await admin.realms.findOne({ realm: MASTER });
  await admin.realms.update(
    { realm: MASTER },
    { ...MASTER_PROTECTION, attributes: { ...known?.attributes, frontendUrl: keycloakUrl } },
  );
}

const MASTER = 'master';

/** A lock expires, so that nobody can lock the administrator out permanently. */
const MASTER_PROTECTION = {
  bruteForceProtected: true,
  permanentLockout: false,
  failureFactor: 10,
  waitIncrementSeconds: 60,
  maxFailureWaitSeconds: 900,
  maxDeltaTimeSeconds: 43_200,
  // Parallel logins would count as quick guesses and lock the account.
  quickLoginCheckMilliSeconds: 0,
  passwordPolicy: 'length(15) and notUsername and notEmail',
} as const;

/**
 * The client `hms-operator` in `master`: its service account may only create realms, and read the settings of `master`,
 * which the doctor checks.
 */
async function ensureOperator(admin: KeycloakAdminClient, { keycloakOperator }: Addresses): Promise<void> {
  const realm = MASTER;
  const wanted = {
    clientId: keycloakOperator.clientId,
    secret: keycloakOperator.clientSecret,
    enabled: true,
    publicClient: false,
    serviceAccountsEnabled: true,
    standardFlowEnabled: false,
    directAccessGrantsEnabled: false,
    attributes: { 'client.use.lightweight.access.token.enabled': 'true' },
  };
  const [known] = await admin.clients.find({ realm, clientId: wanted.clientId });
  if (known?.id) await admin.clients.update({ realm, id: known.id }, wanted);
  const id = known?.id ?? (await admin.clients.create({ realm, ...wanted })).id;
  const { id: user = '' } = await admin.clients.getServiceAccountUser({ realm, id });
  await ensureViewRealm(admin, user);
  const roles = await admin.users.listRealmRoleMappings({ realm, id: user });
  const others = roles.filter((role) => role.name !== 'create-realm');
  if (others.length > 0) await admin.users.delRealmRoleMappings({ realm, id: user, roles: others.map(mapping) });
  if (others.length < roles.length) return;
  const role = await admin.roles.findOneByName({ realm, name: 'create-realm' });
  if (!role) throw new Error('realm master has no role create-realm');
  await admin.users.addRealmRoleMappings({ realm, id: user, roles: [mapping(role)] });
}

/**
 * `view-realm` of the client that represents `master` itself. For the other realms, it keeps the roles of their
 * creator.
 */
async function ensureViewRealm(admin: KeycloakAdminClient, user: string): Promise<void> {
  const realm = MASTER;
  const [client] = await admin.clients.find({ realm, clientId: 'master-realm' });
  const of = { realm, id: user, clientUniqueId: client?.id ?? '' };
  const roles = await admin.users.listClientRoleMappings(of);
  const others = roles.filter(({ name }) => name !== 'view-realm');
  if (others.length > 0) await admin.users.delClientRoleMappings({ ...of, roles: others.map(mapping) });
  if (others.length < roles.length) return;
  const role = await admin.clients.findRole({ realm, id: of.clientUniqueId, roleName: 'view-realm' });
  if (!role) throw new Error('client master-realm has no role view-realm');
  await admin.users.addClientRoleMappings({ ...of, roles: [mapping(role)] });
}

function mapping(role: { id?: string; name?: string }): { id: string; name: string } {
  return { id: role.id ?? '', name: role.name ?? '' };
}
