import { randomBytes } from 'node:crypto';
import { request } from 'undici';
import type { Tenant } from '../backend.ts';
import { PING_TIMEOUT_MS } from '../calls.ts';
import { unreachable } from '../errors.ts';

const TIMEOUT_MS = 5_000;

/**
 * Asks the gateway's proxy whether it serves a hospital, as Kong takes up a change some seconds after it accepted it.
 * The question carries a token of the hospital's issuer with a signature that can't be right: a gateway that knows the
 * hospital's credential says "Invalid signature", and its route's own CORS rules answer the hospital's origin.
 *
 * @returns what is not served yet, a sentence; undefined when the hospital is served.
 * @throws BackendError when the proxy can't be reached.
 */
export async function notServed(proxyUrl: string, tenant: Tenant): Promise<string | undefined> {
  const answers = await Promise.all(tenant.hosts.map((host) => ask(proxyUrl, host, tenant)));
  return answers.find((answer) => answer !== undefined);
}

async function ask(proxyUrl: string, host: string, tenant: Tenant): Promise<string | undefined> {
  const [origin = ''] = tenant.origins;
  try {
    const { statusCode, headers, body } = await request(`${proxyUrl}/api/hms/patients`, {
      headers: { host, origin, authorization: `Bearer ${forgedToken(tenant.profile.issuer)}` },
      headersTimeout: TIMEOUT_MS,
      bodyTimeout: TIMEOUT_MS,
    });
    const text = await body.text();
    if (statusCode !== 401 || !text.includes('Invalid signature')) {
      return `host ${host} does not check the hospital's tokens yet: it answered ${statusCode} where it should refuse a forged one`;
    }
    if (headers['access-control-allow-origin'] !== origin) return `host ${host} is not routed to the hospital yet`;
    return undefined;
  } catch (error) {
    throw unreachable("the gateway's proxy", proxyUrl, error);
  }
}

/** Asks the proxy for a sign of life; whatever it answers is one. @throws BackendError */
export async function pingProxy(proxyUrl: string): Promise<void> {
  try {
    const { body } = await request(proxyUrl, { signal: AbortSignal.timeout(PING_TIMEOUT_MS) });
    await body.dump();
  } catch (error) {
    throw unreachable("the gateway's proxy", proxyUrl, error);
  }
}

function forgedToken(issuer: string): string {
  const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const exp = Math.floor(Date.now() / 1000) + 60;
  return `${part({ alg: 'RS256', typ: 'JWT' })}.${part({ iss: issuer, exp })}.${randomBytes(256).toString('base64url')}`;
}
