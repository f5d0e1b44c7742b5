import { randomBytes } from 'node:crypto';
import { MODULES, type ModuleName } from '@hms/tenancy';
import { errors, request } from 'undici';
import type { Tenant } from '../backend.ts';
import { PING_TIMEOUT_MS } from '../calls.ts';
import { unreachable } from '../errors.ts';

const TIMEOUT_MS = 5_000;

export interface ProbeOptions {
  /** Address of the gateway's proxy. */
  readonly proxyUrl: string;
  /** Public address of the gateway. */
  readonly baseUrl: string;
  /** Modules that the gateway has targets for. */
  readonly modules: readonly ModuleName[];
}

/**
 * Acts as a person of the hospital: sends a request with a valid token through all plugins to a module, on each
 * of the hospital's hosts, and sends the auth module a request that reaches the realm. Each connection is new, because
 * a worker of Kong with an older configuration would otherwise be missed.
 *
 * @returns a sentence about what does not work yet, or undefined if the hospital is served.
 * @throws BackendError when the proxy can't be reached.
 */
export async function notServed(options: ProbeOptions, tenant: Tenant, token: string): Promise<string | undefined> {
  const module = MODULES.find(({ name, tokenRequired }) => tokenRequired && options.modules.includes(name));
  const answers = await Promise.all(
    module ? hostsOf(options, tenant).map((host) => askModule(options, host, module.name, tenant, token)) : [],
  );
  const missing = answers.find((answer) => answer !== undefined);
  // The auth module limits requests by address, so it is probed only if everything else works.
  return missing ?? (options.modules.includes('auth') ? askLogin(options, tenant) : undefined);
}

/**
 * Whether the gateway refuses the hospital's people, as a suspension requires.
 * @param token valid until the realm was closed.
 * @returns a sentence about what is still open.
 * @throws BackendError when the proxy can't be reached.
 */
export async function notClosed(options: ProbeOptions, tenant: Tenant, token: string): Promise<string | undefined> {
  const module = MODULES.find(({ name, tokenRequired }) => tokenRequired && options.modules.includes(name));
  if (!module) return undefined;
  const answers = await Promise.all(
    hostsOf(options, tenant).map(async (host) => {
      const { status, text } = await send(options, host, `/api/${module.name}/check`, {
        headers: { authorization: `Bearer ${token}` },
      });
      const isClosed = status === 503 && text.includes('is suspended');
      return isClosed ? undefined : `host ${host} is not closed yet: it answered ${status} to a person of the hospital`;
    }),
  );
  return answers.find((answer) => answer !== undefined);
}

/** Pings the proxy. Any response counts. @throws BackendError */
export async function pingProxy(proxyUrl: string): Promise<void> {
  try {
    const { body } = await request(proxyUrl, { signal: AbortSignal.timeout(PING_TIMEOUT_MS) });
    await body.dump();
  } catch (error) {
    throw unreachable("the gateway's proxy", proxyUrl, error);
  }
}

/** Without its own host, a hospital is reached at the platform's address. */
function hostsOf({ baseUrl }: ProbeOptions, { hosts }: Tenant): readonly string[] {
  return hosts.length > 0 ? hosts : [new URL(baseUrl).host];
}

async function askModule(
  options: ProbeOptions,
  host: string,
  module: ModuleName,
  tenant: Tenant,
  token: string,
): Promise<string | undefined> {
  const [origin] = tenant.hosts.includes(host) ? tenant.origins : [];
  const { status, headers, text } = await send(options, host, `/api/${module}/check`, {
    headers: { authorization: `Bearer ${token}`, ...(origin ? { origin } : {}) },
  });
  if (status !== 200 || !text.includes(tenant.hospitalId)) {
    return `host ${host} does not serve the hospital's people yet: ${module} answered a valid token with ${summaryOf(status, text)}`;
  }
  if (origin && headers['access-control-allow-origin'] !== origin)
    return `host ${host} is not routed to the hospital yet`;
  return undefined;
}

/** If the realm refuses a forged refresh token, then the auth module can reach the realm. */
async function askLogin(options: ProbeOptions, tenant: Tenant): Promise<string | undefined> {
  const [host = ''] = hostsOf(options, tenant);
  const { status, text } = await send(options, host, '/api/auth/refresh', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ refreshToken: forgedToken(tenant.profile.issuer) }),
  });
  // 429: too many hospitals were probed within a minute, which says nothing about this one.
  if (status === 429 || text.includes('"INVALID_REFRESH_TOKEN"')) return undefined;
  return `nobody can log in yet: auth answered ${summaryOf(status, text)}`;
}

async function send(
  { proxyUrl }: ProbeOptions,
  host: string,
  path: string,
  options: { readonly method?: 'POST'; readonly headers: Readonly<Record<string, string>>; readonly body?: string },
) {
  try {
    const answer = await request(`${proxyUrl}${path}`, {
      ...options,
      headers: { ...options.headers, host },
      reset: true,
      headersTimeout: TIMEOUT_MS,
      bodyTimeout: TIMEOUT_MS,
    });
    return { status: answer.statusCode, headers: answer.headers, text: await answer.body.text() };
  } catch (error) {
    // The gateway accepted the request, but its upstream hangs.
    if (error instanceof errors.HeadersTimeoutError || error instanceof errors.BodyTimeoutError) return SILENCE;
    throw unreachable("the gateway's proxy", proxyUrl, error);
  }
}

const SILENCE = { status: 0, headers: {} as Readonly<Record<string, unknown>>, text: '' };

/** The status, with the code or message of the response if it has one. */
function summaryOf(status: number, text: string): string {
  if (status === 0) return `nothing for ${TIMEOUT_MS / 1000} s`;
  const reason = /"code":"([A-Z_]+)"|"message":"([^"]{1,120})"/.exec(text);
  return reason ? `${status} ${reason[1] ?? reason[2]}` : String(status);
}

function forgedToken(issuer: string): string {
  const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const exp = Math.floor(Date.now() / 1000) + 60;
  const head = { alg: 'HS512', typ: 'JWT' };
  return `${part(head)}.${part({ iss: issuer, exp })}.${randomBytes(64).toString('base64url')}`;
}
