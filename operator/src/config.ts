import { mailServerOf, SMTP_SETTINGS } from '@hms/mail';
import { MODULE_NAMES, type ModuleName } from '@hms/tenancy';
import { z } from 'zod';

/** Settings of the operator, from the environment. docs/configuration.md lists them. */
export type Config = z.infer<typeof schema>;

const url = z.url({ protocol: /^https?$/ }).transform((value) => value.replace(/\/+$/, ''));
/** An address of IPv6 is in brackets. */
const HOST_AND_PORT = /^(?:\[[0-9a-f:.]+\]|[^:\s[\]]+):\d+$/i;
const port = z.coerce.number().int().min(0).max(65535);

const schema = z
  .object({
    HOST: z.string().default('127.0.0.1'),
    PORT: port.default(18080),
    LOG_LEVEL: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal']).default('info'),
    /** Public address of the gateway. */
    BASE_URL: url,
    /** Hospitals' hosts are <prefix>.<domain>. */
    PLATFORM_DOMAIN: z.string().regex(/^[a-z0-9.-]+$/),
    PORTAL_ORIGIN: url,
    CONSOLE_ORIGIN: url,
    KEYCLOAK_URL: url,
    KEYCLOAK_CLIENT_ID: z.string().default('hms-operator'),
    KEYCLOAK_CLIENT_SECRET: z.string().min(1),
    AUTH_JWKS_URL: url,
    DATABASE_URL: z.url({ protocol: /^postgres(ql)?$/ }),
    S3_ENDPOINT: url,
    S3_REGION: z.string().default('us-east-1'),
    S3_BUCKET: z.string().default('hms'),
    S3_ACCESS_KEY_ID: z.string().min(1),
    S3_SECRET_ACCESS_KEY: z.string().min(1),
    /** Principal of the modules' key in the bucket's policy. Without it, the key gets its rights elsewhere. */
    S3_MODULES_PRINCIPAL: z.string().min(1).optional(),
    KONG_ADMIN_URL: url,
    /** Where the operator checks whether a hospital is served. */
    KONG_PROXY_URL: url,
    /** host:port of the gateway's admin listener, as the gateway itself reaches it. */
    KONG_METRICS_ADDRESS: z.string().regex(HOST_AND_PORT),
    /** Addresses that may read the metrics on the public listener. */
    METRICS_ALLOWED: z
      .string()
      .default('127.0.0.1,::1')
      .transform((text) => text.split(',').map((address) => address.trim())),
    MODULE_TARGETS: z.string().transform(parseTargets),
    /** Addresses of the processes that serve the pages. Without any, the gateway serves only the API. */
    WEB_TARGETS: z
      .string()
      .default('')
      .transform((text) => text.split(',').filter(Boolean))
      .pipe(z.array(z.string().regex(HOST_AND_PORT, 'write <host:port>,…'))),
    ...SMTP_SETTINGS,
    RESYNC_INTERVAL: z
      .string()
      .regex(/^(\d+h)?(\d+m)?(\d+s)?$/, 'write a time like 10m or 1h30m')
      .default('10m')
      .transform(seconds),
    /** Namespace of the Lease that elects one of several operators. */
    LEASE_NAMESPACE: z.string().min(1).default('default'),
    /** How long the leader may fail to renew before another operator takes over. */
    LEASE_SECONDS: z.coerce.number().int().min(1).max(600).default(15),
    /** Hospitals whose migration must succeed before the others start. */
    MIGRATION_CANARIES: z.coerce.number().int().min(0).max(1000).default(1),
    /** Hospitals migrated at a time, each by one worker. */
    MIGRATION_PARALLELISM: z.coerce.number().int().min(1).max(64).default(4),
    /** The number of failed migrations that stops the wave. */
    MIGRATION_MAX_FAILURES: z.coerce.number().int().min(1).max(1000).default(1),
    /** OpenTelemetry collector (OTLP over HTTP). Without it there are no traces. */
    OTEL_EXPORTER_OTLP_ENDPOINT: url.optional(),
    /** How many hospitals are reconciled at a time. */
    WORKERS: z.coerce.number().int().min(1).max(64).default(8),
  })
  .superRefine((settings, context) => {
    try {
      mailServerOf(settings);
    } catch (error) {
      context.addIssue(String((error as Error).message));
    }
  });

/** Addresses of each module's processes, as `host:port`. */
export type ModuleTargets = Readonly<Partial<Record<ModuleName, readonly string[]>>>;

/** @throws Error that names each invalid variable and the reason. */
export function readConfig(env: NodeJS.ProcessEnv): Config {
  const result = schema.safeParse(env);
  if (result.success) return result.data;
  const problems = result.error.issues.map(({ path, message }) => [...path, message].join(': '));
  throw new Error(`the environment is not right: ${problems.join('; ')} (docs/configuration.md lists the variables)`);
}

/** The modules that the gateway has targets for. */
export function servedModules({ MODULE_TARGETS }: Pick<Config, 'MODULE_TARGETS'>): readonly ModuleName[] {
  return MODULE_NAMES.filter((name) => MODULE_TARGETS[name]);
}

/** @param text a time like `1h30m` or `90s`. @returns seconds. */
export function seconds(text: string): number {
  const match = /^(?:(\d+)h)?(?:(\d+)m)?(?:(\d+)s)?$/.exec(text);
  const [, h = 0, m = 0, s = 0] = match ?? [];
  const total = Number(h) * 3600 + Number(m) * 60 + Number(s);
  if (!match || total <= 0) throw new Error(`"${text}" is not a time: write it like 10m or 1h30m`);
  return total;
}

function parseTargets(text: string, context: z.RefinementCtx): ModuleTargets {
  const targets: Partial<Record<ModuleName, readonly string[]>> = {};
  for (const part of text.split(';').filter(Boolean)) {
    const [name = '', addresses = ''] = part.split('=');
    const list = addresses.split(',').filter((address) => HOST_AND_PORT.test(address));
    const module = MODULE_NAMES.find((known) => known === name.trim());
    if (!module || list.length === 0) {
      context.addIssue(`"${part}" is not <module>=<host:port>,…; modules are ${MODULE_NAMES.join(', ')}`);
      continue;
    }
    targets[module] = list;
  }
  return targets;
}
