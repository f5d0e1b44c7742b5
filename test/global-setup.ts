/**
 * Starts the platform once for a whole test run: real engines on free ports, with their own data.
 * It always ends with the test run.
 * HMS_TEST_ONLY=postgres,s3 starts these and what they need, for work on one part.
 */
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { freePorts, layout, lineReport, type Started, startPlatform } from '@hms/local';

const PREFIX = 'hms-test-';
const DAY_MS = 24 * 3600 * 1000;

declare global {
  var hmsTestPlatform: Started | undefined;
}

export default async function setup(): Promise<void> {
  removeForgotten();
  const dataDir = fs.mkdtempSync(path.join(os.tmpdir(), PREFIX));
  const only = process.env.HMS_TEST_ONLY?.split(',');
  const report = lineReport((line) => process.stderr.write(`${line}\n`));
  globalThis.hmsTestPlatform = await report.during(`starting the platform for the tests in ${dataDir}`, async () =>
    startPlatform({ dataDir, ports: await freePorts(), fast: true, report, ...(only ? { only } : {}) }),
  );
  process.env.HMS_TEST_STATE = layout(dataDir).state;
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
