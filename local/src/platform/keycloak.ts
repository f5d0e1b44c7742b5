/** The Keycloak server and the operator's account in it. */
import fs from 'node:fs';
import path from 'node:path';
import type { AnyStep } from '../process/spec.ts';
import { addressesOf, local } from './addresses.ts';
import { keycloakAdmin } from './keycloak-admin.ts';
import type { Platform } from './options.ts';
import { answers } from './probe.ts';
import { processStep } from './step.ts';

export function keycloakSteps(platform: Platform): AnyStep[] {
  const { engines, ports, secrets } = platform;
  const { home, java, classes } = engines.keycloak;
  const trained = fs.existsSync(classes);
  const training = `${classes}.${path.basename(path.dirname(platform.dirs.secrets))}.${process.pid}.tmp`;
  // quoted for kc.sh, which splits the options at spaces
  const archive = trained ? `"-XX:SharedArchiveFile=${classes}"` : `"-XX:ArchiveClassesAtExit=${training}"`;
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
    'hostname-backchannel-dynamic': 'true',
    'proxy-headers': 'xforwarded',
    cache: 'local',
    'log-level': 'INFO,io.smallrye.health:WARN',
  };
  const step = processStep(platform, {
    name: 'keycloak',
    after: ['database'],
    command: path.join(home, 'bin', 'kc.sh'),
    args: ['start', '--optimized', ...Object.entries(options).map(([name, value]) => `--${name}=${value}`)],
    env: {
      JAVA: java.binary,
      // the first compiler alone and the serial collector: half the time to start, two thirds of the memory
      JAVA_OPTS_APPEND: `-XX:TieredStopAtLevel=1 -XX:-UseG1GC -XX:+UseSerialGC -Xshare:auto -Xlog:cds=off -Xlog:cds+dynamic=off ${archive}`,
      KC_DB_PASSWORD: secrets.postgresKeycloak,
      KC_BOOTSTRAP_ADMIN_USERNAME: 'admin',
      KC_BOOTSTRAP_ADMIN_PASSWORD: secrets.keycloakAdmin,
    },
    address: addressesOf(platform).keycloakUrl,
    ready: (signal) => answers(`${local(ports.keycloakManagement)}/auth/health/ready`, signal),
    startTimeout: 180_000,
    // writing the class archive at the first stop takes its time
    stopTimeout: trained ? 15_000 : 60_000,
    stopped() {
      if (!trained && fs.existsSync(training)) fs.renameSync(training, classes);
    },
  });
  return [step, { kind: 'task', name: 'operator-account', after: ['keycloak'], run: () => ensureOperator(platform) }];
}

/** The client `hms-operator` in `master`: its service account may create realms, and nothing else. */
async function ensureOperator(platform: Platform): Promise<void> {
  const { keycloakUrl, keycloakAdmin: account, keycloakOperator } = addressesOf(platform);
  const admin = await keycloakAdmin(keycloakUrl, account);
  const realm = 'master';
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
  const roles = await admin.users.listRealmRoleMappings({ realm, id: user });
  const others = roles.filter((role) => role.name !== 'create-realm');
  if (others.length > 0) await admin.users.delRealmRoleMappings({ realm, id: user, roles: others.map(mapping) });
  if (others.length < roles.length) return;
  const role = await admin.roles.findOneByName({ realm, name: 'create-realm' });
  if (!role) throw new Error('realm master has no role create-realm');
  await admin.users.addRealmRoleMappings({ realm, id: user, roles: [mapping(role)] });
}

function mapping(role: { id?: string; name?: string }): { id: string; name: string } {
  return { id: role.id ?? '', name: role.name ?? '' };
}
