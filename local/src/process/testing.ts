/** Small real processes for tests. */
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { poll } from '../poll.ts';
import type { ProcessStep } from './spec.ts';

/** A Node script as a step, which is ready immediately unless `own` says otherwise. */
export function scriptStep(folder: string, name: string, script: string, own: Partial<ProcessStep> = {}): ProcessStep {
  return {
    kind: 'process',
    name,
    after: [],
    command: process.execPath,
    args: ['-e', script],
    env: { PATH: process.env.PATH ?? '' },
    cwd: folder,
    address: `${name}.test`,
    log: path.join(folder, `${name}.log`),
    ready: async () => true,
    startTimeout: 10_000,
    stopSignal: 'SIGTERM',
    stopTimeout: 10_000,
    ...own,
  };
}

/** A script that runs until it is stopped. */
export const FOREVER = 'setInterval(() => {}, 1000)';

/** Runs the test with a folder that is deleted afterwards. */
export async function inFolder(work: (folder: string) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'hms-unit-'));
  try {
    await work(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Waits for the condition. Throws if it is not met in time. @param timeout milliseconds. */
export async function until(what: string, condition: () => boolean, timeout = 15_000): Promise<void> {
  const came = await poll(() => condition() || undefined, { timeout, interval: 20 });
  if (!came) throw new Error(`timed out: ${what}`);
}
