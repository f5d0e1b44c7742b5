import path from 'node:path';
import { MODULE_NAMES, type ModuleName } from '@hms/tenancy';
import { z } from 'zod';

const address = z.url({ protocol: /^https?$/ }).regex(/[^/]$/, 'must not end with a slash');

/** Settings of the web server, from the environment. docs/configuration.md lists them. */
export const WEB_SETTINGS = {
  HOST: z.string().min(1).default('127.0.0.1'),
  PORT: z.coerce.number().int().min(0).max(65_535),
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
  BASE_URL: address,
  PLATFORM_DOMAIN: z.string().regex(/^[a-z0-9.-]+$/),
  CONSOLE_ORIGIN: address,
  /** The module auth, as this process reaches it. */
  AUTH_URL: address,
  /** Where each module listens: `hms=host:port,host:port;crm=host:port`, as for the operator. */
  MODULE_TARGETS: z.string().transform(parseTargets),
  /** The S3 server, as browsers reach it. */
  S3_PUBLIC_ENDPOINT: address,
  /** One key a line, 32 bytes in base64. The first one encrypts, and all of them decrypt. */
  WEB_COOKIE_KEYS_FILE: z.string().min(1),
  /** The folder that `web/tools/build.ts` has made. */
  WEB_PAGES: z
    .string()
    .min(1)
    .default(path.resolve(import.meta.dirname, '..', 'pages')),
};

function parseTargets(
  text: string,
  context: z.RefinementCtx,
): Readonly<Partial<Record<ModuleName, readonly string[]>>> {
  const entries = text
    .split(';')
    .filter(Boolean)
    .map((part) => {
      const [name = '', targets = ''] = part.split('=');
      const module = MODULE_NAMES.find((known) => known === name.trim());
      const list = targets.split(',');
      if (!module || !list.every((target) => /^[^:/\s]+:\d+$/.test(target)))
        context.addIssue(`"${part}" is not <module>=<host:port>,…; modules are ${MODULE_NAMES.join(', ')}`);
      return [module, list] as const;
    });
  return Object.fromEntries(entries);
}
