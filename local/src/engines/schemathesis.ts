/** schemathesis, which sends requests that it makes from the OpenAPI documents, in the tests. */
import path from 'node:path';
import { type Layout, logFile } from '../layout.ts';
import type { Report } from '../report.ts';
import { obtain, type Source } from './cache.ts';
import { findOnPath, run } from './command.ts';
import { PINS } from './pins.ts';

const CONSTRAINTS = path.join(import.meta.dirname, 'schemathesis-constraints.txt');

/** @returns a folder for PYTHONPATH. */
export function obtainSchemathesis(cache: string, dirs: Layout, report: Report): Promise<string> {
  const wanted = {
    folder: `schemathesis-${PINS.schemathesis}`,
    title: `schemathesis ${PINS.schemathesis}`,
    advice: 'Install Python 3.10 or newer with pip.',
    sources: [fetchedWithPip(logFile(dirs, 'build-schemathesis'))],
  };
  return obtain(cache, wanted, report);
}

function fetchedWithPip(log: string): Source {
  return {
    doing: `fetching schemathesis ${PINS.schemathesis} with pip`,
    async fill(into, progress) {
      const python = findOnPath('python3');
      if (!python) throw new Error('there is no python3 on PATH');
      const name = `schemathesis==${PINS.schemathesis}`;
      const args = ['--target', into, '--progress-bar', 'off', '--constraint', CONSTRAINTS, name];
      await run(python, ['-m', 'pip', 'install', ...args], { log, progress });
    },
  };
}
