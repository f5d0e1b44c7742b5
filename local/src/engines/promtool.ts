/** Prometheus's promtool, which runs the tests of the alerts. */
import fs from 'node:fs';
import path from 'node:path';
import { type Layout, logFile } from '../layout.ts';
import type { Report } from '../report.ts';
import { obtain, type Source, type Wanted } from './cache.ts';
import { findOnPath, type RunOptions, run } from './command.ts';
import { PINS, prometheusArchive } from './pins.ts';
import { published } from './sources.ts';

/** @returns the path of the program: the one on PATH, otherwise the cache's. */
export async function obtainPromtool(cache: string, dirs: Layout, report: Report): Promise<string> {
  return findOnPath('promtool') ?? path.join(await obtain(cache, wanted(dirs), report), 'promtool');
}

function wanted(dirs: Layout): Wanted {
  const title = `Prometheus ${PINS.prometheus}`;
  const log = logFile(dirs, 'build-promtool');
  return {
    folder: `prometheus-${PINS.prometheus}-${process.platform}-${process.arch}`,
    title,
    advice: 'Allow downloads from github.com, or put promtool on PATH.',
    sources: [published(title, prometheusArchive(process), log), debianPackage(log)],
  };
}

/** Debian's own version. A build with Go is no source: it takes many minutes, and Go refuses to install the module. */
function debianPackage(log: string): Source {
  return {
    doing: "downloading Debian's package prometheus",
    async fill(into, progress) {
      if (!findOnPath('apt-get')) throw new Error('this is no Debian');
      const options = { cwd: into, log, progress };
      await run('apt-get', ['download', 'prometheus'], options).catch(() => downloadWithOwnLists(into, options));
      const [file] = fs.readdirSync(into).filter((name) => name.endsWith('.deb'));
      if (!file) throw new Error('apt-get downloaded nothing');
      await run('dpkg-deb', ['--extract', file, 'unpacked'], options);
      fs.renameSync(path.join(into, 'unpacked/usr/bin/promtool'), path.join(into, 'promtool'));
      for (const name of fs.readdirSync(into)) {
        if (name !== 'promtool') fs.rmSync(path.join(into, name), { recursive: true });
      }
    },
  };
}

/** Leaves the machine's package lists, which may be missing or old, as they are. */
async function downloadWithOwnLists(into: string, options: RunOptions): Promise<void> {
  const state = path.join(into, 'apt');
  fs.mkdirSync(path.join(state, 'lists/partial'), { recursive: true });
  const own = ['-o', `Dir::State=${state}`, '-o', 'Dir::State::status=/var/lib/dpkg/status'];
  await run('apt-get', [...own, 'update'], options);
  await run('apt-get', [...own, 'download', 'prometheus'], options);
}
