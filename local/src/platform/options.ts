import type { Keycloak } from '../engines/keycloak.ts';
import type { Kubernetes } from '../engines/kubernetes.ts';
import type { Postgres } from '../engines/postgres.ts';
import { type Layout, layout } from '../layout.ts';
import type { Ports } from '../ports.ts';
import { readSecrets, type Secrets } from './secrets.ts';

/** The options of one platform: plain data that the command passes to its supervisor. */
export interface PlatformOptions {
  readonly dataDir: string;
  readonly ports: Ports;
  /** For tests: data is not synced to disk, and Keycloak starts later but creates realms in a third of the time. */
  readonly fast: boolean;
  /** Names of the steps to run, with their dependencies. Default: all. */
  readonly only?: readonly string[];
}

export interface Engines {
  readonly postgres: Postgres;
  readonly keycloak: Keycloak;
  readonly kubernetes: Kubernetes;
  /** The program versitygw. */
  readonly s3: string;
  /** The folder of the web pages. Undefined if they are not served. */
  readonly pages?: string;
}

/** Everything that the steps are built from. */
export interface Platform extends PlatformOptions {
  readonly dirs: Layout;
  readonly engines: Engines;
  readonly secrets: Secrets;
}

export async function platformOf(options: PlatformOptions, engines: Engines): Promise<Platform> {
  const dirs = layout(options.dataDir);
  return { ...options, dirs, engines, secrets: await readSecrets(dirs.secrets) };
}
