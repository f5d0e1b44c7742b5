/** Checks the gateway, the mail server and the keys that sign logins. */
import { createMailer, mailServerOf, type SmtpSettings } from '@hms/mail';
import { listed } from '../backends/backend.ts';
import type { KongEntity } from '../backends/gateway/client.ts';
import type { Config } from '../config.ts';
import { foreignIn, readLists } from '../platform/foreign.ts';
import { hostsOf } from '../platform/gateway-entities.ts';
import { type Finding, failed, ok, PATIENCE_MS, reason, warning } from './finding.ts';

const GATEWAY = '3.9';
/** A header that only Kong's Admin API sends. */
const ADMIN_HEADER = 'x-kong-admin-latency';

export async function checkAdmin(config: AdminSettings): Promise<Finding[]> {
  const { KONG_ADMIN_URL: url } = config;
  const root = await get(`${url}/`);
  if (!root.headers.has(ADMIN_HEADER)) {
    const observed = `${url} answered ${root.status} and is not an Admin API`;
    return [failed('gateway admin', observed, "KONG_ADMIN_URL must be the address of the gateway's Admin API")];
  }
  const { version } = (await root.json()) as { version?: string };
  const status = await get(`${url}/status`);
  const { database } = (await status.json()) as { database?: { reachable?: boolean } };
  return [
    version?.startsWith(`${GATEWAY}.`)
      ? ok('gateway version', version)
      : failed('gateway version', version ?? 'no version', `run Kong ${GATEWAY}, or the gateway of this release`),
    status.ok && database?.reachable !== false
      ? ok('gateway database', 'reachable')
      : failed('gateway database', 'the gateway does not reach its database', "see the gateway's own log"),
    await foreignParts(config),
  ];
}

type AdminSettings = Pick<Config, 'KONG_ADMIN_URL' | 'BASE_URL' | 'PORTAL_ORIGIN' | 'CONSOLE_ORIGIN'>;

async function foreignParts(config: AdminSettings): Promise<Finding> {
  const name = 'gateway foreign parts';
  const lists = await readLists((collection) => listAll(config.KONG_ADMIN_URL, collection));
  const { foreign } = foreignIn(lists, {
    platformHosts: hostsOf(config),
    mayChange: () => false,
    // The operator knows the hospitals.
    isHospital: () => true,
  });
  if (foreign.length === 0) return ok(name, 'nothing outside the platform changes how requests are handled');
  const observed = listed(foreign.map(({ message }) => message));
  return warning(name, observed, 'delete unknown parts: docs/gateway.md, What is foreign');
}

/** Empty if this gateway has no such collection. */
async function listAll(url: string, collection: string): Promise<KongEntity[]> {
  const entities: KongEntity[] = [];
  for (let next: string | null = `/${collection}?size=1000`; next; ) {
    const response = await get(url + next);
    if (response.status === 404) return [];
    const page = (await response.json()) as { data: KongEntity[]; next: string | null };
    entities.push(...page.data);
    next = page.next;
  }
  return entities;
}

export async function checkProxy(config: Pick<Config, 'KONG_PROXY_URL'>): Promise<Finding[]> {
  return [...(await checkAnswer(config)), await checkMasterInPublic(config)];
}

/** Whoever can reach the realm `master` can guess the passwords of Keycloak's administrators. */
async function checkMasterInPublic({ KONG_PROXY_URL: url }: Pick<Config, 'KONG_PROXY_URL'>): Promise<Finding> {
  const name = 'gateway master realm';
  const { status } = await get(`${url}/auth/realms/master`);
  const observed = `/auth/realms/master answers ${status}`;
  if (status < 400)
    return failed(
      name,
      `${observed}: the public can log in there`,
      'check that the route identity-administration exists, which the operator creates, and that no other takes precedence',
    );
  return ok(name, observed);
}

/** Any response of a proxy is fine: without a hospital there is no route yet. */
async function checkAnswer({ KONG_PROXY_URL: url }: Pick<Config, 'KONG_PROXY_URL'>): Promise<Finding[]> {
  const name = 'gateway proxy';
  const { status, headers } = await get(`${url}/`);
  const remedy = "KONG_PROXY_URL must be the address of the gateway's proxy";
  if (headers.has(ADMIN_HEADER)) return [failed(name, `${url} is an Admin API`, remedy)];
  if (status >= 500) return [failed(name, `answers ${status}`, "see the gateway's own log")];
  const isKong = [...headers].some(([header, value]) => header.startsWith('x-kong-') || /\bkong\//i.test(value));
  if (isKong) return [ok(name, `answers ${status}`)];
  return [
    warning(
      name,
      `${url} answered ${status}, without Kong's headers`,
      `${remedy}; a proxy that hides its headers is fine`,
    ),
  ];
}

/** Keycloak reads them, not this process: they need not be reachable from here. */
export async function checkKeys({ AUTH_JWKS_URL: url }: Pick<Config, 'AUTH_JWKS_URL'>): Promise<Finding[]> {
  const name = 'auth keys';
  const remedy =
    'AUTH_JWKS_URL (auth.jwksUrl) is the address at which Keycloak reaches the auth module; check that the module is Ready';
  try {
    const response = await get(url);
    const { keys } = response.ok ? ((await response.json()) as { keys?: unknown[] }) : {};
    if (keys?.length) return [ok(name, `${keys.length} at ${url}`)];
    return [failed(name, `${url} answered ${response.status} without keys`, remedy)];
  } catch (error) {
    return [warning(name, `${url}: ${reason(error)}`, `${remedy}. If only Keycloak can reach it, check from there`)];
  }
}

/** Speaks to the mail server as far as a mail would, from this process. Keycloak's own connection may differ. */
export async function checkMail(config: SmtpSettings): Promise<Finding[]> {
  const server = mailServerOf(config);
  const { tls, login } = server;
  try {
    await createMailer(server, PATIENCE_MS).verify();
  } catch (error) {
    return [
      failed('smtp session', reason(error), 'smtp.host, smtp.port, smtp.tls and smtp.secret must fit the server'),
    ];
  }
  const encryption = { none: 'without encryption', starttls: 'with STARTTLS', implicit: 'with implicit TLS' }[tls];
  return [ok('smtp session', `${encryption} and ${login ? `as ${login.user}` : 'without a login'}`)];
}

function get(url: string): Promise<Response> {
  return fetch(url, { signal: AbortSignal.timeout(PATIENCE_MS), redirect: 'manual' });
}
