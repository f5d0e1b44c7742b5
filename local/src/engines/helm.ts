/** Helm, which installs the chart. Here it renders the chart for the tests. */
import { execFile } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { type Layout, logFile } from '../layout.ts';
import type { Report } from '../report.ts';
import { obtain, type Source } from './cache.ts';
import { findOnPath, inTurn, run } from './command.ts';
import { download } from './download.ts';
import { HELM_MODULE, helmArchive, PINS } from './pins.ts';

/** The oldest version that the chart supports, as in docs/install.md. */
const OLDEST = { major: 3, minor: 14 };

/** @returns the path of the program: the one on PATH if it is new enough, otherwise the cache's. */
export async function obtainHelm(cache: string, dirs: Layout, report: Report): Promise<string> {
  return (await installed(report)) ?? path.join(await obtain(cache, wanted(dirs), report), 'helm');
}

/**
 * Whether a line of `helm version --short`, such as `v3.22.0+gabcdef1`, is a Helm 3 with all features that the chart
 * uses.
 */
export function isNewEnough(version: string): boolean {
  const [, major = '', minor = ''] = /^v(\d+)\.(\d+)/.exec(version) ?? [];
  return Number(major) === OLDEST.major && Number(minor) >= OLDEST.minor;
}

async function installed(report: Report): Promise<string | undefined> {
  const onPath = findOnPath('helm');
  if (!onPath) return undefined;
  const version = await promisify(execFile)(onPath, ['version', '--short']).then(
    ({ stdout }) => stdout.trim(),
    () => 'a helm that can not be run',
  );
  if (isNewEnough(version)) return onPath;
  report.note(`PATH has ${version}, not Helm ${OLDEST.major}.${OLDEST.minor} or a newer Helm 3: it is ignored`);
  return undefined;
}

function wanted(dirs: Layout) {
  const archive = helmArchive(process);
  const log = logFile(dirs, 'build-helm');
  const fetched: Source = {
    doing: `downloading Helm ${PINS.helm}`,
    async fill(into, progress) {
      if (!archive) throw new Error(`nothing is published for ${process.platform} on ${process.arch}`);
      const file = path.join(into, 'helm.tar.gz');
      await download(archive, file, progress);
      await run('tar', ['-xzf', file, '-C', into, '--strip-components=1'], { log, progress });
      fs.rmSync(file);
    },
  };
  const built: Source = {
    doing: `building Helm ${PINS.helm} with Go (a minute or two, once)`,
    fill(into, progress) {
      const go = findOnPath('go');
      if (!go) return Promise.reject(new Error('there is no go on PATH'));
      return inTurn(progress, () =>
        run(go, ['install', '-v', HELM_MODULE], { env: { ...process.env, GOBIN: into }, log, progress }),
      );
    },
  };
  return {
    folder: `helm-${PINS.helm}-${process.platform}-${process.arch}`,
    title: `Helm ${PINS.helm}`,
    advice: 'Allow downloads from get.helm.sh, or install Go (https://go.dev/dl), or put helm on PATH.',
    sources: [fetched, built],
  };
}
