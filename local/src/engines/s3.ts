/** The S3 server: versitygw on a folder. */
import path from 'node:path';
import { type Layout, logFile } from '../layout.ts';
import type { Report } from '../report.ts';
import { obtain, type Wanted } from './cache.ts';
import { findOnPath } from './command.ts';
import { PINS, VERSITYGW_MODULE, versitygwArchive } from './pins.ts';
import { builtWithGo, published } from './sources.ts';

/** @returns the path of the program. */
export async function obtainS3(cache: string, dirs: Layout, report: Report): Promise<string> {
  return findOnPath('versitygw') ?? path.join(await obtain(cache, wanted(dirs), report), 'versitygw');
}

function wanted(dirs: Layout): Wanted {
  const title = `the S3 server versitygw ${PINS.versitygw}`;
  const log = logFile(dirs, 'build-s3');
  return {
    folder: `versitygw-${PINS.versitygw}-${process.platform}-${process.arch}`,
    title: `The S3 server versitygw ${PINS.versitygw}`,
    advice: 'Allow downloads from github.com, or install Go (https://go.dev/dl), or put versitygw on PATH.',
    sources: [published(title, versitygwArchive(process), log), builtWithGo(title, VERSITYGW_MODULE, log)],
  };
}
