/** Checks the mail server and the keys that sign logins. */
import { once } from 'node:events';
import net from 'node:net';
import type { Config } from '../config.ts';
import { type Finding, failed, ok, PATIENCE_MS, reason, warning } from './finding.ts';

/** Keycloak reads them, not this process: they need not be reachable from here. */
export async function checkKeys({ AUTH_JWKS_URL: url }: Pick<Config, 'AUTH_JWKS_URL'>): Promise<Finding[]> {
  const name = 'auth keys';
  const remedy =
    'AUTH_JWKS_URL (auth.jwksUrl) is the address at which Keycloak reaches the auth module; check that the module is Ready';
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(PATIENCE_MS), redirect: 'manual' });
    const { keys } = response.ok ? ((await response.json()) as { keys?: unknown[] }) : {};
    if (keys?.length) return [ok(name, `${keys.length} at ${url}`)];
    return [failed(name, `${url} answered ${response.status} without keys`, remedy)];
  } catch (error) {
    return [warning(name, `${url}: ${reason(error)}`, `${remedy}. If only Keycloak can reach it, check from there`)];
  }
}

export async function checkMail({ SMTP_HOST: host, SMTP_PORT: port }: Pick<Config, 'SMTP_HOST' | 'SMTP_PORT'>) {
  const socket = net.connect({ host, port });
  socket.on('error', () => undefined);
  try {
    const [data] = (await once(socket, 'data', { signal: AbortSignal.timeout(PATIENCE_MS) })) as [Buffer];
    const line = data.toString('latin1').split('\r\n')[0] ?? '';
    socket.end('QUIT\r\n');
    if (line.startsWith('220')) return [ok('smtp greeting', line.slice(0, 80))];
    return [failed('smtp greeting', line.slice(0, 80), 'check that smtp.host accepts mail from this network')];
  } catch (error) {
    return [failed('smtp greeting', reason(error), 'check that smtp.host and smtp.port are a mail server without TLS')];
  } finally {
    socket.destroySoon();
  }
}
