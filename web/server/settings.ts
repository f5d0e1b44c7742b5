import path from 'node:path';
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
