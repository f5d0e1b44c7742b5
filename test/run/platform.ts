/** The platform that the suites of a run share: real engines on free ports, with data in a temporary folder. */
import fs from 'node:fs';
import path from 'node:path';
import { freePorts, layout, type Report, startPlatform } from '@hms/local';
import { pair } from '../../services/gateway/src/testing/certificates.ts';
import { dataFolder, removeForgotten } from '../support/data-folder.ts';

export interface SharedPlatform {
  /** For the environment of suites. */
  readonly env: Readonly<Record<string, string>>;
  stop(): Promise<void>;
}

/** The steps that suites of a module's API need. */
export const ENGINES = ['database', 's3-account', 'mail'];

/**
 * It always ends with this process. HMS_TEST_KEEP=1 keeps data and logs.
 * @param only the steps to start, each with those that it needs. Default: all.
 */
export async function startSharedPlatform(
  report: Report,
  signal: AbortSignal,
  only?: readonly string[],
): Promise<SharedPlatform> {
  removeForgotten();
  const dataDir = dataFolder();
  const dirs = layout(dataDir);
  await trustMailServer(dirs.trust);
  const platform = await report.during(
    `starting ${only?.join(', ') ?? 'the whole platform'} for the tests, in ${dataDir}`,
    async () =>
      startPlatform({ dataDir, ports: await freePorts(), fast: true, report, signal, ...(only ? { only } : {}) }),
  );
  return {
    env: { HMS_TEST_STATE: dirs.state },
    stop: async () => {
      await platform.stop();
      if (process.env.HMS_TEST_KEEP) report.note(`the tests' data and logs are in ${dataDir}`);
      else fs.rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

/** Keycloak reads its truststore only at its start. Tests start mail servers with this certificate. */
async function trustMailServer(folder: string): Promise<void> {
  const { cert, key } = await pair('localhost', true);
  fs.mkdirSync(folder, { mode: 0o700 });
  fs.writeFileSync(path.join(folder, 'mail.crt'), cert);
  fs.writeFileSync(path.join(folder, '..', 'mail.key'), key, { mode: 0o600 });
}
