/** The gateway, the mail server and the keys by which logins are signed. */
import { once } from 'node:events';
import net from 'node:net';
import type { Config } from '../config.ts';
import { type Finding, failed, ok, PATIENCE_MS, reason, warning } from './finding.ts';

const GATEWAY = '3.9';
/** Kong's Admin API alone answers with it. */
const ADMIN_HEADER = 'x-kong-admin-latency';

export async function lookAtAdmin({ KONG_ADMIN_URL: url }: Pick<Config, 'KONG_ADMIN_URL'>): Promise<Finding[]> {
  const root = await get(`${url}/`);
  if (!root.headers.has(ADMIN_HEADER)) {
    const seen = `${url} answered ${root.status} and is no Admin API`;
    return [failed('gateway admin', seen, "KONG_ADMIN_URL must be the address of the gateway's Admin API")];
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
  ];
}

/** Any answer of a proxy is good: without a hospital there is no route yet. */
export async function lookAtProxy({ KONG_PROXY_URL: url }: Pick<Config, 'KONG_PROXY_URL'>): Promise<Finding[]> {
  const name = 'gateway proxy';
  const { status, headers } = await get(`${url}/`);
  const mend = "KONG_PROXY_URL must be the address of the gateway's proxy";
  if (headers.has(ADMIN_HEADER)) return [failed(name, `${url} is an Admin API`, mend)];
  if (status >= 500) return [failed(name, `answers ${status}`, "see the gateway's own log")];
  const isKong = [...headers].some(([header, value]) => header.startsWith('x-kong-') || /\bkong\//i.test(value));
  if (isKong) return [ok(name, `answers ${status}`)];
  return [
    warning(name, `${url} answered ${status}, and not as Kong does`, `${mend}; one that hides its headers is well`),
  ];
}

/** Keycloak reads them, not this process: from here they may be out of reach and all is well. */
export async function lookAtKeys({ AUTH_JWKS_URL: url }: Pick<Config, 'AUTH_JWKS_URL'>): Promise<Finding[]> {
  const name = 'auth keys';
  const mend = 'AUTH_JWKS_URL (auth.jwksUrl) is where Keycloak reaches the auth module; see that the module is Ready';
  try {
    const response = await get(url);
    const { keys } = response.ok ? ((await response.json()) as { keys?: unknown[] }) : {};
    if (keys?.length) return [ok(name, `${keys.length} at ${url}`)];
    return [failed(name, `${url} answered ${response.status} without keys`, mend)];
  } catch (error) {
    return [warning(name, `${url}: ${reason(error)}`, `${mend}. Where Keycloak alone reaches it, ask from there`)];
  }
}

export async function lookAtMail({ SMTP_HOST: host, SMTP_PORT: port }: Pick<Config, 'SMTP_HOST' | 'SMTP_PORT'>) {
  const socket = net.connect({ host, port });
  socket.on('error', () => undefined);
  try {
    const [data] = (await once(socket, 'data', { signal: AbortSignal.timeout(PATIENCE_MS) })) as [Buffer];
    const line = data.toString('latin1').split('\r\n')[0] ?? '';
    socket.end('QUIT\r\n');
    if (line.startsWith('220')) return [ok('smtp greeting', line.slice(0, 80))];
    return [failed('smtp greeting', line.slice(0, 80), 'see that smtp.host takes mail from this network')];
  } catch (error) {
    return [failed('smtp greeting', reason(error), 'see that smtp.host and smtp.port are a mail server, without TLS')];
  } finally {
    socket.destroySoon();
  }
}

function get(url: string): Promise<Response> {
  return fetch(url, { signal: AbortSignal.timeout(PATIENCE_MS), redirect: 'manual' });
}
