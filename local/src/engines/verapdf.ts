/** veraPDF, which validates documents as PDF/A in the tests. */
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { type Layout, logFile } from '../layout.ts';
import type { Report } from '../report.ts';
import { obtain, type Source } from './cache.ts';
import { findOnPath, run } from './command.ts';
import { PINS, VERAPDF_POM } from './pins.ts';

/** @returns the class path of the library. */
export async function obtainVerapdf(cache: string, dirs: Layout, report: Report): Promise<string> {
  const wanted = {
    folder: `verapdf-${PINS.verapdf}`,
    title: `veraPDF ${PINS.verapdf}`,
    advice: 'Install Maven (mvn).',
    sources: [fetchedWithMaven(logFile(dirs, 'build-verapdf'))],
  };
  return path.join(await obtain(cache, wanted, report), '*');
}

/** The project publishes an installer. Its library, without the window, is in Maven's repository only. */
function fetchedWithMaven(log: string): Source {
  return {
    doing: `fetching veraPDF ${PINS.verapdf} with Maven`,
    async fill(into, progress) {
      const mvn = findOnPath('mvn');
      if (!mvn) throw new Error('there is no mvn on PATH');
      const pom = path.join(into, 'pom.xml');
      fs.writeFileSync(pom, VERAPDF_POM);
      await run(
        mvn,
        [
          '--batch-mode',
          `--file=${pom}`,
          'dependency:copy-dependencies',
          '-DincludeScope=runtime',
          `-DoutputDirectory=${into}`,
          `-Dmaven.repo.local=${path.join(os.homedir(), '.m2', 'repository')}`,
        ],
        { log, progress },
      );
      fs.rmSync(pom);
    },
  };
}
