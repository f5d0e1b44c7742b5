/** The S3 server: versitygw on a folder. */
import fs from 'node:fs';
import path from 'node:path';
import { type Layout, logFile } from '../layout.ts';
import type { Report } from '../report.ts';
import { obtain, type Source } from './cache.ts';
import { findOnPath, inTurn, run } from './command.ts';
import { download } from './download.ts';
import { PINS, VERSITYGW_MODULE, versitygwArchive } from './pins.ts';

/** @returns the path of the program. */
export async function obtainS3(cache: string, dirs: Layout, report: Report): Promise<string> {
  return findOnPath('versitygw') ?? path.join(await obtain(cache, wanted(dirs), report), 'versitygw');
}

function wanted(dirs: Layout) {
  const archive = versitygwArchive(process);
  const log = logFile(dirs, 'build-s3');
  const fetched: Source = {
    doing: `downloading the S3 server versitygw ${PINS.versitygw}`,
    async fill(into, progress) {
      if (!archive) throw new Error(`nothing is published for ${process.platform} on ${process.arch}`);
      const file = path.join(into, 'versitygw.tar.gz');
      await download(archive, file, progress);
      await run('tar', ['-xzf', file, '-C', into, '--strip-components=1'], { log, progress });
      fs.rmSync(file);
    },
  };
  const built: Source = {
    doing: `building the S3 server versitygw ${PINS.versitygw} with Go (a minute, once)`,
    fill(into, progress) {
      const go = findOnPath('go');
      if (!go) return Promise.reject(new Error('there is no go on PATH'));
      return inTurn(progress, () =>
        run(go, ['install', '-v', VERSITYGW_MODULE], { env: { ...process.env, GOBIN: into }, log, progress }),
      );
    },
  };
  return {
    folder: `versitygw-${PINS.versitygw}-${process.platform}-${process.arch}`,
    title: `The S3 server versitygw ${PINS.versitygw}`,
    advice: 'Allow downloads from github.com, or install Go (https://go.dev/dl), or put versitygw on PATH.',
    sources: [fetched, built],
  };
}
