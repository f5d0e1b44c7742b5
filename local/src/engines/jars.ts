/** Libraries in Java that validate what the platform produces, for the tests: documents, and resources of FHIR. */
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { type Layout, logFile } from '../layout.ts';
import type { Report } from '../report.ts';
import { obtain, type Source } from './cache.ts';
import { findOnPath, run } from './command.ts';
import { FHIR_VALIDATOR_JARS, PINS, pomOf, VERAPDF_JARS } from './pins.ts';

interface Library {
  readonly name: string;
  readonly title: string;
  readonly version: string;
  /** `group:artifact` of each. */
  readonly artifacts: readonly string[];
}

/** veraPDF's project publishes an installer. Its library, without the window, is in Maven's repository only. */
const VERAPDF = { name: 'verapdf', title: 'veraPDF', version: PINS.verapdf, artifacts: VERAPDF_JARS };
const FHIR_VALIDATOR = {
  name: 'fhir-validator',
  title: 'the FHIR validator of HAPI',
  version: PINS.fhirValidator,
  artifacts: FHIR_VALIDATOR_JARS,
};

/** @returns the class path of the library. */
export function obtainVerapdf(cache: string, dirs: Layout, report: Report): Promise<string> {
  return obtainJars(VERAPDF, cache, dirs, report);
}

/** @returns the class path of the library, which has the definitions of FHIR R4. */
export function obtainFhirValidator(cache: string, dirs: Layout, report: Report): Promise<string> {
  return obtainJars(FHIR_VALIDATOR, cache, dirs, report);
}

async function obtainJars(library: Library, cache: string, dirs: Layout, report: Report): Promise<string> {
  const { name, title, version } = library;
  const wanted = {
    folder: `${name}-${version}`,
    title: `${title} ${version}`,
    advice: 'Install Maven (mvn).',
    sources: [fetchedWithMaven(library, logFile(dirs, `build-${name}`))],
  };
  return path.join(await obtain(cache, wanted, report), '*');
}

function fetchedWithMaven({ title, version, artifacts }: Library, log: string): Source {
  return {
    doing: `fetching ${title} ${version} with Maven`,
    async fill(into, progress) {
      const mvn = findOnPath('mvn');
      if (!mvn) throw new Error('there is no mvn on PATH');
      const pom = path.join(into, 'pom.xml');
      fs.writeFileSync(pom, pomOf(artifacts, version));
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
