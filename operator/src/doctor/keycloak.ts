import { CONSOLE_REALM } from '@hms/tenancy';
import type { Config } from '../config.ts';
import { atLeast, clock, type Finding, failed, ok, PATIENCE_MS, reason, warning } from './finding.ts';

const OLDEST = '26';
const ROLE = 'create-realm';

type Settings = Pick<Config, 'BASE_URL' | 'KEYCLOAK_URL' | 'KEYCLOAK_CLIENT_ID' | 'KEYCLOAK_CLIENT_SECRET'>;

/** Checks Keycloak as the operator's client. */
export async function checkKeycloak(config: Settings): Promise<Finding[]> {
  const realm = `${config.KEYCLOAK_URL}/realms/master`;
  const findings = [await checkIssuer(config, realm)];
  const credentials = { client_id: config.KEYCLOAK_CLIENT_ID, client_secret: config.KEYCLOAK_CLIENT_SECRET };
  const answer = await post(`${realm}/protocol/openid-connect/token`, {
    ...credentials,
    grant_type: 'client_credentials',
  });
  const token = (answer.body as { access_token?: string }).access_token;
  if (!token) {
    const { error = '', error_description: why = '' } = answer.body as { error?: string; error_description?: string };
    const observed = `no token for ${config.KEYCLOAK_CLIENT_ID}: ${answer.status} ${[error, why].filter(Boolean).join(', ')}`;
    const remedy =
      answer.status >= 500
        ? "see Keycloak's log; often its own database is unavailable"
        : 'check client id and secret (keycloak.secret) with those of the client in realm master, and that it has a service account';
    return [...findings, failed('keycloak login', observed, remedy)];
  }
  findings.push(ok('keycloak login', `${config.KEYCLOAK_CLIENT_ID} gets a token`));
  const { KEYCLOAK_URL: url } = config;
  findings.push(
    ...(await Promise.all([checkRights(config, token), checkVersion(url, token), checkMaster(config, token)])),
  );
  const { iat } = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as { iat: number };
  return [...findings, clock('keycloak', iat * 1000, 1000)];
}

/**
 * A lightweight token does not contain its account's roles, and introspection needs an audience. But Keycloak checks
 * the right to create a realm before it parses the request: an invalid realm is refused for either reason,
 * and nothing is created.
 */
async function checkRights({ KEYCLOAK_URL, KEYCLOAK_CLIENT_ID }: Settings, token: string): Promise<Finding> {
  const response = await fetch(`${KEYCLOAK_URL}/admin/realms`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: '"no realm"',
    signal: patience(),
  });
  await response.body?.cancel();
  const account = `service-account-${KEYCLOAK_CLIENT_ID}`;
  if (response.status === 400) return ok('keycloak rights', `${account} may create realms`);
  const remedy = `kcadm.sh add-roles -r master --uusername ${account} --rolename ${ROLE}`;
  if (response.status === 403)
    return failed('keycloak rights', `${account} does not have the role ${ROLE} of master`, remedy);
  return failed('keycloak rights', `the Admin API answered ${response.status}`, "see Keycloak's log");
}

/** The realm `master` may have its own address. The platform's realm has the public one. */
async function checkIssuer({ BASE_URL, KEYCLOAK_URL }: Settings, master: string): Promise<Finding> {
  const name = 'keycloak issuer';
  const own = await discover(master);
  if (!own.issuer) {
    const observed = `${KEYCLOAK_URL} answered ${own.status}`;
    return failed(
      name,
      observed,
      'KEYCLOAK_URL must end with the path Keycloak has, which is /auth (http-relative-path)',
    );
  }
  const { issuer, status } = await discover(`${KEYCLOAK_URL}/realms/${CONSOLE_REALM}`);
  if (!issuer)
    return warning(
      name,
      `realm ${CONSOLE_REALM} answers ${status}`,
      'check again after the operator has created the realm',
    );
  if (issuer.startsWith(`${BASE_URL}/auth/`)) return ok(name, issuer);
  return failed(name, `${issuer}, not under ${BASE_URL}/auth`, `start Keycloak with --hostname=${BASE_URL}/auth`);
}

async function discover(realm: string): Promise<{ status: number; issuer?: string }> {
  const response = await fetch(`${realm}/.well-known/openid-configuration`, { signal: patience() });
  const { issuer } = response.ok ? ((await response.json()) as { issuer: string }) : {};
  return { status: response.status, ...(issuer ? { issuer } : {}) };
}

/** Whether an administrator's password can be guessed without limit. */
async function checkMaster({ KEYCLOAK_URL, KEYCLOAK_CLIENT_ID }: Settings, token: string): Promise<Finding> {
  const name = 'keycloak master realm';
  const headers = { authorization: `Bearer ${token}` };
  const response = await fetch(`${KEYCLOAK_URL}/admin/realms/master`, { headers, signal: patience() });
  const { bruteForceProtected: isProtected, failureFactor } = response.ok ? ((await response.json()) as Master) : {};
  if (isProtected === undefined) {
    const account = `service-account-${KEYCLOAK_CLIENT_ID}`;
    const remedy = `kcadm.sh add-roles -r master --uusername ${account} --cclientid master-realm --rolename view-realm`;
    return warning(name, `${account} may not read the settings of master (${response.status})`, remedy);
  }
  if (isProtected) return ok(name, `an account is locked after ${failureFactor} wrong passwords`);
  const remedy = 'kcadm.sh update realms/master -s bruteForceProtected=true -s failureFactor=10';
  return failed(name, 'its passwords can be guessed without limit', remedy);
}

interface Master {
  readonly bruteForceProtected?: boolean;
  readonly failureFactor?: number;
}

async function checkVersion(url: string, token: string): Promise<Finding> {
  const name = 'keycloak version';
  const headers = { authorization: `Bearer ${token}` };
  const response = await fetch(`${url}/admin/serverinfo`, { headers, signal: patience() });
  if (!response.ok)
    return warning(name, `the Admin API answered ${response.status}`, `check that it is ${OLDEST} or newer`);
  const { systemInfo, features = [] } = (await response.json()) as ServerInfo;
  // Only administrators may read the version. Everybody who may create realms can check for a feature of Keycloak 26.
  const isNew = features.some(({ name: feature, type }) => feature === 'ORGANIZATION' && type === 'DEFAULT');
  const version = systemInfo?.version ?? (isNew ? `${OLDEST} or newer` : `older than ${OLDEST}`);
  const good = systemInfo?.version ? atLeast(systemInfo.version, OLDEST) : isNew;
  return good ? ok(name, version) : failed(name, version, `upgrade to Keycloak ${OLDEST} or newer`);
}

interface ServerInfo {
  readonly systemInfo?: { readonly version?: string };
  readonly features?: readonly { readonly name: string; readonly type: string }[];
}

async function post(url: string, form: Record<string, string>): Promise<{ status: number; body: object }> {
  const response = await fetch(url, { method: 'POST', body: new URLSearchParams(form), signal: patience() });
  const text = await response.text();
  try {
    return { status: response.status, body: JSON.parse(text) as object };
  } catch (error) {
    return { status: response.status, body: { error: reason(error) } };
  }
}

function patience(): AbortSignal {
  return AbortSignal.timeout(PATIENCE_MS);
}
