import { isIP } from 'node:net';
import { z } from 'zod';
import { rangeError } from './proxy/ip-ranges.ts';

export interface Address {
  readonly host: string;
  readonly port: number;
}

export interface Settings {
  readonly proxy: Address;
  readonly proxyTls: Address;
  readonly admin: Address;
  /** Further hostnames of the Admin API and the status listener, besides those of this machine. */
  readonly adminHosts: readonly string[];
  /** Of a listener with only the status and the metrics. Without it there is none. */
  readonly status: Address | undefined;
  readonly dataDir: string;
  /** The database that shares the configuration with other gateways. Without it, the data folder holds it. */
  readonly databaseUrl: string | undefined;
  /** Addresses and ranges of load balancers, whose X-Forwarded-* headers count. */
  readonly trustedIps: readonly string[];
  /** How many requests may be in progress at services at a time. */
  readonly upstreamRequests: number;
  readonly logLevel: string;
}

/** Reads the settings from the environment. Throws an error whose message names the variable. */
export function readSettings(environment: NodeJS.ProcessEnv): Settings {
  const parsed = schema.safeParse(environment);
  if (!parsed.success) {
    throw new Error(parsed.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join('; '));
  }
  const { data } = parsed;
  return {
    proxy: data.GATEWAY_PROXY_LISTEN,
    proxyTls: data.GATEWAY_PROXY_TLS_LISTEN,
    admin: data.GATEWAY_ADMIN_LISTEN,
    adminHosts: data.GATEWAY_ADMIN_HOSTS,
    status: data.GATEWAY_STATUS_LISTEN,
    dataDir: data.GATEWAY_DATA_DIR,
    databaseUrl: data.GATEWAY_DATABASE_URL,
    trustedIps: data.GATEWAY_TRUSTED_IPS,
    upstreamRequests: data.GATEWAY_UPSTREAM_REQUESTS,
    logLevel: data.LOG_LEVEL,
  };
}

const address = z.string().transform((text, context): Address => {
  const match = /^(\[.+\]|[^:]+):(\d{1,5})$/.exec(text);
  const host = match?.[1]?.replace(/^\[|\]$/g, '') ?? '';
  const port = Number(match?.[2]);
  if (match && port <= 65535 && (isIP(host) !== 0 || /^[\w.-]+$/.test(host))) return { host, port };
  context.addIssue(`"${text}" is not a listen address; write host:port, such as 127.0.0.1:8000 or [::]:8000`);
  return z.NEVER;
});

/** A comma-separated list whose entries are validated. */
const list = (errorOf: (entry: string) => string | undefined) =>
  z
    .string()
    .default('')
    .transform((text, context) => {
      const entries = text
        .split(',')
        .map((entry) => entry.trim())
        .filter(Boolean);
      for (const entry of entries) {
        const error = errorOf(entry);
        if (error !== undefined) context.addIssue(error);
      }
      return entries;
    });

const schema = z.object({
  GATEWAY_PROXY_LISTEN: address.prefault('127.0.0.1:8000'),
  GATEWAY_PROXY_TLS_LISTEN: address.prefault('127.0.0.1:8443'),
  GATEWAY_ADMIN_LISTEN: address.prefault('127.0.0.1:8001'),
  GATEWAY_STATUS_LISTEN: address.optional(),
  GATEWAY_DATA_DIR: z
    .string({ error: 'is missing; set it to the folder that keeps the configuration' })
    .min(1, 'is empty; set it to the folder that keeps the configuration'),
  GATEWAY_DATABASE_URL: z
    .url({ protocol: /^postgres(ql)?$/, error: 'is wrong; write postgres://role:password@host:port/database' })
    .optional(),
  GATEWAY_TRUSTED_IPS: list((range) =>
    rangeError(range) ? `"${range}" is not an address or range; write them as in 10.0.0.0/8,192.168.1.7` : undefined,
  ),
  GATEWAY_ADMIN_HOSTS: list((name) =>
    /^[\w.-]+$/.test(name) || isIP(name) !== 0
      ? undefined
      : `"${name}" is not a hostname; write names without ports, as in gateway-admin.hms.svc,10.0.0.7`,
  ),
  GATEWAY_UPSTREAM_REQUESTS: z.coerce
    .number({ error: 'is wrong; write a whole number of at least 2' })
    .int('is wrong; write a whole number of at least 2')
    .min(2, 'is too small; write a whole number of at least 2')
    .default(4096),
  LOG_LEVEL: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']).default('info'),
});
