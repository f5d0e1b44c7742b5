/** Settings of a module: from the environment, read once at start. docs/configuration.md lists them. */
import { S3_SETTINGS } from '@hms/storage';
import { z } from 'zod';

const address = z.url({ protocol: /^https?$/ }).regex(/[^/]$/, 'must not end with a slash');

export const MODULE_SETTINGS = {
  HOST: z.string().min(1).default('127.0.0.1'),
  PORT: z.coerce.number().int().min(0).max(65_535),
  DATABASE_URL: z.url({ protocol: /^postgres(ql)?$/ }),
  DATABASE_POOL_SIZE: z.coerce.number().int().min(1).max(500).default(10),
  /** Read-only replica. Default: the primary server. */
  DATABASE_REPLICA_URL: z.url({ protocol: /^postgres(ql)?$/ }).optional(),
  DATABASE_REPLICA_POOL_SIZE: z.coerce.number().int().min(1).max(500).default(4),
  /** Seconds until a statement on the replica's pool is cancelled. */
  DATABASE_REPLICA_TIMEOUT: z.coerce.number().int().min(1).max(3600).default(60),
  /** Background tasks at the same time. */
  TASK_CONCURRENCY: z.coerce.number().int().min(1).max(100).default(4),
  BASE_URL: address,
  KEYCLOAK_URL: address,
  ...S3_SETTINGS,
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
};

const EXAMPLES: Readonly<Record<string, string>> = {
  PORT: '18101',
  DATABASE_URL: 'postgres://hms_app:password@127.0.0.1:5432/hms with the role of the module',
  BASE_URL: 'http://localhost:8000',
  KEYCLOAK_URL: 'http://127.0.0.1:8180/auth',
  DATABASE_POOL_SIZE: '10',
  DATABASE_REPLICA_URL: 'postgres://hms_app:password@replica:5432/hms',
  DATABASE_REPLICA_POOL_SIZE: '4',
  DATABASE_REPLICA_TIMEOUT: '60',
  TASK_CONCURRENCY: '4',
  HOSPITAL_DIRECTORY: 'search',
  MODULE_TARGETS: 'hms=127.0.0.1:18101,127.0.0.1:18102;crm=127.0.0.1:18111',
  S3_ENDPOINT: 'http://127.0.0.1:17070',
  S3_PUBLIC_ENDPOINT: 'https://files.example.com',
  S3_REGION: 'us-east-1',
  S3_BUCKET: 'hms',
  LOG_LEVEL: 'info',
};

/**
 * Reads the variables of a shape. An empty variable counts as unset.
 * @throws SettingsError with a sentence for each missing or invalid variable.
 */
export function readSettings<Shape extends z.ZodRawShape>(
  shape: Shape,
  environment: Readonly<Record<string, string | undefined>>,
): z.output<z.ZodObject<Shape>> {
  const present = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ''));
  const result = z.object(shape).safeParse(present);
  if (result.success) return result.data;
  throw new SettingsError(result.error.issues.map(({ path, message }) => sentence(String(path[0]), present, message)));
}

/** The process can't start, for the reason in the message. */
export class SettingsError extends Error {
  constructor(sentences: readonly string[]) {
    super(sentences.join('\n'));
    this.name = 'SettingsError';
  }
}

/** The value is not repeated, because some contain passwords. */
function sentence(name: string, present: Readonly<Record<string, unknown>>, message: string): string {
  const example = EXAMPLES[name] ? `, like ${EXAMPLES[name]}` : '';
  return present[name] === undefined
    ? `The environment variable ${name} is not set: set it${example}.`
    : `The environment variable ${name} is wrong (${message}): give a value${example}.`;
}
