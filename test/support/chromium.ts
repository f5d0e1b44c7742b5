/** Chromium for the tests of the pages: the one of this machine. Debian's is installed if the user may. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import { Problem, type Progress, type Report, sentence } from '@hms/local';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];

const ADVICE =
  'The tests of the pages need Chromium: install it (apt-get install chromium), or name it with HMS_CHROMIUM.';

/** @returns the program. @throws Problem with what to install. */
export function findChromium(): string {
  const found = search();
  if (!found) throw new Problem(ADVICE);
  return found;
}

/**
 * Installs Debian's package if there is no Chromium, and this user can.
 * @returns the program. @throws Problem with what to install.
 */
export async function obtainChromium(report: Report): Promise<string> {
  if (search() === undefined && process.getuid?.() === 0 && onPath('apt-get')) {
    await report
      .during('installing chromium with apt-get', async (progress) => {
        for (const args of [['update'], ['install', '-y', 'chromium', 'fonts-noto-core']]) await aptGet(args, progress);
      })
      .catch((error: unknown) => {
        throw new Problem(`${sentence(error)}. ${ADVICE}`);
      });
  }
  return findChromium();
}

/** It runs in a process of its own, so that the report goes on meanwhile. */
export async function aptGet(args: readonly string[], progress: Progress): Promise<void> {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const child = spawn('apt-get', ['-qq', ...args], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  let last = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => (last = text.trim().split('\n').at(-1) ?? last));
  }
  progress(() => last);
  const [code] = (await once(child, 'close')) as [number | null];
  if (code !== 0) throw new Error(`apt-get ${args[0]} failed: ${last}`);
}

function search(): string | undefined {
  return process.env.HMS_CHROMIUM || NAMES.map(onPath).find((file) => file !== undefined);
}

export function onPath(name: string): string | undefined {
  const folders = (process.env.PATH ?? '').split(path.delimiter).filter(Boolean);
  return folders.map((folder) => path.join(folder, name)).find((file) => fs.existsSync(file));
}
