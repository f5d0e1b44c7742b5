/** Chromium for the tests of the pages: the one of this machine. Debian's is installed if the user may. */
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import type { Report } from '@hms/local';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];

/** @returns the program. @throws Error with what to install. */
export function findChromium(): string {
  const found = search();
  if (!found) throw new Error('The tests of the pages need Chromium: install it (apt-get install chromium).');
  return found;
}

/** Installs Debian's package if there is no Chromium, and this user can. */
export async function obtainChromium(report: Report): Promise<void> {
  if (search() || process.getuid?.() !== 0 || !onPath('apt-get')) return;
  await report.during('installing chromium with apt-get', async () => {
    const options = { stdio: 'ignore', env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } } as const;
    execFileSync('apt-get', ['update', '-qq'], options);
    execFileSync('apt-get', ['install', '-y', '-qq', 'chromium', 'fonts-noto-core'], options);
  });
}

function search(): string | undefined {
  return process.env.HMS_CHROMIUM || NAMES.map(onPath).find((file) => file !== undefined);
}

function onPath(name: string): string | undefined {
  const folders = (process.env.PATH ?? '').split(path.delimiter).filter(Boolean);
  return folders.map((folder) => path.join(folder, name)).find((file) => fs.existsSync(file));
}
