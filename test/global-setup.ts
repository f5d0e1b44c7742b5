/**
 * Starts the platform once for a whole test run: real engines on free ports, with their own data.
 * It always ends with the test run.
 * HMS_TEST_ONLY=postgres,s3 starts these and what they need, for work on one part.
 */
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import {
  cacheDir,
  freePorts,
  type Layout,
  layout,
  lineReport,
  obtainFhirValidator,
  obtainHelm,
  obtainPromtool,
  obtainSchemathesis,
  obtainVerapdf,
  type Report,
  type Started,
  startPlatform,
} from '@hms/local';
import { pair } from '../services/gateway/src/testing/certificates.ts';
import { obtainChromium } from './support/chromium.ts';

const PREFIX = 'hms-test-';
const DAY_MS = 24 * 3600 * 1000;

declare global {
  var hmsTestPlatform: Started | undefined;
}

/** What Jest says about the run. */
interface Run {
  readonly testPathPatterns: { readonly patterns: readonly string[] };
}

export default async function setup({ testPathPatterns }: Run): Promise<void> {
  removeForgotten();
  const dataDir = fs.mkdtempSync(path.join(os.tmpdir(), PREFIX));
  await trustMailServer(layout(dataDir).trust);
  const only = process.env.HMS_TEST_ONLY?.split(',');
  const report = lineReport((line) => process.stderr.write(`${line}\n`));
  if (!only || only.includes('web')) await obtainChromium(report).catch(() => undefined);
  if (!only && testPathPatterns.patterns.length === 0) await obtainTools(layout(dataDir), report);
  globalThis.hmsTestPlatform = await report.during(`starting the platform for the tests in ${dataDir}`, async () =>
    startPlatform({ dataDir, ports: await freePorts(), fast: true, report, ...(only ? { only } : {}) }),
  );
  process.env.HMS_TEST_STATE = layout(dataDir).state;
}

/**
 * What suites of a whole run need besides the engines. On a new machine some of it is built, which takes longer than a
 * suite may. A suite that can't get its tool says so itself.
 */
async function obtainTools(dirs: Layout, report: Report): Promise<void> {
  const cache = cacheDir();
  for (const obtain of [obtainHelm, obtainPromtool, obtainVerapdf, obtainFhirValidator, obtainSchemathesis]) {
    await obtain(cache, dirs, report).catch(() => undefined);
  }
}

/** Keycloak reads its truststore only at its start. Tests start mail servers with this certificate. */
async function trustMailServer(folder: string): Promise<void> {
  const { cert, key } = await pair('localhost', true);
  fs.mkdirSync(folder, { mode: 0o700 });
  fs.writeFileSync(path.join(folder, 'mail.crt'), cert);
  fs.writeFileSync(path.join(folder, '..', 'mail.key'), key, { mode: 0o600 });
}

/** Data of killed runs. Recent data may belong to a running one. */
function removeForgotten(): void {
  for (const name of fs.readdirSync(os.tmpdir())) {
    const folder = path.join(os.tmpdir(), name);
    const age = name.startsWith(PREFIX)
      ? Date.now() - (fs.statSync(folder, { throwIfNoEntry: false })?.mtimeMs ?? Number.POSITIVE_INFINITY)
      : 0;
    if (age > DAY_MS) fs.rmSync(folder, { recursive: true, force: true });
  }
}
