/** The web pages, built from their sources when these have changed. */
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { type Layout, logFile, PROJECT } from '../layout.ts';
import { Problem } from '../problem.ts';
import type { Report } from '../report.ts';
import { run } from './command.ts';

const BUILD = path.join(PROJECT, 'web', 'tools', 'build.ts');

/** @returns the folder of the built pages. */
export async function obtainPages(dirs: Layout, report: Report): Promise<string> {
  const present = findPages();
  if (present !== undefined) return present;
  if (!fs.existsSync(path.join(PROJECT, 'node_modules', 'vite'))) {
    throw new Problem("The web pages can't be built: run npm ci (without --omit=dev and NODE_ENV=production).");
  }
  await report.during('building the web pages', (progress) =>
    run(process.execPath, [BUILD], { cwd: PROJECT, log: logFile(dirs, 'build-web'), progress }),
  );
  const built = findPages();
  if (built === undefined) throw new Problem('The sources of the web pages changed while they were built: retry.');
  return built;
}

/** The build of the present sources. */
function findPages(): string | undefined {
  return execFileSync(process.execPath, [BUILD, '--find'], { cwd: PROJECT, encoding: 'utf8' }).trim() || undefined;
}
