/** Helm, which installs the chart. Here it renders the chart for the tests. */
import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { type Layout, logFile } from '../layout.ts';
import type { Report } from '../report.ts';
import { obtain, type Wanted } from './cache.ts';
import { findOnPath } from './command.ts';
import { HELM_MODULE, helmArchive, PINS } from './pins.ts';
import { builtWithGo, published } from './sources.ts';

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

function wanted(dirs: Layout): Wanted {
  const title = `Helm ${PINS.helm}`;
  const log = logFile(dirs, 'build-helm');
  return {
    folder: `helm-${PINS.helm}-${process.platform}-${process.arch}`,
    title,
    advice: 'Allow downloads from get.helm.sh, or install Go (https://go.dev/dl), or put helm on PATH.',
    sources: [published(title, helmArchive(process), log), builtWithGo(title, HELM_MODULE, log)],
  };
}
